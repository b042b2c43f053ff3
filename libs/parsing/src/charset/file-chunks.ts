import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const CHUNK_BYTES = 64 * 1024;
/** Chunks between two turns of the event loop, so that a child notices that its parent has gone. */
const CHUNKS_PER_TURN = 64;

/** Reads a file in pieces. The buffer is used again for the next piece: copy what must last. */
export async function* readFileChunks(path: string): AsyncGenerator<Buffer> {
  const file = openSync(path, 'r');
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  try {
    for (let turn = 1; ; turn += 1) {
      const bytes = readSync(file, buffer, 0, CHUNK_BYTES, null);
      if (bytes === 0) return;
      yield buffer.subarray(0, bytes);
      if (turn % CHUNKS_PER_TURN === 0) await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}

/** Reads at most `limit` bytes from the beginning of a file. */
export function readHead(path: string, limit: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(limit);
    let filled = 0;
    while (filled < limit) {
      const bytes = readSync(file, buffer, filled, limit - filled, null);
      if (bytes === 0) break;
      filled += bytes;
    }
    return buffer.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}
