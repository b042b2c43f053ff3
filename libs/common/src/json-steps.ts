import type { Steps } from './steps.js';

/** Items of a list that are written in one step. */
const ITEMS_PER_STEP = 32;

/** `JSON.stringify` of an object, with pauses between its members and within lists among them. */
export function* jsonSteps(value: object): Steps<string> {
  return (yield* piecesOf(value)).join('');
}

/** The same in UTF-8. */
export function* jsonBytes(value: object): Steps<Buffer> {
  const bytes: Buffer[] = [];
  for (const piece of yield* piecesOf(value)) {
    bytes.push(Buffer.from(piece, 'utf8'));
    yield;
  }
  return Buffer.concat(bytes);
}

function* piecesOf(value: object): Steps<string[]> {
  const pieces: string[] = [];
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const written = Array.isArray(member) ? yield* listPieces(member) : [JSON.stringify(member)];
    // As everywhere in JSON, what has no value is left out.
    if (written[0] === undefined) continue;
    pieces.push(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`, ...written);
    yield;
  }
  return pieces.length === 0 ? ['{}'] : [...pieces, '}'];
}

function* listPieces(list: readonly unknown[]): Steps<string[]> {
  const pieces = ['['];
  for (let from = 0; from < list.length; from += ITEMS_PER_STEP) {
    const items = JSON.stringify(list.slice(from, from + ITEMS_PER_STEP)).slice(1, -1);
    pieces.push(from === 0 ? items : `,${items}`);
    yield;
  }
  return [...pieces, ']'];
}
