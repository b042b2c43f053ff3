import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsArray,
  ArrayMaxSize,
  ArrayUnique,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { DEFAULT_RRF_K } from '#libs/text';
import { IfPresent } from '#libs/http';
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

const NUMBER = { allowNaN: false, allowInfinity: false };

/** How the keyword and the vector channel of a hybrid search become one list. */
export class FusionOptionsDto {
  /**
   * `rrf`: reciprocal rank fusion; the sum of weight / (k + rank) over the channels, divided by its greatest possible value.
   * `weighted`: the weighted sum of the channels' scores, each in 0 to 1. Default: `weighted` with an embedding model that was
   * trained on meaning, `rrf` with the built-in hashed one.
   */
  @ApiPropertyOptional({ enum: FUSION_METHODS })
  @IfPresent()
  @IsIn(FUSION_METHODS)
  method?: FusionMethod;

  /** Constant of reciprocal rank fusion: the larger, the less the first ranks stand out. Without effect on `weighted`. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: RRF_K_MAX, default: DEFAULT_RRF_K })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(RRF_K_MAX)
  k?: number;

  /**
   * Share of the vector channel; the keyword channel has the rest: 0 orders by keywords alone, 0.5 counts both alike, 1 orders
   * by vectors alone. Default: about 0.017 with the built-in hashed embedding; with a model that was trained on meaning 0.35, down
   * to a tenth of it for a question in a language of which the model knows little (`GET /health/details` shows how far it is trusted). A value
   * given holds as it is.
   */
  @ApiPropertyOptional({ type: Number, minimum: 0, maximum: 1 })
  @IfPresent()
  @IsNumber(NUMBER)
  @Min(0)
  @Max(1)
  vector_weight?: number;
}

/** A second, slower look at the best candidates. */
export class RerankOptionsDto {
  /** Whether to rerank. */
  @ApiPropertyOptional({ type: Boolean, default: true })
  @IfPresent()
  @IsBoolean()
  enabled?: boolean;

  /**
   * Who reranks: the id of a model that `GET /models` shows with `port: rerank`, or the provider of the installation's own. Without it
   * the installation's own.
   */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: RERANKER_NAME_MAX, example: 'builtin' })
  @IfPresent()
  @IsString()
  @MinLength(1)
  @MaxLength(RERANKER_NAME_MAX)
  provider?: string;

  /** How many of the best candidates are reranked. The others are left out: there are no more results than this. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: RERANK_TOP_N_MAX, default: RERANK_TOP_N_DEFAULT })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(RERANK_TOP_N_MAX)
  top_n?: number;
}

/** Maximal marginal relevance: prefers results that do not repeat each other. */
export class MmrOptionsDto {
  /** 1 keeps the order by score, 0 looks at the difference alone. */
  @ApiPropertyOptional({ type: Number, minimum: 0, maximum: 1, default: LAMBDA_DEFAULT })
  @IfPresent()
  @IsNumber(NUMBER)
  @Min(0)
  @Max(1)
  lambda?: number;
}

/** How to search: everything but the question, the datasets and the number of results. */
@FilterModels()
export class SearchOptionsDto {
  /** `keyword`: words; `vector`: similarity of embeddings; `hybrid`: both. */
  @ApiPropertyOptional({ enum: SEARCH_METHODS, default: 'hybrid' })
  @IfPresent()
  @IsIn(SEARCH_METHODS)
  search_method?: SearchMethod;

  /**
   * What becomes of a search whose question cannot be embedded, because the model does not answer, refuses, or the budget is used
   * up. `fail`: 503 or 429 with `Retry-After`; `keyword`: it is answered by words alone, with the warning `EMBEDDING_FAILED`.
   */
  @ApiPropertyOptional({ enum: ON_EMBEDDING_FAILURE, default: 'fail' })
  @IfPresent()
  @IsIn(ON_EMBEDDING_FAILURE)
  on_embedding_failure?: OnEmbeddingFailure;

