import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, IsObject } from 'class-validator';
import { DEFAULT_RRF_K } from '#libs/ranking';
import { Choice, Decimal, Flag, IfPresent, Integer, Nested, Text } from '#libs/http';
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
} from '../../ingestion-policy/index.js';
import { FILTER_SCHEMAS, FilterModels } from './search-filter.dto.js';

export type SearchMethod = (typeof SEARCH_METHODS)[number];
export type OnEmbeddingFailure = (typeof ON_EMBEDDING_FAILURE)[number];
export type FusionMethod = (typeof FUSION_METHODS)[number];
export type QueryExpansion = (typeof QUERY_EXPANSIONS)[number];
export type ResultExpansion = (typeof RESULT_EXPANSIONS)[number];
export const RESULT_PARTS = ['text', 'metadata', 'highlights'] as const;
export type ResultPart = (typeof RESULT_PARTS)[number];

export const TOP_K_DEFAULT = 10;
export const CANDIDATE_K_DEFAULT = 200;
export const RERANK_TOP_N_DEFAULT = 50;
export const LAMBDA_DEFAULT = 0.7;

/** Fusion of the keyword list and the vector list of a hybrid search into one list. */
export class FusionOptionsDto {
  /**
   * `rrf`: reciprocal rank fusion; the sum of weight / (k + rank) over the channels, divided by the greatest possible sum.
   * `weighted`: the weighted sum of the channels' scores, each in 0 to 1. Default: `weighted` with an embedding model that was
   * trained on meaning, `rrf` with the built-in hashed one.
   */
  @Choice(FUSION_METHODS, { optional: true })
  method?: FusionMethod;

  /** Constant of reciprocal rank fusion: a larger value gives the first ranks less weight. No effect on `weighted`. */
  @Integer({ optional: true, min: 1, max: RRF_K_MAX, default: DEFAULT_RRF_K })
  k?: number;

  /**
   * Weight of the vector channel, 0 to 1; the weight of the keyword channel is 1 minus this value. 0: order by keywords only; 0.5: equal weights;
   * 1: order by vectors only. Default: about 0.017 with the built-in hashed embedding; 0.35 with a model that was trained on meaning, reduced to
   * as little as a tenth of it for a question in a language that the model hardly knows (`GET /health/details` shows how far it is trusted). A
   * value in the request is used unchanged.
   */
  @Decimal({ optional: true, min: 0, max: 1 })
  vector_weight?: number;
}

/** Reranking of the best candidates by a model. */
export class RerankOptionsDto {
  /** Whether the best candidates are reranked. */
  @Flag({ optional: true, default: true })
  enabled?: boolean;

  /**
   * Reranker: the id of a model that `GET /models` shows with `port: rerank`, or the provider of the configured reranker. Default: the configured
   * reranker.
   */
  @Text({ optional: true, min: 1, max: RERANKER_NAME_MAX, example: 'builtin' })
  provider?: string;

  /** Number of best candidates to rerank. The others are left out, so this is also the maximum number of results. */
  @Integer({ optional: true, min: 1, max: RERANK_TOP_N_MAX, default: RERANK_TOP_N_DEFAULT })
  top_n?: number;
}

/** Maximal marginal relevance: prefers results that do not repeat each other. */
export class MmrOptionsDto {
  /** Balance between score and variety: 1 orders by score only, 0 by difference only. */
  @Decimal({ optional: true, min: 0, max: 1, default: LAMBDA_DEFAULT })
  lambda?: number;
}

/** Options of a search, without the question, the datasets and the number of results. */
@FilterModels()
export class SearchOptionsDto {
  /** `keyword`: search by words; `vector`: by similarity of embeddings; `hybrid`: by both. */
  @Choice(SEARCH_METHODS, { optional: true, default: 'hybrid' })
  search_method?: SearchMethod;

