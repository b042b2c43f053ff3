import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { newId, type ChunkId, type ChunkSetId, type DocumentId } from '#libs/common';
import { analyzeChunk, decodeTerms, encodeTerms, type EncodedTerms } from '#libs/ranking';
import { buildSegment, type LoadedChunk } from './posting-segment.js';

const CHUNKS = 20;
const COUNTING_MS = 2;

/** Terms whose n-grams take this long to count, as those of a long chunk do. */
function slowTerms(): EncodedTerms {
  const terms = decodeTerms(encodeTerms(analyzeChunk({ text: 'The pump is serviced every 500 hours.' })));
  return {
    ...terms,
    get grams() {
      for (const began = performance.now(); performance.now() - began < COUNTING_MS;);
      return terms.grams;
    },
  };
}

it('lets others have the thread between the n-grams of two chunks', async () => {
  const loaded = Array.from({ length: CHUNKS }, (_, ordinal): LoadedChunk => ({
    id: newId<ChunkId>(),
    documentId: newId<DocumentId>(),
    chunkSetId: newId<ChunkSetId>(),
    ordinal,
    terms: slowTerms(),
  }));
  let [rounds, isBuilt] = [0, false];
  const count = async (): Promise<void> => {
    while (!isBuilt) {
      await nextRound();
      rounds += 1;
    }
  };
  const counted = count();
  const { chunks } = await buildSegment(loaded, [], () => false);
  isBuilt = true;
  await counted;

  expect(chunks).toHaveLength(CHUNKS);
  expect(rounds).toBeGreaterThanOrEqual(CHUNKS / 2);
});
