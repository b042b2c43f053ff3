import { Readable } from 'node:stream';
import { DETECTION_HEAD_BYTES } from '#libs/parsing';

/** A file of at most this size is held until it is stored, so that the next one is read meanwhile. */
const SMALL_FILE_BYTES = 64 * 1024;

/** The bytes of a file: all of them when they are few, else those read so far and the rest that is still to come. */
export type UploadContent =
  | { readonly whole: Buffer }
  | { readonly whole?: undefined; readonly begun: readonly Buffer[]; readonly rest: AsyncIterator<Buffer> };

export async function readSmall(body: AsyncIterable<Buffer>): Promise<UploadContent> {
  const begun: Buffer[] = [];
  let length = 0;
  const rest = body[Symbol.asyncIterator]();
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    begun.push(next.value);
    length += next.value.length;
    if (length > SMALL_FILE_BYTES) return { begun, rest };
  }
  return { whole: Buffer.concat(begun) };
}

/** What the storage is given, and the first bytes of it once it has taken them. */
export interface OpenedContent {
  readonly source: Readable | Buffer;
  readonly head: () => Buffer;
}

/** What the storage is given; `head` gives the first bytes once it has taken them. `admit` is asked before each piece is passed on. */
export function openContent(content: UploadContent, admit: (bytes: number) => Promise<void>): OpenedContent {
  if (content.whole !== undefined) {
    const { whole } = content;
    return { source: whole, head: () => whole.subarray(0, DETECTION_HEAD_BYTES) };
  }
  const head: Buffer[] = [];
  const source = Readable.from(keepHead(content, head, admit), { objectMode: false });
  return { source, head: () => Buffer.concat(head) };
}

/** Passes the bytes on and keeps the first ones. */
async function* keepHead(
  { begun, rest }: Extract<UploadContent, { readonly begun: unknown }>,
  head: Buffer[],
  admit: (bytes: number) => Promise<void>,
): AsyncGenerator<Buffer, void, undefined> {
  let length = 0;
  const keep = async (piece: Buffer): Promise<Buffer> => {
    await admit(piece.length);
    if (length < DETECTION_HEAD_BYTES) {
      const part = Buffer.from(piece.subarray(0, DETECTION_HEAD_BYTES - length));
      head.push(part);
      length += part.length;
    }
    return piece;
  };
  try {
    for (const piece of begun) yield await keep(piece);
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield await keep(next.value);
  } finally {
    await rest.return?.();
  }
}
