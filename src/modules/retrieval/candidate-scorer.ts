import { Injectable } from '@nestjs/common';
import type { ChunkId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { EncodedTerms, KeywordScorer } from '#libs/text';
import type { VisibleChunk } from './candidate-finder.js';
import { ChunkFeatures } from './chunk-features.js';
import type { Candidate } from './ranking.js';
import { cosineOf, measureVector, type MeasuredVector } from './vector-similarity.js';

/** A scored candidate with what later steps compare. */
export interface ScopedCandidate extends Candidate, VisibleChunk {
  readonly id: ChunkId;
  readonly documentId: DocumentId;
  readonly terms: EncodedTerms | null;
  readonly vector: MeasuredVector | null;
}

/** What candidates are scored by; null where the channel is not part of the search. */
export interface Scoring {
  readonly keyword: KeywordScorer | null;
  readonly vector: Float32Array | null;
  /** Whether vectors are needed to compare candidates with each other, whatever the channels. */
  readonly compares: boolean;
  readonly space: string;
}

/** Gives every candidate the application's own score of each channel. */
@Injectable()
export class CandidateScorer {
  constructor(private readonly features: ChunkFeatures) {}

  /** In the order of `chunks`. A chunk that is deleted meanwhile scores 0 and is not shown at the end. */
  async score(ctx: RequestContext, chunks: readonly VisibleChunk[], scoring: Scoring): Promise<ScopedCandidate[]> {
    const { keyword, space } = scoring;
    const ids = chunks.map(({ id }) => id);
    const terms = keyword === null ? undefined : await this.features.loadTerms(ctx, ids);
    const wantsVectors = scoring.vector !== null || scoring.compares;
    const vectors = wantsVectors ? await this.features.loadVectors(ctx, ids, space) : undefined;
    const query = scoring.vector === null ? null : measureVector(scoring.vector);
    return chunks.map((chunk) => {
      const own = terms?.get(chunk.id) ?? null;
      const vector = vectors?.get(chunk.id) ?? null;
      return {
        ...chunk,
        keyword: keyword === null ? null : own === null ? 0 : shareOfCeiling(keyword, own),
        cosine: query === null || vector === null ? null : cosineOf(query, vector),
        terms: own,
        vector,
      };
    });
  }

  /** The terms of the chunks, for those that were not scored by them. */
  async termsOf(ctx: RequestContext, ids: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, EncodedTerms>> {
    return this.features.loadTerms(ctx, ids);
  }
}

/** 0 to 1; a query without terms gives 0. */
function shareOfCeiling(scorer: KeywordScorer, terms: EncodedTerms): number {
  return scorer.ceiling === 0 ? 0 : Math.min(1, scorer.score(terms) / scorer.ceiling);
}

/** How alike two candidates are, 0 to 1: the cosine of their vectors, 0 where one has none. */
export function similarityOf(a: ScopedCandidate, b: ScopedCandidate): number {
  return a.vector === null || b.vector === null ? 0 : Math.max(0, cosineOf(a.vector, b.vector));
}
