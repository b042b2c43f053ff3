import { inTurns, type TurnOptions } from './thread-turns.js';
import type { Steps } from './steps.js';

/** Items of a list that are written in one step. */
const ITEMS_PER_STEP = 32;
/** Characters that are made before they are sent. */
const CHARS_SENT = 32_768;

/** A list of which each item is made when it is written, so that they are never there all at once. */
export class MadeList<T> {
  constructor(
    readonly items: readonly T[],
    readonly make: (item: T) => unknown,
  ) {}
}

/** `JSON.stringify` of an object, member by member, and within lists some items at a time. */
export function* jsonPieces(value: object): Generator<string, void, void> {
  let before = '{';
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const list = Array.isArray(member) ? new MadeList<unknown>(member, (item) => item) : member;
    const begin = `${before}${JSON.stringify(name)}:`;
    if (list instanceof MadeList) {
      yield `${begin}[`;
      yield* itemPieces(list);
      yield ']';
    } else {
      const written = JSON.stringify(member) as string | undefined;
      // As everywhere in JSON, what has no value is left out.
      if (written === undefined) continue;
      yield `${begin}${written}`;
    }
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* itemPieces({ items, make }: MadeList<unknown>): Generator<string, void, void> {
  for (let from = 0; from < items.length; from += ITEMS_PER_STEP) {
    const written = JSON.stringify(items.slice(from, from + ITEMS_PER_STEP).map(make)).slice(1, -1);
    yield from === 0 ? written : `,${written}`;
  }
}

/**
 * Pieces as UTF-8, some 32 KB at a time: made in turns, and not before those that came earlier were taken. So an answer of megabytes is never in memory
 * as a whole, and is made no faster than its reader takes it.
 */
export async function* piecesInTurns(
  pieces: Iterator<string, void, void>,
  turns: TurnOptions = {},
): AsyncGenerator<Buffer> {
  for (;;) {
    const bytes = await inTurns(nextBytes(pieces), turns);
    if (bytes.length === 0) return;
    yield bytes;
  }
}

/** Empty: there are no more. */
function* nextBytes(pieces: Iterator<string, void, void>): Steps<Buffer> {
  let text = '';
  while (text.length < CHARS_SENT) {
    // Not before it is the tenant's turn, though one piece is quickly made.
    yield;
    const { done, value } = pieces.next();
    if (done === true) break;
    text += value;
  }
  return Buffer.from(text, 'utf8');
}
