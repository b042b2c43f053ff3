import type { JsonObject } from '#libs/common';
import type { SearchOptionsDto } from '../request/search-options.dto.js';
import type { SearchRequest } from '../search/retrieval.service.js';
import type { LedgerEntry } from './request-ledger.entity.js';

/**
 * The request of an entry with every effective option of that time written out, so that a default that has changed since does not change the
 * search. What options do not determine (models, formulas, the store) is that of today.
 */
export function pinnedRequest(entry: LedgerEntry, datasetIds: readonly string[]): SearchRequest {
  const { searchMethod, candidateK, fusion, scoreThreshold, rerank, mmr, filter, expansion, graph } = entry.effective;
  const sent = entry.request as JsonObject & SearchOptionsDto & { readonly query: string; readonly top_k?: number };
  const { topK: top_k = sent.top_k, expand = sent.expand } = entry.effective;
  const { query } = sent;
  return {
    ...(expand === undefined ? {} : { expand }),
    ...(top_k === undefined ? {} : { top_k }),
    query,
    dataset_ids: datasetIds,
    search_method: searchMethod,
    candidate_k: candidateK,
    fusion: {
      method: fusion.method,
      k: fusion.k,
      ...(isByDefault(fusion) ? {} : { vector_weight: fusion.vectorWeight }),
    },
    ...(scoreThreshold === null ? {} : { score_threshold: scoreThreshold }),
    rerank:
      rerank === null
        ? { enabled: false }
        : { enabled: true, top_n: rerank.topN, ...(rerank.id === undefined ? {} : { provider: rerank.id }) },
    ...(mmr === null ? {} : { mmr: { lambda: mmr.lambda } }),
    ...(filter === null ? {} : { filters: filter }),
    ...(graph === undefined ? {} : { use_kg: true }),
    ...(expansion === undefined ? {} : { query_expansion: expansion.method }),
    include: [],
  };
}

/** Whether no one asked for the share of the vectors. Entries of former versions call it `byAgreement`. */
function isByDefault(fusion: LedgerEntry['effective']['fusion']): boolean {
  return fusion.byTrust || ('byAgreement' in fusion && fusion.byAgreement === true);
}
