import type { Readable } from 'node:stream';
import { PacedReader, type Pace } from './body/paced-reader.js';
import { contentTypeOf, parseParameters, readPartHeaders, type HeaderParameters } from './multipart-headers.js';

/** A part of a form, in the order in which it was sent. */
export interface MultipartPart {
  /** Name of the field. */
  readonly name: string;
  /** Parameters of Content-Disposition by lower-case name, as the bytes that were sent: a file name has an encoding of its own. */
  readonly parameters: HeaderParameters;
  /** Content-Type without parameters, in lower case; undefined when none was sent. */
  readonly mediaType: string | undefined;
  /** Encoding that Content-Type names. */
  readonly charset: string | undefined;
  /** The bytes of the part. They must be read before the next part is requested; unread bytes are skipped then. */
  readonly body: AsyncIterable<Buffer>;
}

/** The body is no multipart form, or breaks off. */
export class MalformedMultipart extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MalformedMultipart';
  }
}

/** A form of more parts than the reader was told to take. */
export class TooManyParts extends Error {
  constructor(readonly limit: number) {
    super(`the form has more than ${limit} parts`);
    this.name = 'TooManyParts';
  }
}

const HEADER_BYTES_MAX = 16 * 1024;
/** RFC 2046 allows 70 characters; what is much longer costs more to look for than it says. */
const BOUNDARY_MAX = 256;
/** RFC 2046 allows white space between a boundary and the end of its line. */
const PADDING_MAX = 64;
const CRLF = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');
const HYPHEN = 0x2d;

/**
 * The parts of a multipart/form-data body (RFC 7578), read as they arrive and never held in memory. When the reader stops, the rest of the source
 * is skipped; the source is not destroyed, so that the request can still be answered.
 * @throws MalformedMultipart, TooManyParts, `http.upload_too_slow`, `http.body_too_large`, and the source's own error
 */
export async function* readMultipart(
  source: Readable,
  contentType: string | undefined,
  maxParts: number,
  pace: Pace,
): AsyncGenerator<MultipartPart, void, undefined> {
  const boundary = parseParameters(contentType ?? '')
    .get('boundary')
    ?.toString('latin1');
  if (boundary === undefined || boundary === '') throw new MalformedMultipart('its Content-Type names no boundary');
  if (boundary.length > BOUNDARY_MAX)
    throw new MalformedMultipart(`its boundary is longer than ${BOUNDARY_MAX} characters`);
  const reader = new MultipartReader(source, boundary, pace);
  try {
    for (let count = 1; await reader.enterPart(); count += 1) {
      if (count > maxParts) throw new TooManyParts(maxParts);
      const headers = readPartHeaders(await reader.readHeaderBlock());
      if (headers === undefined) throw new MalformedMultipart('a part has no Content-Disposition with a name');
      yield { ...headers, ...contentTypeOf(headers.contentType), body: reader.body() };
    }
  } finally {
    reader.skipRest();
  }
}

/** What is at a place where a boundary was found. */
type Delimiter = { readonly kind: 'part' | 'end'; readonly length: number } | 'none' | 'unknown';

/** Takes a form apart. The reader of a part and anyone who skips what is left of it take turns. */
class MultipartReader {
  private readonly pieces: PacedReader;
  private readonly delimiter: Buffer;
  /** A form may begin with its boundary, without the line break that precedes every other one. */
  private rest: Buffer = CRLF;
  private place: 'before' | 'body' | 'headers' | 'end' = 'before';
  private part = 0;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(source: Readable, boundary: string, pace: Pace) {
    this.pieces = new PacedReader(source, pace);
    this.delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Skips to the next part; false when there is none. */
  async enterPart(): Promise<boolean> {
    while (this.place === 'before' || this.place === 'body') await this.inTurn(() => this.readPiece());
    this.part += 1;
    return this.place === 'headers';
  }

  async readHeaderBlock(): Promise<string> {
    for (;;) {
      const end = this.rest.indexOf(BLANK_LINE);
      if (end > HEADER_BYTES_MAX || (end === -1 && this.rest.length > HEADER_BYTES_MAX)) {
        throw new MalformedMultipart(`the headers of a part are longer than ${HEADER_BYTES_MAX} bytes`);
      }
      if (end !== -1) {
        const block = this.rest.toString('latin1', 0, end);
        this.rest = this.rest.subarray(end + BLANK_LINE.length);
        this.place = 'body';
        return block;
      }
      await this.fill('its end is missing in the headers of a part');
    }
  }

  /** The bytes of the part that was entered last. */
  body(): AsyncIterable<Buffer> {
    return this.bodyOf(this.part);
  }

  /** Lets what is left of the source pass unread: anyone who still sends it waits for nothing else before he reads the answer. */
  skipRest(): void {
    this.pieces.skipRest();
  }

  private async *bodyOf(part: number): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const piece = await this.inTurn(() =>
        this.part === part && this.place === 'body' ? this.readPiece() : Promise.resolve(undefined),
      );
      if (piece === undefined) return;
      if (piece.length > 0) yield piece;
    }
  }

  /** The next bytes up to a boundary; undefined when the boundary has been passed. Before the first one they mean nothing. */
  private async readPiece(): Promise<Buffer | undefined> {
    let from = 0;
    for (;;) {
      const at = this.rest.indexOf(this.delimiter, from);
      if (at === -1) {
        const sure = this.rest.length - this.delimiter.length;
        if (sure > 0) return this.take(sure);
      } else {
        const found = this.judge(at + this.delimiter.length);
        if (found === 'none') {
          from = at + 1;
          continue;
        }
        if (at > 0) return this.take(at);
        if (found !== 'unknown') {
          this.rest = this.rest.subarray(this.delimiter.length + found.length);
          this.place = found.kind === 'part' ? 'headers' : 'end';
          return undefined;
        }
      }
      await this.fill(this.place === 'before' ? 'it holds no part' : 'its end is missing');
    }
  }

  /** A boundary ends its line, or carries two hyphens; anything else is content that looks like one. */
  private judge(from: number): Delimiter {
    const { rest } = this;
    if (rest[from] === HYPHEN && rest[from + 1] === HYPHEN) return { kind: 'end', length: 2 };
    let end = from;
    while (rest[end] === 0x20 || rest[end] === 0x09) end += 1;
    if (end - from > PADDING_MAX) return 'none';
    if (rest[end] === CRLF[0] && rest[end + 1] === CRLF[1]) return { kind: 'part', length: end - from + CRLF.length };
    const isCut = end === rest.length || (end + 1 === rest.length && (rest[end] === CRLF[0] || rest[end] === HYPHEN));
    return isCut ? 'unknown' : 'none';
  }

  private take(length: number): Buffer {
    const piece = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return piece;
  }

  private async fill(missing: string): Promise<void> {
    const next = await this.pieces.next();
    if (next === undefined) throw new MalformedMultipart(missing);
    this.rest = this.rest.length === 0 ? next : Buffer.concat([this.rest, next]);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    // Anyone who asked hears of a failure; the next in turn only waits for it to be over.
    this.turn = result.catch(() => undefined);
    return result;
  }
}
