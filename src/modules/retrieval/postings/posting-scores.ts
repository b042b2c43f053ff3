import type { ChunkId, DocumentId } from '#libs/common';
import {
  compareScored,
  LEGS,
  type EncodedTerms,
  type KeywordScorer,
  type Leg,
  type LegPostings,
  type PresentTerms,
} from '#libs/ranking';
import type { ScoredChunkId } from '#libs/vector-store';
import type { ShownSet } from '../rows/retrieval-rows.js';
import type { DatasetPostings } from './dataset-postings.js';
import { GreatestNumbers } from './greatest-numbers.js';
import type { PostedChunk, PostingSegment } from './posting-segment.js';

/** A chunk with its keyword score. */
export interface PostedScore {
  readonly chunk: PostedChunk;
  readonly score: number;
  /** Of its terms those that the query looks at. */
  readonly terms: () => EncodedTerms;
}

/**
 * The keyword scores of all visible chunks of a dataset for one query, as of the moment of their construction: at that moment the postings, the
 * statistics behind `scorer` and `counted` must be of the same change.
 */
export class PostingScores {
  private readonly scores: ReadonlyMap<PostingSegment, Float64Array>;
  /** Of each leg those terms of the query that it holds. */
  private readonly present = new Map<LegPostings, PresentTerms>();

  constructor(
    private readonly postings: DatasetPostings,
    private readonly counted: ReadonlyMap<DocumentId, ShownSet>,
    scorer: KeywordScorer,
    private readonly sought: Readonly<Record<Leg, Uint32Array>>,
  ) {
    this.scores = new Map(
      postings.segments.map((segment) => {
        const scores = new Float64Array(segment.chunks.length);
        scorer.scoreAll(segment.postings, scores);
        return [segment, scores];
      }),
    );
  }

  /** The `limit` chunks that score highest, best first, among those that score at all; ties as in every ranking. */
  best(limit: number): ScoredChunkId[] {
    const greatest = new GreatestNumbers(limit);
    for (const [{ chunks }, scores] of this.scores)
      for (let number = 0; number < scores.length; number += 1)
        if (scores[number]! > greatest.least && chunks[number] !== null) greatest.add(scores[number]!);
    const least = greatest.least;
    const found: { item: PostedChunk; score: number }[] = [];
    for (const [{ chunks }, scores] of this.scores)
      for (let number = 0; number < scores.length; number += 1) {
        const item = chunks[number] ?? null;
        if (scores[number]! > 0 && scores[number]! >= least && item !== null)
          found.push({ item, score: scores[number]! });
      }
    return found
      .sort(compareScored)
      .slice(0, limit)
      .flatMap(({ item, score }) => this.rowOf(item, score) ?? []);
  }

  /** Undefined for a chunk that was not visible at that moment, and for one whose postings have moved since. */
  find(id: ChunkId): PostedScore | undefined {
    const chunk = this.postings.find(id);
    if (chunk === undefined || chunk.segment === null) return undefined;
    const { segment, number } = chunk;
    const score = this.scores.get(segment)?.[number];
    return score === undefined ? undefined : { chunk, score, terms: () => this.termsOf(segment, number) };
  }

  /** Nothing for a chunk that its document does not show any more. */
  private rowOf({ id: chunkId, documentId, chunkSetId }: PostedChunk, score: number): ScoredChunkId | undefined {
    const shown = this.counted.get(documentId);
    return shown?.set === chunkSetId ? { chunkId, documentId, generation: shown.generation, score } : undefined;
  }

  private presentIn(postings: LegPostings, leg: Leg): PresentTerms {
    const present = this.present.get(postings) ?? postings.presentOf(this.sought[leg]);
    this.present.set(postings, present);
    return present;
  }

  private termsOf({ postings }: PostingSegment, number: number): EncodedTerms {
    const [words, grams, title] = LEGS.map((leg) => postings[leg].legOf(number, this.presentIn(postings[leg], leg)));
    return { words: words!, grams: grams!, title: title! };
  }
}