  /**
   * What the search does if the question cannot be embedded, because the model does not answer or refuses or the budget is used up. `fail`:
   * answer 503 or 429 with `Retry-After`. `keyword`: search by words only, with the warning `EMBEDDING_FAILED`.
   */
  @Choice(ON_EMBEDDING_FAILURE, { optional: true, default: 'fail' })
  on_embedding_failure?: OnEmbeddingFailure;

  /** Number of candidates of each channel to rank; at least `top_k`. */
  @Integer({ optional: true, min: 1, max: CANDIDATE_K_MAX, default: CANDIDATE_K_DEFAULT })
  candidate_k?: number;

  /** Fusion of keyword and vector candidates; only for `hybrid`. */
  @Nested(() => FusionOptionsDto, { optional: true })
  fusion?: FusionOptionsDto;

  /** Results with a lower final `score` are left out. Off by default. */
  @Decimal({ optional: true, min: 0, max: 1 })
  score_threshold?: number;

  /** Reranking of the best candidates. */
  @Nested(() => RerankOptionsDto, { optional: true })
  rerank?: RerankOptionsDto;

  /**
   * Maximal marginal relevance: selects, among the candidates that pass `score_threshold`, results that differ from each other. The results
   * are in the order of selection. Off by default.
   */
  @Nested(() => MmrOptionsDto, { optional: true })
  mmr?: MmrOptionsDto;

  /** Only chunks of documents that meet this filter: at most 100 conditions, 8 levels deep. */
  @ApiPropertyOptional({ oneOf: FILTER_SCHEMAS, example: { type: 'eq', key: 'tags', value: 'manual' } })
  @IfPresent()
  @IsObject()
  filters?: object;

  /**
   * Whether and how a chat model expands the question before the search; 422 unless a chat model that writes its own text is configured
   * (`CHAT_PROVIDER`). `multi_query`: up to three other phrasings are searched separately, and the lists are merged by rank. `hyde`: the model
   * writes a passage that might answer the question, and the vector search uses the mean of the embeddings of passage and query; no effect with
   * `keyword`. `retrieval.generated_queries` contains the generated texts; they are kept for a day, so that the same request gives the same
   * order. If the model fails or takes longer than 5 seconds, or a budget is used up, only the question itself is searched, with the warning
   * `QUERY_EXPANSION_FAILED`.
   */
  @Choice(QUERY_EXPANSIONS, { optional: true, default: 'none' })
  query_expansion?: QueryExpansion;

  /**
   * Whether results include the text around the found chunk, in `text`, `highlights` and the offsets of `position`; all other fields
   * describe the chunk itself. `neighbours`: with the chunks before and after it. `parent`: with the larger passage that it was cut from,
   * where the dataset is chunked by `parent_child`; elsewhere the chunk itself. No text is shown twice: a chunk that a better result
   * already shows in full is replaced by the next one, and surroundings that a better result shows are not repeated.
   */
  @Choice(RESULT_EXPANSIONS, { optional: true, default: 'none' })
  expand?: ResultExpansion;

  /**
   * Whether the knowledge graphs of the datasets add candidates: chunks that name an entity of the query, and chunks that share another
   * entity with the best of those. At most five of them move up, to places after the first four of the other channels; `scores.kg` and
   * `ranks.kg` tell which. Useful for questions that need two documents, if the second one does not name the entities of the question. A
   * dataset without a graph is searched without one (warning `KG_EMPTY`). Entities are matched as they are written, with capitals (warning
   * `KG_NO_ENTITY`).
   */
  @Flag({ optional: true, default: false })
  use_kg?: boolean;

  /** Large fields to include in each result. Default: all; an empty list includes none. */
  @ApiPropertyOptional({ enum: RESULT_PARTS, isArray: true, uniqueItems: true, default: RESULT_PARTS })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(RESULT_PARTS.length)
  @ArrayUnique()
  @IsIn(RESULT_PARTS, { each: true })
  include?: ResultPart[];
}
