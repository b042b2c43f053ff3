import { frequencyIn, placeIn } from './analysis/encoded-terms.js';
import type { EncodedLeg, EncodedTerms } from './analysis/encoded-terms.js';
import type { LegPostings } from './analysis/leg-postings.js';
import type { QueryTerms } from './analysis/query-terms.js';
import { LEGS } from './analysis/term-hash.js';
import type { Leg } from './analysis/term-hash.js';
import type { StatisticsView } from './analysis/term-statistics.js';

/** Lucene's defaults, which no setting beat over collections of several kinds. */
const K1 = 1.2;
const B = 0.75;

/**
 * What a leg counts in the sum. The n-grams carry their weight by script in the query's terms; titles and headings are
 * worth half of the text, which gained where there are titles and cannot lose where there are none.
 */
export const LEG_WEIGHTS: Readonly<Record<Leg, number>> = { words: 1, grams: 1, title: 0.5 };

/** The numbers of the formula: a change of any changes scores. */
export const KEYWORD_PARAMETERS = { k1: K1, b: B, legs: LEG_WEIGHTS } as const;

/** One term's share of a keyword score. */
export interface TermContribution {
  leg: Leg;
  term: string;
  /** Chunks in scope that hold the term. */
  df: number;
  /** How often the query says it. */
  count: number;
  /** How often it is in this chunk's leg. */
  tf: number;
  /** What it adds to the score; 0 when it is absent. */
  score: number;
}

interface WeighedTerm {
  readonly term: string;
  readonly hash: number;
  readonly count: number;
  readonly df: number;
  /** Inverse document frequency times the weights of the term and the leg, as often as the query says it. */
  readonly gain: number;
}

interface WeighedLeg {
  readonly leg: Leg;
  readonly averageLength: number;
  readonly terms: readonly WeighedTerm[];
  /** Hashes (ascending, as the walk over a chunk is fastest) and gains of the terms once more, for speed. */
  readonly hashes: Uint32Array;
  readonly gains: Float64Array;
}

/** Lucene's inverse document frequency, which is above 0 for every term. */
export function inverseDocumentFrequency(df: number, chunkCount: number): number {
  return Math.log(1 + (Math.max(chunkCount, df) - df + 0.5) / (df + 0.5));
}

/** What is added to a term frequency to saturate it as tf / (tf + norm): Lucene's, without its factor k1 + 1 above. */
function normOf(length: number, averageLength: number): number {
  return averageLength === 0 ? K1 : K1 * (1 - B + (B * length) / averageLength);
}

/** What a term counts that is `frequency` times in a text of `length` tokens, as a share of what it can count at most: 0 to below 1. */
export function termShare(frequency: number, length: number, averageLength: number): number {
  return frequency / (frequency + normOf(length, averageLength));
}

/** The norms of all chunks of postings for the average length that was asked for last: it only moves when content does. */
const knownNorms = new WeakMap<LegPostings, { readonly averageLength: number; readonly norms: Float64Array }>();

/** `normOf` by the numbers of the chunks. */
function normsOf(postings: LegPostings, averageLength: number): Float64Array {
  const known = knownNorms.get(postings);
  if (known?.averageLength === averageLength) return known.norms;
  const norms = Float64Array.from(postings.lengths, (length) => normOf(length, averageLength));
  knownNorms.set(postings, { averageLength, norms });
  return norms;
}

/**
 * Orders chunks for one query: a weighted sum of BM25 over the legs, in which a term counts as often as the query says it. The frequencies are read once, when it is made, so it
 * belongs to one moment of its statistics. The same query, chunk and statistics give the same bits.
 */
export class KeywordScorer {
  private readonly legs: readonly WeighedLeg[];
  /** What no chunk's score can reach; 0 for a query without terms. Scores divided by it lie in 0..1. */
  readonly ceiling: number;

