import { RESULT_PARTS, type ResultPart } from '../request/search-options.dto.js';
import type { Highlight, SearchResponse, SearchResult } from '../request/search-response.dto.js';
import type { RetrievalOutcome, RetrievedChunk } from './retrieval-outcome.js';

/** The outcome of a search for its caller, with the fields that `include` names. */
export function toSearchResponse(
  requestId: string,
  outcome: RetrievalOutcome,
  include: readonly ResultPart[] = RESULT_PARTS,
): SearchResponse {
  const parts = new Set(include);
  return {
    request_id: requestId,
    results: outcome.results.map((chunk) => toResult(chunk, parts)),
    retrieval: outcome.report,
  };
}

function toResult(chunk: RetrievedChunk, parts: ReadonlySet<ResultPart>): SearchResult {
  return {
    chunk_id: chunk.chunkId,
    document_id: chunk.documentId,
    document_name: chunk.documentName,
    path: chunk.documentPath,
    document_created_at: chunk.documentCreatedAt.toISOString(),
    dataset_id: chunk.datasetId,
    ...(parts.has('text') ? { text: chunk.text } : {}),
    ...(typeof chunk.context === 'string' ? { context: chunk.context } : {}),
    score: chunk.score,
    scores: chunk.scores,
    ranks: chunk.ranks,
    ...(parts.has('highlights') ? { highlights: toHighlights(chunk) } : {}),
    position: {
      page: chunk.page,
      page_end: chunk.pageEnd,
      char_start: chunk.start,
      char_end: chunk.end,
      heading_path: [...chunk.headingPath],
      sheet: chunk.sheet,
      row: chunk.row,
    },
    ...(parts.has('metadata') ? { metadata: chunk.metadata } : {}),
    policy_version: chunk.policyVersion,
    revision: chunk.revision,
  };
}

/** All offsets that leave the service are those of the canonical text. */
function toHighlights(chunk: RetrievedChunk): Highlight[] {
  return chunk.highlights.map(({ start, end, matches }) => ({
    char_start: chunk.start + start,
    char_end: chunk.start + end,
    text: chunk.text.slice(start, end),
    matches: matches.map((match) => ({ char_start: chunk.start + match.start, char_end: chunk.start + match.end })),
  }));
}
