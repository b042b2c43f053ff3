/** Allowed values of search options, both in requests and in policies. */
export const SEARCH_METHODS = ['hybrid', 'keyword', 'vector'] as const;
export const ON_EMBEDDING_FAILURE = ['fail', 'keyword'] as const;
export const FUSION_METHODS = ['rrf', 'weighted'] as const;
export const QUERY_EXPANSIONS = ['none', 'multi_query', 'hyde'] as const;
export const RESULT_EXPANSIONS = ['none', 'neighbours', 'parent'] as const;

export const TOP_K_MAX = 100;
export const CANDIDATE_K_MAX = 1000;
export const RERANK_TOP_N_MAX = 500;
export const RRF_K_MAX = 1000;
/** Maximum length of the name of a reranker. */
export const RERANKER_NAME_MAX = 200;
