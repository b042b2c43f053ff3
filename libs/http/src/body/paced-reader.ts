import type { Readable } from 'node:stream';
import { httpErrors } from '../http.errors.js';

/** How fast an upload must come: at least 16 KiB in this many seconds of waiting for it; and how long it may be. */
export interface Pace {
  readonly seconds: number;
  /** Bytes of the whole body. */
  readonly mostBytes: number;
}

const LEAST_BYTES = 16 * 1024;

/** Reads the pieces of a source within limits of speed and size. Only the time spent waiting for the sender counts. */
export class PacedReader {
  private readonly pieces: AsyncIterator<Buffer>;
  private waitedMs = 0;
  private arrived = 0;
  private total = 0;

  constructor(
    private readonly source: Readable,
    private readonly pace: Pace,
  ) {
    this.pieces = source.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** The next piece; undefined at the end. @throws `http.upload_too_slow`, `http.body_too_large`, and the source's own error */
  async next(): Promise<Buffer | undefined> {
    const began = performance.now();
    const next = await this.within(this.pieces.next());
    if (next.done === true) return undefined;
    this.total += next.value.length;
    const { mostBytes } = this.pace;
    if (this.total > mostBytes) throw httpErrors.body_too_large({ limit: mostBytes });
    this.waitedMs += performance.now() - began;
    this.arrived += next.value.length;
    if (this.arrived >= LEAST_BYTES) [this.waitedMs, this.arrived] = [0, 0];
    return next.value;
  }

  /** Lets what is left pass unread: anyone who still sends it waits for nothing else before he reads the answer. */
  skipRest(): void {
    const resume = (): void => void this.source.resume();
    // Not waited for: where a piece was asked for, it ends when that has come.
    void this.pieces.return?.().then(resume, resume);
  }

  private async within<T>(piece: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const slow = new Promise<never>((_resolve, reject) => {
      const left = Math.max(0, this.pace.seconds * 1000 - this.waitedMs);
      const error = (): Error => httpErrors.upload_too_slow({ bytes: LEAST_BYTES, seconds: this.pace.seconds });
      timer = setTimeout(() => reject(error()), left);
    });
    try {
      return await Promise.race([piece, slow]);
    } finally {
      clearTimeout(timer);
    }
  }
}
