import { Injectable } from '@nestjs/common';
import type { ChunkId, ChunkSetId, DatasetId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { unpackTerms, type EncodedTerms, type KeywordScorer } from '#libs/text';
import { ChunkFeatures, type ChunkTermsRecord } from './chunk-features.js';
import type { VisibleChunk } from './proposed-chunks.js';
import type { Candidate } from './ranking.js';
import { cosineOf, measureVector, type MeasuredVector } from './vector-similarity.js';

/** A scored candidate with what later steps compare. */
export interface ScopedCandidate extends Candidate, VisibleChunk {
  readonly id: ChunkId;
  readonly documentId: DocumentId;
  /** The analysed terms of the chunk. */
  readonly terms: EncodedTerms;
  readonly vector: MeasuredVector | null;
}

/** Many candidates are scored and few are looked at: their terms are unpacked when somebody asks. */
class PackedCandidate implements ScopedCandidate {
  readonly id: ChunkId;
  readonly documentId: DocumentId;
  readonly datasetId: DatasetId;
  readonly chunkSetId: ChunkSetId;
  readonly ordinal: number;

  constructor(
    chunk: VisibleChunk,
    private readonly record: ChunkTermsRecord,
    readonly vector: MeasuredVector | null,
    readonly keyword: number | null,
    readonly cosine: number | null,
  ) {
    this.id = chunk.id;
    this.documentId = chunk.documentId;
    this.datasetId = chunk.datasetId;
    this.chunkSetId = chunk.chunkSetId;
    this.ordinal = record.facts.ordinal;
  }

  get terms(): EncodedTerms {
    return unpackTerms(this.record.slab.words, this.record.at);
  }
}

/** What candidates are scored by; null where the channel is not part of the search. */
export interface Scoring {
  readonly keyword: KeywordScorer | null;
  readonly vector: Float32Array | null;
  /** Whether vectors are needed to compare candidates with each other, whatever the channels. */
  readonly compares: boolean;
  readonly space: string;
  /** Datasets whose vectors are of that space; chunks of others are not compared by vector. */
  readonly comparable: ReadonlySet<DatasetId>;
  /** The change of each dataset as of which its statistics were read for `keyword`. */
  readonly asOf: readonly bigint[];
}

/** Gives every candidate the application's own score of each channel. */
@Injectable()
export class CandidateScorer {
  constructor(private readonly features: ChunkFeatures) {}

  /** In the order of `chunks`, without those that are gone or of another chunk set than their document shows. */
  async score(ctx: RequestContext, chunks: readonly VisibleChunk[], scoring: Scoring): Promise<ScopedCandidate[]> {
    const ids = chunks.map(({ id }) => id);
    const wantsVectors = scoring.vector !== null || scoring.compares;
    const [records, vectors] = await Promise.all([
      this.features.loadTerms(ctx, ids),
      wantsVectors ? this.features.loadVectors(ctx, ids, scoring.space) : undefined,
    ]);
    const query = scoring.vector === null ? null : measureVector(scoring.vector);
    return chunks.flatMap((chunk, index) => {
      const record = records[index];
      if (record === undefined || record.facts.chunkSetId !== chunk.chunkSetId) return [];
      const vector = scoring.comparable.has(chunk.datasetId) ? (vectors?.[index] ?? null) : null;
      const keyword = scoring.keyword === null ? null : shareOfCeiling(scoring.keyword, record);
      const cosine = query === null || vector === null ? null : cosineOf(query, vector);
      return [new PackedCandidate(chunk, record, vector, keyword, cosine)];
    });
  }
}

/** 0 to 1; a query without terms gives 0. */
function shareOfCeiling(scorer: KeywordScorer, { slab, at }: ChunkTermsRecord): number {
  return scorer.ceiling === 0 ? 0 : Math.min(1, scorer.scorePacked(slab.words, slab.octets, at) / scorer.ceiling);
}

/** How alike two candidates are, 0 to 1: the cosine of their vectors, 0 where one has none. */
export function similarityOf(a: ScopedCandidate, b: ScopedCandidate): number {
  return a.vector === null || b.vector === null ? 0 : Math.max(0, cosineOf(a.vector, b.vector));
}
