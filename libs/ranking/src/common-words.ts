import { frequencyIn, type EncodedLeg } from './analysis/encoded-terms.js';
import type { StatisticsView } from './analysis/term-statistics.js';
import { inverseDocumentFrequency, termShare } from './keyword.js';

/** Number of words that are looked for in each chunk. */
const MOST_WORDS = 20;
/** A word of more chunks than this share says nothing of what the best ones are about, and one of a single chunk is shared by none. */
const MOST_CHUNKS = 0.25;
const LEAST_CHUNKS = 2;

/** A chunk by the words of its text. */
export interface WordsOfChunk {
  readonly words: EncodedLeg;
  /** How much its words count for what is common, 0 to 1; 0 for a chunk that is only compared. */
  readonly weight: number;
}

/**
 * How much of each chunk consists of the words that the weighed ones have in common, 0 to 1, where 1 is the chunk with most of it; all 0 where they
 * have none. The same chunks and statistics give the same bits. (Pseudo-relevance feedback: Lavrenko and Croft, SIGIR 2001.)
 */
export function shareOfCommonWords(chunks: readonly WordsOfChunk[], statistics: StatisticsView): number[] {
  const { chunkCount } = statistics;
  const averageLength = statistics.averageLength('words');
  const gains = new Map<number, number>();
  for (const { words, weight } of chunks) {
    if (weight === 0) continue;
    for (const [at, hash] of words.hashes.entries()) {
      const share = termShare(words.frequencies[at]!, words.length, averageLength);
      gains.set(hash, (gains.get(hash) ?? 0) + weight * share);
    }
  }
  const common = [...gains]
    .flatMap(([hash, gain]) => {
      const df = statistics.df(hash);
      if (df < LEAST_CHUNKS || df > MOST_CHUNKS * chunkCount) return [];
      const idf = inverseDocumentFrequency(df, chunkCount);
      return [{ hash, gain: gain * idf, worth: gain * idf * idf }];
    })
    .sort((one, other) => other.gain - one.gain || one.hash - other.hash)
    .slice(0, MOST_WORDS);
  const held = chunks.map(({ words }) =>
    common.reduce((sum, { hash, worth }) => {
      const frequency = frequencyIn(words, hash);
      return frequency === 0 ? sum : sum + worth * termShare(frequency, words.length, averageLength);
    }, 0),
  );
  const most = Math.max(0, ...held);
  return held.map((value) => (most === 0 ? 0 : value / most));
}
