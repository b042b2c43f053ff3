export const VERDICTS = ['retrieved', 'not_indexed', 'filters_too_strict', 'model_policy'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What each code means and which verdict it belongs to, in the order in which causes are looked for within a verdict. */
export const EXPLAIN_CODES = {
  RETRIEVED: {
    verdict: 'retrieved',
    meaning: 'It is among the results, and with `purpose: chat` the model is given it and asked.',
  },
  DOCUMENT_UNKNOWN: {
    verdict: 'not_indexed',
    meaning:
      'There is no such document or chunk, or the caller may not see it; for a text alone: no searchable document of the datasets holds it, and no quarantined one whose text the caller may read.',
  },
  DELETED: { verdict: 'not_indexed', meaning: 'The document has been deleted.' },
  QUARANTINED: {
    verdict: 'not_indexed',
    meaning: 'The document is in quarantine and not searchable until it is released.',
  },
  NOT_COMPLETED: {
    verdict: 'not_indexed',
    meaning: 'The document has never been ingested to the end: it waits, is in work, failed or was cancelled.',
  },
  ZERO_CHUNKS: {
    verdict: 'not_indexed',
    meaning: 'The document is completed and has no chunks: its file holds no text that could be read.',
  },
  LOST_AT_PARSE: {
    verdict: 'not_indexed',
    meaning: 'The expected text is not in the text that was read out of the document.',
  },
  LOST_AT_CHUNKING: {
    verdict: 'not_indexed',
    meaning:
      'The expected text is in the document but in no single chunk; or the expected chunk belongs to an earlier ingestion of its document.',
  },
  STALE_EMBEDDING: {
    verdict: 'not_indexed',
    meaning: 'The chunk has a vector of another embedding model only, so that searching by vectors cannot find it.',
  },
  VECTOR_MISSING: {
    verdict: 'not_indexed',
    meaning: 'The chunk has no vector, or the vector store has lost its row.',
  },
  OUT_OF_SCOPE: { verdict: 'filters_too_strict', meaning: 'The document lies in a dataset that was not searched.' },
  METADATA_FILTER: { verdict: 'filters_too_strict', meaning: 'The document does not meet `filters`.' },
  ACL: {
    verdict: 'filters_too_strict',
    meaning: 'The account of `as_account_id` does not see the dataset of the document, which the caller sees.',
  },
  BELOW_SCORE_THRESHOLD: { verdict: 'filters_too_strict', meaning: 'Its final score is less than `score_threshold`.' },
  NOT_IN_CANDIDATES: {
    verdict: 'model_policy',
    meaning: 'No channel has it among its `candidate_k` best: no word in common, or others are nearer.',
  },
  RERANK_DEMOTED: {
    verdict: 'model_policy',
    meaning: 'Without reranking it would be returned; the reranker puts it lower, or reads fewer than its rank.',
  },
  FUSION_DEMOTED: {
    verdict: 'model_policy',
    meaning: 'One channel alone would return it; in the fused list others are before it.',
  },
  MMR_REMOVED: {
    verdict: 'model_policy',
    meaning: 'Its score would do, but `mmr` took results that are less alike instead.',
  },
  OUTRANKED: { verdict: 'model_policy', meaning: 'It is a candidate, and `top_k` others score higher in every list.' },
  CONTEXT_BUDGET: {
    verdict: 'model_policy',
    meaning: 'It is retrieved but does not fit into the context of the chat model. Given with `purpose: chat` only.',
  },
  REFUSED: {
    verdict: 'model_policy',
    meaning:
      'It is retrieved but the question is refused: what was found does not reach the bar, or a model that quotes finds no sentence in it that answers. Given with `purpose: chat` only.',
  },
} as const satisfies Readonly<Record<string, { readonly verdict: Verdict; readonly meaning: string }>>;

export type ExplainCode = keyof typeof EXPLAIN_CODES;
export const EXPLAIN_CODE_NAMES = Object.keys(EXPLAIN_CODES) as ExplainCode[];

export function verdictOf(code: ExplainCode): Verdict {
  return EXPLAIN_CODES[code].verdict;
}

/** The stages that a chunk passes on its way into the results, in order. */
export const EXPLAIN_STAGES = [
  'indexed',
  'scope',
  'filters',
  'keyword',
  'vector',
  'kg',
  'fusion',
  'rerank',
  'threshold',
  'mmr',
  'top_k',
] as const;
export type ExplainStageName = (typeof EXPLAIN_STAGES)[number];

export const STAGE_OUTCOMES = ['passed', 'removed', 'not_reached', 'not_used'] as const;
export type StageOutcome = (typeof STAGE_OUTCOMES)[number];

export const SUGGESTED_ACTIONS = [
  'ADD_DATASET',
  'SEARCH_ITS_DATASET_ONLY',
  'RELAX_FILTERS',
  'REMOVE_FILTERS',
  'LOWER_THRESHOLD',
  'REMOVE_THRESHOLD',
  'RAISE_CANDIDATE_K',
  'CHANGE_SEARCH_METHOD',
  'CHANGE_FUSION',
  'SWITCH_RERANK_ON',
  'SWITCH_RERANK_OFF',
  'RERANK_MORE',
  'SWITCH_MMR_OFF',
  'RAISE_TOP_K',
  'COMBINED',
] as const;
export type SuggestedAction = (typeof SUGGESTED_ACTIONS)[number];
