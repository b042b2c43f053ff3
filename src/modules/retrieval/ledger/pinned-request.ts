import type { JsonObject } from '#libs/common';
import type { SearchOptionsDto } from '../dto/search-options.dto.js';
import type { SearchRequest } from '../retrieval.service.js';
import type { LedgerEntry } from './request-ledger.entity.js';

/**
 * The request of an entry with every option that was in force then written out, so that a default that has changed since does
 * not change the search. What no option can hold (models, formulas, the store) is that of today.
 */
export function pinnedRequest(entry: LedgerEntry, datasetIds: readonly string[]): SearchRequest {
  const { searchMethod, candidateK, fusion, scoreThreshold, rerank, mmr, filter, expansion } = entry.effective;
  const { query, top_k } = entry.request as JsonObject & { readonly query: string; readonly top_k?: number };
  const sent = entry.request as SearchOptionsDto;
  return {
    ...(sent.expand === undefined ? {} : { expand: sent.expand }),
    ...(top_k === undefined ? {} : { top_k }),
    query,
    dataset_ids: datasetIds,
    search_method: searchMethod,
    candidate_k: candidateK,
    fusion: {
      method: fusion.method,
      k: fusion.k,
      ...(fusion.byAgreement ? {} : { vector_weight: fusion.vectorWeight }),
    },
    ...(scoreThreshold === null ? {} : { score_threshold: scoreThreshold }),
    rerank: rerank === null ? { enabled: false } : { enabled: true, top_n: rerank.topN },
    ...(mmr === null ? {} : { mmr: { lambda: mmr.lambda } }),
    ...(filter === null ? {} : { filters: filter }),
    ...(expansion === undefined ? {} : { query_expansion: expansion.method }),
    include: [],
  };
}
