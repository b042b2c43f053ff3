import type { JsonObject } from '#libs/common';
import type {
  FUSION_METHODS,
  ON_EMBEDDING_FAILURE,
  QUERY_EXPANSIONS,
  RESULT_EXPANSIONS,
  SEARCH_METHODS,
} from './search-option-limits.js';

/** Search options for requests that do not set them. An option is one value: a request that sets it replaces all of it. */
export interface RetrievalDefaults {
  readonly top_k?: number;
  readonly search_method?: (typeof SEARCH_METHODS)[number];
  readonly on_embedding_failure?: (typeof ON_EMBEDDING_FAILURE)[number];
  readonly candidate_k?: number;
  readonly fusion?: {
    readonly method?: (typeof FUSION_METHODS)[number];
    readonly k?: number;
    readonly vector_weight?: number;
  };
  readonly score_threshold?: number;
  readonly rerank?: { readonly enabled?: boolean; readonly provider?: string; readonly top_n?: number };
  readonly mmr?: { readonly lambda?: number };
  /** A filter in the form of a search request. */
  readonly filters?: JsonObject;
  readonly query_expansion?: (typeof QUERY_EXPANSIONS)[number];
  readonly expand?: (typeof RESULT_EXPANSIONS)[number];
  readonly use_kg?: boolean;
}