  /** How many candidates of each channel are ranked; at least `top_k`. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: CANDIDATE_K_MAX, default: CANDIDATE_K_DEFAULT })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(CANDIDATE_K_MAX)
  candidate_k?: number;

  /** How keyword and vector results are joined; for `hybrid`. */
  @ApiPropertyOptional({ type: () => FusionOptionsDto })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => FusionOptionsDto)
  fusion?: FusionOptionsDto;

  /** Results with a smaller final `score` are left out. Off by default. */
  @ApiPropertyOptional({ type: Number, minimum: 0, maximum: 1 })
  @IfPresent()
  @IsNumber(NUMBER)
  @Min(0)
  @Max(1)
  score_threshold?: number;

  /** A second look at the best candidates. */
  @ApiPropertyOptional({ type: () => RerankOptionsDto })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => RerankOptionsDto)
  rerank?: RerankOptionsDto;

  /** Off by default. Chooses among what passes `score_threshold`; the results are in the order in which they were chosen. */
  @ApiPropertyOptional({ type: () => MmrOptionsDto })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => MmrOptionsDto)
  mmr?: MmrOptionsDto;

  /** Only chunks of documents that meet this condition: at most 100 conditions, 8 levels deep. */
  @ApiPropertyOptional({ oneOf: FILTER_SCHEMAS, example: { type: 'eq', key: 'tags', value: 'manual' } })
  @IfPresent()
  @IsObject()
  filters?: object;

  /**
   * Whether a chat model widens the question first; 422 unless one that writes text of its own is configured (`CHAT_PROVIDER`).
   * `multi_query`: up to three further phrasings are searched for by themselves, and the lists are joined by rank. `hyde`: a passage that might answer is embedded beside the query, and the mean of both is searched for by vector;
   * a search by `keyword` alone gains nothing by it. What was generated stands in `retrieval.generated_queries` and is kept for a
   * day: the same request gives the same order. Where the model fails, takes longer than 5 seconds, or a budget is used up, the
   * question is searched for as it is, with the warning `QUERY_EXPANSION_FAILED`.
   */
  @ApiPropertyOptional({ enum: QUERY_EXPANSIONS, default: 'none' })
  @IfPresent()
  @IsIn(QUERY_EXPANSIONS)
  query_expansion?: QueryExpansion;

  /**
   * Whether results bring the text around them, in `text`, `highlights` and the offsets of `position`; everything else is that of the
   * chunk that was found. `neighbours`: the chunks before and after it. `parent`: the larger passage that it was cut from, where
   * the dataset is chunked by `parent_child`; elsewhere the chunk itself. Nothing is shown twice: a chunk that a better result shows
   * in full is left out and the next one moves up, and what a better result shows of the surroundings is not repeated.
   */
  @ApiPropertyOptional({ enum: RESULT_EXPANSIONS, default: 'none' })
  @IfPresent()
  @IsIn(RESULT_EXPANSIONS)
  expand?: ResultExpansion;

  /**
   * Whether the knowledge graphs of the datasets add candidates: chunks that name what the query names, and from the best of those on, chunks
   * that name what they name. At most five of them move up, behind the first four of the other channels; `scores.kg` and
   * `ranks.kg` tell which. For questions that need two documents, where the second does not name what the question names. A dataset
   * without a graph is searched without one (warning `KG_EMPTY`); names are found as they are written, with their capitals (`KG_NO_ENTITY`).
   */
  @ApiPropertyOptional({ type: Boolean, default: false })
  @IfPresent()
  @IsBoolean()
  use_kg?: boolean;

  /** Which of the larger parts each result carries; all of them by default, none for an empty list. */
  @ApiPropertyOptional({ enum: RESULT_PARTS, isArray: true, uniqueItems: true, default: RESULT_PARTS })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(RESULT_PARTS.length)
  @ArrayUnique()
  @IsIn(RESULT_PARTS, { each: true })
  include?: ResultPart[];
}
