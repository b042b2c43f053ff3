import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { EncodedTerms, QueryTerms } from '#libs/text';
import { CandidateScorer, type ScopedCandidate } from './candidate-scorer.js';
import { RESULT_PARTS, type ResultPart } from './dto/search-options.dto.js';
import { HighlightMarker, type MarkedSentence } from './highlights.js';
import type { Ranked } from './ranking.js';
import type { RetrievedChunk } from './retrieval-outcome.js';
import type { ShownChunkRow } from './retrieval.entity.js';
import { RetrievalRepository } from './retrieval.repository.js';

/** What results are made for. */
export interface ResultRequest {
  readonly datasetIds: readonly DatasetId[];
  readonly query: QueryTerms;
  /** What the caller wants to see of each result; everything when it is left out. */
  readonly include: readonly ResultPart[] | undefined;
}

/** Makes results of chosen candidates. */
@Injectable()
export class ResultHydrator {
  constructor(
    private readonly repository: RetrievalRepository,
    private readonly scorer: CandidateScorer,
  ) {}

  /** In the order of `chosen`. What stopped being visible since it was found is left out. */
  async hydrate(
    ctx: RequestContext,
    chosen: readonly Ranked<ScopedCandidate>[],
    request: ResultRequest,
  ): Promise<RetrievedChunk[]> {
    const ids = chosen.map(({ item }) => item.id);
    const rows = new Map((await this.repository.findShown(ctx, ids, request.datasetIds)).map((row) => [row.id, row]));
    const terms = await this.scorer.termsOf(ctx, ids);
    const marker = new HighlightMarker(request.query);
    const isMarked = (request.include ?? RESULT_PARTS).includes('highlights');
    return chosen.flatMap((entry) => {
      const row = rows.get(entry.item.id);
      const own = terms.get(entry.item.id);
      if (row === undefined || own === undefined) return [];
      return [toRetrieved(entry, row, own, isMarked ? marker.mark(row.body) : [])];
    });
  }
}

function toRetrieved(
  entry: Ranked<ScopedCandidate>,
  row: ShownChunkRow,
  terms: EncodedTerms,
  highlights: readonly MarkedSentence[],
): RetrievedChunk {
  return {
    chunkId: row.id,
    documentId: row.document_id,
    documentName: row.document_name,
    datasetId: row.dataset_id,
    ordinal: row.ordinal,
    text: row.body,
    start: Number(row.text_start),
    end: Number(row.text_end),
    headingPath: row.heading_path,
    page: row.page,
    sheet: row.sheet,
    row: row.row_number,
    metadata: row.metadata,
    policyVersion: row.policy_version,
    revision: row.revision,
    score: entry.score,
    scores: { keyword: entry.item.keyword, vector: entry.item.cosine, fusion: entry.fusion, rerank: entry.rerank },
    ranks: { ...entry.ranks },
    highlights,
    terms,
  };
}
