import { Readable } from 'node:stream';
import { DETECTION_HEAD_BYTES } from '#libs/parsing';

/** Maximum size of a file that is kept in memory until it is stored, so that the next file can be read meanwhile. */
const SMALL_FILE_BYTES = 64 * 1024;

/** The bytes of a file: all of them if it is small, otherwise those read so far and a stream of the rest. */
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

/** The stream for the storage, and the first bytes once the storage has read them. */
export interface OpenedContent {
  readonly source: Readable | Buffer;
  readonly head: () => Buffer;
}

/**
 * The stream for the storage; `head` returns the first bytes once the storage has read them. `admit` is called before each piece is passed
 * on.
 */
export function openContent(content: UploadContent, admit: (bytes: number) => Promise<void>): OpenedContent {
  if (content.whole !== undefined) {
    const { whole } = content;
    return { source: whole, head: () => whole.subarray(0, DETECTION_HEAD_BYTES) };
  }
  const head: Buffer[] = [];
  const source = Readable.from(keepHead(content, head, admit), { objectMode: false });
  return { source, head: () => Buffer.concat(head) };
}

/** Passes the bytes on and remembers the first ones. */
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
