import { Injectable } from '@nestjs/common';
import { inTurns, type ChunkId, type DatasetId, type Steps } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { QueryTerms } from '#libs/ranking';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import { RESULT_PARTS, type ResultExpansion, type ResultPart } from '../request/search-options.dto.js';
import { expandRows, type ExpandedRow, type ShownText } from './expanded-results.js';
import { HighlightMarker, type MarkedSentence } from './highlights.js';
import type { Ranked } from '../ranking/ranking.js';
import type { RetrievedChunk } from './retrieval-outcome.js';
import type { DatasetsAtMoment, ShownChunkRow } from '../rows/retrieval-rows.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';

/** Inputs of the hydration. */
export interface ResultRequest {
  readonly datasetIds: readonly DatasetId[];
  readonly query: QueryTerms;
  /** What the caller wants to see of each result; everything when it is left out. */
  readonly include: readonly ResultPart[] | undefined;
  readonly expand: ResultExpansion;
}

/** Results, and the candidates that they were made of. */
export interface TakenResults {
  readonly results: readonly RetrievedChunk[];
  readonly chosen: readonly Ranked<ScopedCandidate>[];
  /** A chosen chunk was not shown any more when it was read. */
  readonly isTorn: boolean;
  /** The datasets at the moment at which the results were read; null where it was not learned. */
  readonly datasets: DatasetsAtMoment | null;
}

/** Turns chosen candidates into results. */
@Injectable()
export class ResultHydrator {
  constructor(private readonly repository: RetrievalRepository) {}

  /**
   * The first `topK` results in the order of `choose`, which gives the best n candidates; those for a smaller n must be a prefix. Candidates that
   * are no longer visible, and those that a better result shows in full, are left out, and the next ones move up.
   */
  async take(
    ctx: RequestContext,
    choose: (limit: number) => readonly Ranked<ScopedCandidate>[],
    topK: number,
    request: ResultRequest,
  ): Promise<TakenResults> {
    for (let limit = topK; ; limit *= 2) {
      const candidates = choose(limit);
      const entries = new Map(candidates.map((entry) => [entry.item.id, entry]));
      const { datasetIds, expand } = request;
      const { rows: found, datasets } = await this.repository.findShown(ctx, [...entries.keys()], datasetIds, expand);
      const rows = new Map(found.map((row) => [row.id, row]));
      const isTorn = rows.size < entries.size;
      const ordered = [...entries.keys()].flatMap((id) => rows.get(id) ?? []);
      const expanded = expandRows(ordered).slice(0, topK);
      if (expanded.length < topK && candidates.length === limit && !isTorn) continue;
      const results = await inTurns(toResults(expanded, entries, request), { party: ctx.tenantId });
      return { results, chosen: results.map(({ chunkId }) => entries.get(chunkId)!), isTorn, datasets };
    }
  }
}

/** One after the other: a long question makes each of them take milliseconds. */
function* toResults(
  expanded: readonly ExpandedRow[],
  entries: ReadonlyMap<ChunkId, Ranked<ScopedCandidate>>,
  { query, include }: ResultRequest,
): Steps<RetrievedChunk[]> {
  const marker = new HighlightMarker(query);
  const isMarked = (include ?? RESULT_PARTS).includes('highlights');
  const results: RetrievedChunk[] = [];
  for (const { row, shown } of expanded) {
    const highlights = isMarked ? marker.mark(shown.text) : [];
    yield;
    results.push(toRetrieved(entries.get(row.id)!, row, shown, highlights));
    yield;
  }
  return results;
}

function scoresOf({ item, kg, fusion, rerank }: Ranked<ScopedCandidate>): RetrievedChunk['scores'] {
  return { keyword: item.keyword, vector: item.cosine, kg, fusion, rerank };
}

function toRetrieved(
  entry: Ranked<ScopedCandidate>,
  row: ShownChunkRow,
  { text, start, end }: ShownText,
  highlights: readonly MarkedSentence[],
): RetrievedChunk {
  return {
    chunkId: row.id,
    documentId: row.document_id,
    documentName: row.document_name,
    documentPath: row.document_path,
    archiveId: row.archive_id,
    documentCreatedAt: row.document_created_at,
    datasetId: row.dataset_id,
    ordinal: row.ordinal,
    text,
    start,
    end,
    own: { start: Number(row.text_start), end: Number(row.text_end) },
    headingPath: row.heading_path,
    page: row.page,
    pageEnd: row.page_end,
    sheet: row.sheet,
    row: row.row_number,
    context: row.context ?? null,
    metadata: row.metadata,
    policyVersion: row.policy_version,
    revision: row.revision,
    score: entry.score,
    scores: scoresOf(entry),
    ranks: { ...entry.ranks },
    highlights,
  };
}
