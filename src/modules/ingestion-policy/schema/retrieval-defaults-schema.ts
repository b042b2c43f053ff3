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

/**
 * The options of `RetrievalDefaults`, as `POST /retrieval/search` describes them. They have no defaults: an option that is left out stays
 * unset.
 */
export const RETRIEVAL_DEFAULTS_PROPERTIES = {
  top_k: integer('Maximum number of results.', TOP_K_MAX),
  search_method: oneOf('Whether to search by words, by similarity of embeddings, or by both.', SEARCH_METHODS),
  on_embedding_failure: oneOf(
    'What happens if the question cannot be embedded: an error, or a search only by words.',
    ON_EMBEDDING_FAILURE,
  ),
  candidate_k: integer(
    'Number of candidates of each channel that are ranked; at least `top_k`. A request for more results raises it.',
    CANDIDATE_K_MAX,
  ),
  fusion: options('How the candidates found by words and by vectors are combined.', {
    method: oneOf('Whether to combine by ranks or by scores.', FUSION_METHODS),
    k: integer('Constant of reciprocal rank fusion.', RRF_K_MAX),
    vector_weight: share('Weight of the vector channel, from 0 to 1.'),
  }),
  score_threshold: share('Score threshold: results with a lower score are left out.'),
  rerank: options('Reranking of the best candidates by a model.', {
    enabled: { type: 'boolean', description: 'Whether to rerank; left out: true.' },
    provider: {
      type: 'string',
      minLength: 1,
      maxLength: RERANKER_NAME_MAX,
      description:
        'Identifier of a model that `GET /models` lists with port `rerank`; left out: the reranker of the installation.',
    },
    top_n: integer('Number of the best candidates that are reranked.', RERANK_TOP_N_MAX),
  }),
  mmr: options('Selection of results that do not repeat each other (MMR).', {
    lambda: share(
      'Weight of the score against the difference from other results: 1 keeps the order by score, 0 regards only the difference.',
    ),
  }),
  filters: {
    type: 'object',
    additionalProperties: true,
    description: 'Only chunks of documents that meet this filter, written as `filters` of `POST /retrieval/search`.',
  },
  query_expansion: oneOf('Whether a chat model expands the question first.', QUERY_EXPANSIONS),
  expand: oneOf('Whether results include the text around them.', RESULT_EXPANSIONS),
  use_kg: {
    type: 'boolean',
    description: 'Whether the knowledge graph of the dataset adds candidates.',
  },
};
