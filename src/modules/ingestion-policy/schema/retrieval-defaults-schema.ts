import {
  CANDIDATE_K_MAX,
  FUSION_METHODS,
  ON_EMBEDDING_FAILURE,
  QUERY_EXPANSIONS,
  RERANK_TOP_N_MAX,
  RERANKER_NAME_MAX,
  RESULT_EXPANSIONS,
  RRF_K_MAX,
  SEARCH_METHODS,
  TOP_K_MAX,
} from './search-option-limits.js';

const integer = (description: string, maximum: number): object => ({
  type: 'integer',
  minimum: 1,
  maximum,
  description,
});
const share = (description: string): object => ({ type: 'number', minimum: 0, maximum: 1, description });
const oneOf = (description: string, values: readonly string[]): object => ({
  type: 'string',
  enum: [...values],
  description,
});
const options = (description: string, properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  description,
  additionalProperties: false,
  properties,
});

/** The options that `RetrievalDefaults` lists, as `POST /retrieval/search` describes them. Without defaults: what is left out stays open. */
export const RETRIEVAL_DEFAULTS_PROPERTIES = {
  top_k: integer('How many results at most.', TOP_K_MAX),
  search_method: oneOf('By words, by similarity of embeddings, or both.', SEARCH_METHODS),
  on_embedding_failure: oneOf(
    'What becomes of a search whose question cannot be embedded: an error, or an answer by words alone.',
    ON_EMBEDDING_FAILURE,
  ),
  candidate_k: integer(
    'How many candidates of each channel are ranked; at least `top_k`. A request that asks for more results raises it.',
    CANDIDATE_K_MAX,
  ),
  fusion: options('How keyword and vector results are joined.', {
    method: oneOf('By ranks or by scores.', FUSION_METHODS),
    k: integer('Constant of reciprocal rank fusion.', RRF_K_MAX),
    vector_weight: share('Share of the vector channel.'),
  }),
  score_threshold: share('Results with a smaller score are left out.'),
  rerank: options('A second look at the best candidates.', {
    enabled: { type: 'boolean', description: 'Whether to rerank; yes where it is left out.' },
    provider: {
      type: 'string',
      minLength: 1,
      maxLength: RERANKER_NAME_MAX,
      description: "Id of a model that `GET /models` shows with port `rerank`. Left out: the installation's own.",
    },
    top_n: integer('How many of the best candidates are reranked.', RERANK_TOP_N_MAX),
  }),
  mmr: options('Prefers results that do not repeat each other.', {
    lambda: share('1 keeps the order by score, 0 looks at the difference alone.'),
  }),
  filters: {
    type: 'object',
    additionalProperties: true,
    description: 'Only chunks of documents that meet this condition, written as `filters` of `POST /retrieval/search`.',
  },
  query_expansion: oneOf('Whether a chat model widens the question first.', QUERY_EXPANSIONS),
  expand: oneOf('Whether results bring the text around them.', RESULT_EXPANSIONS),
  use_kg: {
    type: 'boolean',
    description: 'Whether the knowledge graph of the dataset adds candidates.',
  },
};