  constructor(query: QueryTerms, statistics: StatisticsView) {
    const chunkCount = statistics.chunkCount;
    this.legs = LEGS.map((leg) => {
      const terms = query[leg].map(({ term, hash, weight, count }) => {
        const df = statistics.df(hash);
        const gain = LEG_WEIGHTS[leg] * weight * count * inverseDocumentFrequency(df, chunkCount);
        return { term, hash, count, df, gain };
      });
      terms.sort((a, b) => a.hash - b.hash);
      const hashes = Uint32Array.from(terms, ({ hash }) => hash);
      return {
        leg,
        averageLength: statistics.averageLength(leg),
        terms,
        hashes,
        gains: Float64Array.from(terms, ({ gain }) => gain),
      };
    });
    this.ceiling = this.legs.reduce(
      (sum, { averageLength, terms }) =>
        averageLength === 0 ? sum : terms.reduce((total, { gain }) => total + gain, sum),
      0,
    );
  }

  /** 0 or more; 0 when the chunk holds no term of the query. */
  score(chunk: EncodedTerms): number {
    let sum = 0;
    for (const { leg, averageLength, hashes, gains } of this.legs) {
      const field: EncodedLeg = chunk[leg];
      if (field.hashes.length === 0) continue;
      const norm = normOf(field.length, averageLength);
      for (let index = 0; index < hashes.length; index += 1) {
        const tf = frequencyIn(field, hashes[index]!);
        if (tf > 0) sum += (gains[index]! * tf) / (tf + norm);
      }
    }
    return sum;
  }

  /** `score` of the chunk that `packTerms` wrote at `at`: the same bits. `octets` are the bytes of `packed`. */
  scorePacked(packed: Uint32Array, octets: Uint8Array, at: number): number {
    let sum = 0;
    let next = at;
    for (const { averageLength, hashes, gains } of this.legs) {
      const count = packed[next + 1]!;
      const first = next + 2;
      const frequencies = (first + count) * 4;
      if (count > 0) {
        const norm = normOf(packed[next]!, averageLength);
        for (let index = 0; index < hashes.length; index += 1) {
          const place = placeIn(packed, first, count, hashes[index]!);
          if (place < 0) continue;
          const tf = octets[frequencies + place]!;
          sum += (gains[index]! * tf) / (tf + norm);
        }
      }
      next = first + count + ((count + 3) >> 2);
    }
    return sum;
  }

  /** `score` of every chunk of the postings, by number: the same bits. `scores` holds zeros before. */
  scoreAll(postings: Readonly<Record<Leg, LegPostings>>, scores: Float64Array): void {
    for (const { leg, averageLength, hashes: sought, gains } of this.legs) {
      const { hashes, starts, numbers, frequencies } = postings[leg];
      if (sought.length === 0 || hashes.length === 0) continue;
      const norms = normsOf(postings[leg], averageLength);
      for (let index = 0; index < sought.length; index += 1) {
        const place = placeIn(hashes, 0, hashes.length, sought[index]!);
        if (place < 0) continue;
        const gain = gains[index]!;
        const end = starts[place + 1]!;
        for (let at = starts[place]!; at < end; at += 1) {
          const tf = frequencies[at]!;
          const number = numbers[at]!;
          scores[number]! += (gain * tf) / (tf + norms[number]!);
        }
      }
    }
  }

  /** Every term of the query with what it adds, in the order in which `score(chunk)` sums them up. */
  explain(chunk: EncodedTerms): TermContribution[] {
    return this.legs.flatMap(({ leg, averageLength, terms }) => {
      const norm = normOf(chunk[leg].length, averageLength);
      return terms.map(({ term, hash, count, df, gain }) => {
        const tf = frequencyIn(chunk[leg], hash);
        return { leg, term, count, df, tf, score: tf === 0 ? 0 : (gain * tf) / (tf + norm) };
      });
    });
  }
}

/** The keyword score of one chunk. For many chunks of one query make a `KeywordScorer`. */
export function scoreKeyword(query: QueryTerms, chunk: EncodedTerms, statistics: StatisticsView): number {
  return new KeywordScorer(query, statistics).score(chunk);
}

/** `KeywordScorer.explain` for one chunk. */
export function explainKeyword(query: QueryTerms, chunk: EncodedTerms, statistics: StatisticsView): TermContribution[] {
  return new KeywordScorer(query, statistics).explain(chunk);
}
