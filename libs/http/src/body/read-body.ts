import type { Readable } from 'node:stream';
import { httpErrors } from '../http.errors.js';

export interface BodyBounds {
  /** Most bytes. */
  readonly bytes: number;
  /** Within how many seconds all of them must have arrived. */
  readonly seconds: number;
}

/**
 * Reads the whole body and keeps no byte beyond the limit. `inspect` gets each piece as it arrives, and ends the reading by throwing. After an
 * error the rest of the body is discarded.
 * @throws `http.body_too_large`, `http.body_too_slow`, `http.body_cut_off`, and what `inspect` throws
 */
export function readBody(
  source: Readable,
  declaredBytes: number | undefined,
  bounds: BodyBounds,
  inspect: (piece: Buffer) => void = () => undefined,
): Promise<Buffer> {
  if (declaredBytes !== undefined && declaredBytes > bounds.bytes) {
    return Promise.reject(httpErrors.body_too_large({ limit: bounds.bytes }));
  }
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(
      () => settle(() => reject(httpErrors.body_too_slow({ seconds: bounds.seconds }))),
      bounds.seconds * 1000,
    );
    const onData = (piece: Buffer): void => {
      length += piece.length;
      try {
        if (length > bounds.bytes) throw httpErrors.body_too_large({ limit: bounds.bytes });
        inspect(piece);
        pieces.push(piece);
      } catch (error) {
        settle(() => reject(error instanceof Error ? error : new Error(String(error))));
      }
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(pieces, length)));
    const onBreak = (): void => settle(() => reject(httpErrors.body_cut_off({})));
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      // An error of a source that no one listens to any more would end the process. What stays keeps no byte of the body: a request lives
      // as long as its answer is streamed.
      source.off('data', onData).off('end', onEnd).off('close', onBreak).off('error', onBreak).on('error', ignore);
      end();
    };
    source.on('data', onData).once('end', onEnd).once('close', onBreak).on('error', onBreak);
  });
}

function ignore(): void {}
