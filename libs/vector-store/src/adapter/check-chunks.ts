import type { IndexedChunk } from '../vector-store.port.js';

const DECIMAL = /^[0-9]{1,19}$/;

/** Refuses what a caller must never send, before it shares a commit with others; a RangeError is a bug of the caller. */
export function checkChunks(chunks: readonly IndexedChunk[], maxRows: number): void {
  if (chunks.length > maxRows) throw new RangeError(`At most ${maxRows} chunks per write, got ${chunks.length}`);
  for (const chunk of chunks) {
    if (!DECIMAL.test(chunk.generation)) throw new RangeError('A generation is a bigint as a decimal string');
    if (chunk.metadata.documentId !== chunk.documentId)
      throw new RangeError('The metadata is that of another document');
    if (!chunk.vector.every(Number.isFinite))
      throw new RangeError(`The vector of chunk ${chunk.chunkId} is not finite`);
  }
}
