import { Injectable } from '@nestjs/common';
import { inTurns, type ChunkId, type ChunkSetId, type DatasetId, type DocumentId, type Steps } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { unpackTerms, type EncodedTerms } from '#libs/ranking';
import { ChunkFeatures, type ChunkTermsRecord } from './chunk-features.service.js';
import type { PostedScore } from '../postings/posting-scores.js';
import type { VisibleChunk } from '../candidates/proposed-chunks.js';
import type { Candidate } from './ranking.js';
import type { Scoring } from '../candidates/scoring.js';
import { cosineOf, measureVector, type MeasuredVector } from './vector-similarity.js';

const CHUNKS_PER_STEP = 16;

/** A scored candidate with the values that later steps compare. */
export interface ScopedCandidate extends Candidate, VisibleChunk {
  readonly id: ChunkId;
  readonly documentId: DocumentId;
  /** The analysed terms of the chunk, at least those that the query looks at. */
  readonly terms: EncodedTerms;
  readonly vector: MeasuredVector | null;
  /** The embedding space of its dataset, where the installation has the model. */
  readonly space: string | null;
}

/** What is known of the words of a chunk. */
interface WordFacts {
  readonly ordinal: number;
  readonly chunkSetId: ChunkSetId;
  /** Its share of the greatest possible score; null when words are no part of the search. */
  readonly keyword: number | null;
  readonly terms: () => EncodedTerms;
}

/** Many candidates are scored and few are looked at: their terms are read when someone asks. */
class ScoredCandidate implements ScopedCandidate {
  readonly id: ChunkId;
  readonly documentId: DocumentId;
  readonly datasetId: DatasetId;
  readonly chunkSetId: ChunkSetId;
  readonly ordinal: number;
  readonly keyword: number | null;

  constructor(
    chunk: VisibleChunk,
    private readonly words: WordFacts,
    readonly vector: MeasuredVector | null,
    readonly cosine: number | null,
    readonly space: string | null,
  ) {
    this.id = chunk.id;
    this.documentId = chunk.documentId;
    this.datasetId = chunk.datasetId;
    this.chunkSetId = chunk.chunkSetId;
    this.ordinal = words.ordinal;
    this.keyword = words.keyword;
  }

  get terms(): EncodedTerms {
    return this.words.terms();
  }
}

/** Computes the application's own score of each channel for every candidate. */
@Injectable()
export class CandidateScorer {
  constructor(private readonly features: ChunkFeatures) {}

  /** In the order of `chunks`, without those that are gone or of another chunk set than their document shows. */
  async score(ctx: RequestContext, chunks: readonly VisibleChunk[], scoring: Scoring): Promise<ScopedCandidate[]> {
    const [words, vectors] = await Promise.all([
      this.wordsOf(ctx, chunks, scoring),
      this.vectorsOf(ctx, chunks, scoring),
    ]);
    const queries = new Map([...scoring.vectors].map(([space, vector]) => [space, measureVector(vector)]));
    return chunks.flatMap((chunk, index) => {
      const facts = words[index];
      if (facts === undefined || facts.chunkSetId !== chunk.chunkSetId) return [];
      const space = scoring.spaces.get(chunk.datasetId) ?? null;
      const vector = vectors.get(chunk.id) ?? null;
      const query = space === null ? undefined : queries.get(space);
      const cosine =
        query === undefined || vector === null ? null : readCosine(cosineOf(query, vector), chunk, space, scoring);
      return [new ScoredCandidate(chunk, facts, vector, cosine, space)];
    });
  }

  /** Of each chunk the vector in the space of its dataset. */
  private async vectorsOf(
    ctx: RequestContext,
    chunks: readonly VisibleChunk[],
    { vectors, compares, spaces }: Scoring,
  ): Promise<ReadonlyMap<ChunkId, MeasuredVector>> {
    const found = new Map<ChunkId, MeasuredVector>();
    if (vectors.size === 0 && !compares) return found;
    for (const space of new Set(spaces.values())) {
      const ids = chunks.filter(({ datasetId }) => spaces.get(datasetId) === space).map(idOf);
      const loaded = await this.features.loadVectors(ctx, ids, space);
      ids.forEach((id, index) => {
        const vector = loaded[index];
        if (vector !== undefined) found.set(id, vector);
      });
    }
    return found;
  }

  /** From the postings where they hold the chunk, else from its own terms: the same bits. */
  private async wordsOf(
    ctx: RequestContext,
    chunks: readonly VisibleChunk[],
    { posted, keyword }: Scoring,
  ): Promise<(WordFacts | undefined)[]> {
    const found = chunks.map(({ id, datasetId }) => posted.get(datasetId)?.find(id));
    const others = chunks.filter((_, index) => found[index] === undefined);
    const records = await this.features.loadTerms(ctx, others.map(idOf));
    return inTurns(factsOfWords(found, records, keyword), { party: ctx.tenantId });
  }
}

function* factsOfWords(
  found: readonly (PostedScore | undefined)[],
  records: readonly (ChunkTermsRecord | undefined)[],
  keyword: Scoring['keyword'],
): Steps<(WordFacts | undefined)[]> {
  const facts: (WordFacts | undefined)[] = [];
  const ceiling = keyword?.ceiling ?? 0;
  const others = records.values();
  for (const one of found) {
    if (one === undefined) facts.push(factsOfRecord(others.next().value, keyword));
    else {
      const { chunk, score, terms } = one;
      facts.push({
        ordinal: chunk.ordinal,
        chunkSetId: chunk.chunkSetId,
        keyword: shareOf(score, ceiling),
        terms,
      });
    }
    if (facts.length % CHUNKS_PER_STEP === 0) yield;
  }
  return facts;
}

/** A cosine as it counts: calibrated where its space has a scale. */
function readCosine(
  cosine: number,
  { datasetId, documentId }: VisibleChunk,
  space: string | null,
  { calibrations, languageOf }: Scoring,
): number {
  const calibration = space === null ? null : (calibrations.get(space)?.calibration ?? null);
  return calibration === null ? cosine : calibration.of(cosine, languageOf(datasetId, documentId));
}

function idOf({ id }: VisibleChunk): ChunkId {
  return id;
}

function factsOfRecord(record: ChunkTermsRecord | undefined, scorer: Scoring['keyword']): WordFacts | undefined {
  if (record === undefined) return undefined;
  const { slab, at, facts } = record;
  const keyword = scorer === null ? null : shareOf(scorer.scorePacked(slab.words, slab.octets, at), scorer.ceiling);
  return { ...facts, keyword, terms: () => unpackTerms(slab.words, at) };
}

/** 0 to 1; a query without terms gives 0. */
function shareOf(score: number, ceiling: number): number {
  return ceiling === 0 ? 0 : Math.min(1, score / ceiling);
}

/** Similarity of two candidates, 0 to 1: the cosine of their vectors; 0 where one has none, or they are of different models. */
export function similarityOf(a: ScopedCandidate, b: ScopedCandidate): number {
  return a.vector === null || b.vector === null || a.space !== b.space ? 0 : Math.max(0, cosineOf(a.vector, b.vector));
}
