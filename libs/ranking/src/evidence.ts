import { frequencyIn } from './analysis/encoded-terms.js';
import type { EncodedTerms } from './analysis/encoded-terms.js';
import type { EvidenceUnit, QueryTerms } from './analysis/query-terms.js';
import type { Leg } from './analysis/term-hash.js';
import type { StatisticsView } from './analysis/term-statistics.js';
import { inverseDocumentFrequency } from './keyword.js';

/**
 * Below this a question is refused instead of answered. Set with 1,190 questions in each of five languages over 240
 * paragraphs: of the answerable ones 0.3 % (Thai) to 3.0 % (Russian) are refused, of the same questions without the article
 * that answers them 45 % (English) to 69 % (Chinese), over another subject 68 %, and over three unrelated chunks 97 % to
 * 99 %. Words alone cannot tell more: the rest share the very words of the question.
 */
export const EVIDENCE_THRESHOLD = 0.4;

/** How many of the results, from the first, evidence is made of. */
export const EVIDENCE_CHUNKS = 5;
/** What the best chunk alone counts beside what the chunks hold together. */
const SINGLE_SHARE = 0.75;
/** Chunks that are imagined beside the real ones, holding none of the terms: in a dataset of three frequencies say nothing. */
const IMAGINED_CHUNKS = 500;
/**
 * What pieces of a unit can show: the share of them that chance brings, and what all of them together are worth beside the
 * unit itself. The n-grams of a word are the word in another form; the characters of a pair may have nothing to do with it.
 */
const PIECES: Readonly<Record<Leg, { chance: number; worth: number }>> = {
  grams: { chance: 0.1, worth: 1 },
  words: { chance: 0.3, worth: 0.5 },
  title: { chance: 0.3, worth: 0.5 },
};

function rarity(statistics: StatisticsView, hash: number | undefined): number {
  const df = hash === undefined ? 0 : statistics.df(hash);
  return inverseDocumentFrequency(df, statistics.chunkCount + IMAGINED_CHUNKS);
}

/** 1 where the chunk holds the unit in any form, less where it holds some of its pieces. */
function presence(unit: EvidenceUnit, chunk: EncodedTerms, pieceRarities: readonly number[]): number {
  if (unit.words.some((hash) => frequencyIn(chunk.words, hash) > 0)) return 1;
  if (unit.title.some((hash) => frequencyIn(chunk.title, hash) > 0)) return 1;
  let held = 0;
  let all = 0;
  unit.pieces.forEach((hash, index) => {
    all += pieceRarities[index]!;
    if (frequencyIn(chunk[unit.piecesLeg], hash) > 0) held += pieceRarities[index]!;
  });
  const { chance, worth } = PIECES[unit.piecesLeg];
  return all === 0 ? 0 : (worth * Math.max(0, held / all - chance)) / (1 - chance);
}

/**
 * Whether the best results can answer the query at all: the share of its content words that they hold, each weighed by
 * its rarity, in 0..1. Three quarters of it is what the best single chunk
 * holds, one quarter what the first five hold together. Function
 * words do not count; a query without content words has no evidence. Not a score: it does not order anything.
 */
export function measureEvidence(
  query: QueryTerms,
  chunks: readonly EncodedTerms[],
  statistics: StatisticsView,
): number {
  const together = query.units.map(() => 0);
  const top = chunks.slice(0, EVIDENCE_CHUNKS);
  const weights = query.units.map((unit) => unit.weight * rarity(statistics, unit.words[0]));
  const pieceRarities = query.units.map((unit) => unit.pieces.map((hash) => rarity(statistics, hash)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let single = 0;
  for (const chunk of top) {
    let held = 0;
    query.units.forEach((unit, index) => {
      const share = presence(unit, chunk, pieceRarities[index]!);
      together[index] = Math.max(together[index]!, share);
      held += share * weights[index]!;
    });
    single = Math.max(single, held);
  }
  if (total === 0) return 0;
  const union = together.reduce((sum, share, index) => sum + share * weights[index]!, 0);
  return Math.min(1, (SINGLE_SHARE * single + (1 - SINGLE_SHARE) * union) / total);
}
