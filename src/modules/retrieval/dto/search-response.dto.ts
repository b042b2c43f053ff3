import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import { SEARCH_METHODS } from '../../ingestion-policy/index.js';
import type { SearchMethod } from './search-options.dto.js';

const SCORE = { type: Number, nullable: true } as const;
const RANK = { type: 'integer', minimum: 1, nullable: true } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const OFFSET = { type: 'integer', minimum: 0 } as const;
const MS = { type: Number, minimum: 0 } as const;

/** What each step thought of a result; null where the step was not part of the search. */
export class SearchScores {
  /** Share of the greatest keyword score that a chunk could have for this query, 0 to 1. */
  @ApiProperty(SCORE)
  keyword!: number | null;

  /**
   * Similarity of the chunk's and the query's embedding; null too when the chunk has none in the present embedding space. Calibrated for the
   * model and the languages, 0 to 1: one half is as alike as a question and its passage mostly are, unrelated texts have some 0.2. With a hashed
   * embedding, and in datasets whose vectors are older than calibration (until they are re-embedded), the cosine, -1 to 1.
   */
  @ApiProperty(SCORE)
  vector!: number | null;

  /** What the knowledge graph gives the chunk, as a share of the greatest of this search, 0 to 1; null too where it does not reach it. */
  @ApiProperty(SCORE)
  kg!: number | null;

  /** Score of the fused list, 0 to 1. */
  @ApiProperty(SCORE)
  fusion!: number | null;

  /** The reranker's score, 0 to 1. */
  @ApiProperty(SCORE)
  rerank!: number | null;
}

/** Place of a result in each list, from 1; null where it is not in the list or there was no such list. */
export class SearchRanks {
  /** Place in the keyword list. */
  @ApiProperty(RANK)
  keyword!: number | null;

  /** Place in the vector list. */
  @ApiProperty(RANK)
  vector!: number | null;

  /** Place in the list of the knowledge graph. */
  @ApiProperty(RANK)
  kg!: number | null;

  /** Place in the fused list. */
  @ApiProperty(RANK)
  fusion!: number | null;

  /** Place after reranking. */
  @ApiProperty(RANK)
  rerank!: number | null;
}

/** A range of the document's canonical text in UTF-16 code units, `char_end` exclusive. */
export class TextSpan {
  /** First code unit. */
  @ApiProperty(OFFSET)
  char_start!: number;

  /** One past the last code unit. */
  @ApiProperty(OFFSET)
  char_end!: number;
}

/** A sentence of the result that holds words of the query. */
export class Highlight extends TextSpan {
  /** The sentence. */
  text!: string;

  /** The words in it that match, in order; offsets as everywhere in the canonical text. */
  @ApiProperty({ type: [TextSpan] })
  matches!: TextSpan[];
}

/** Where a result stands in its document. */
export class ResultPosition extends TextSpan {
  /** Page on which the fragment itself begins, without what `expand` adds, from 1; null where there are no pages. */
  @ApiProperty(RANK)
  page!: number | null;

  /**
   * Page on which it ends; the same as `page` for most. Null where there are no pages, and for a fragment that was made before
   * this was recorded (`POST /documents/batch/reingest` records it).
   */
  @ApiProperty(RANK)
  page_end!: number | null;

  /** Headings above it, outermost first. */
  @ApiProperty({ type: [String] })
  heading_path!: string[];

  /** Sheet of a workbook. */
  @ApiProperty({ type: String, nullable: true })
  sheet!: string | null;

  /** First row of a table. */
  @ApiProperty({ type: 'integer', nullable: true })
  row!: number | null;
}

/** A chunk that was found. */
export class SearchResult {
  /** The chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Its document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Where the document lies in the folder that it was uploaded from, its name at the end; null when its upload named none. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** When the document was uploaded; tells documents of one name apart. */
  @ApiProperty({ format: 'date-time' })
  document_created_at!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** The chunk's text, as it stands in the document. Left out when `include` does not name it. */
  @ApiPropertyOptional({ type: String })
  text?: string;

  /** A line about where the chunk stands in its document, as a chat model wrote it (`enrichment.context`); no part of the text. */
  @ApiPropertyOptional({ type: String })
  context?: string;

  /**
   * Final score, 0 to 1, by which `score_threshold` decides. With reranking the reranker's; `hybrid`: the fused score;
   * where few words of the question occur, the first ten results are reordered by their statements, and their fused scores are reassigned in the new order;
   * `keyword`: the share of the greatest keyword score that a chunk could have for this query; `vector`: `scores.vector`,
   * 0 where it is negative. With `query_expansion` of `multi_query` the sum of 1 / (60 + rank) over the query and all phrasings,
   * divided by its greatest possible value. With `use_kg` a result that the graph moves up has a score between those of its neighbours in the list. Scores of different methods are not comparable.
   */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  score!: number;

  /** What each step thought of it. */
  @ApiProperty({ type: SearchScores })
  scores!: SearchScores;

  /** Its place in each list. */
  @ApiProperty({ type: SearchRanks })
  ranks!: SearchRanks;

  /** The up to three sentences that hold most of the query, in the order of the text. Left out when `include` does not name them. */
  @ApiPropertyOptional({ type: [Highlight] })
  highlights?: Highlight[];

  /** Where it stands in its document. */
  @ApiProperty({ type: ResultPosition })
  position!: ResultPosition;

  /** The document's metadata. Left out when `include` does not name it. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  metadata?: JsonObject;

  /** Version of the ingestion policy that the document was last ingested with. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  policy_version!: number;

  /** Revision of the document that the text belongs to. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;
}

/** Milliseconds of each step; 0 for a step that was not needed. Steps overlap, so they do not add up to `total`. */
export class SearchTimings {
  /** Writing of further phrasings, or of a passage (`query_expansion`). */
  @ApiProperty(MS)
  expansion!: number;

  /** Embedding of the query. */
  @ApiProperty(MS)
  embedding!: number;

  /** Candidates from the vector store. */
  @ApiProperty(MS)
  candidates!: number;

  /** Reading the neighbourhood of the question in the knowledge graph (`use_kg`). */
  @ApiProperty(MS)
  kg!: number;

  /** Check of every candidate against the database. */
  @ApiProperty(MS)
  visibility!: number;

  /** Statistics of the words in the datasets. */
  @ApiProperty(MS)
  statistics!: number;

  /** Terms and vectors of the candidates. */
  @ApiProperty(MS)
  features!: number;

  /** Scores, fusion and choice. */
  @ApiProperty(MS)
  ranking!: number;

  /** Reranking. */
  @ApiProperty(MS)
  rerank!: number;

  /** Texts and facts of the results. */
  @ApiProperty(MS)
  hydration!: number;

  /** The whole search. */
  @ApiProperty(MS)
  total!: number;
}

/** How many chunks each step left. */
export class SearchCounts {
  /** Searchable chunks of the datasets asked, without regard to filters. */
  @ApiProperty(COUNT)
  chunks_in_scope!: number;

  /** Chunks that were proposed, before any check: by the vector store, and by words from memory where the words of a dataset are there. */
  @ApiProperty(COUNT)
  proposed!: number;

  /** Proposed chunks that are visible and meet the filters. */
  @ApiProperty(COUNT)
  visible!: number;

  /** Length of the keyword list, at most `candidate_k`. */
  @ApiProperty(COUNT)
  keyword!: number;

  /** Length of the vector list, at most `candidate_k`. */
  @ApiProperty(COUNT)
  vector!: number;

  /** Length of the list of the knowledge graph, at most `candidate_k`; 0 without `use_kg`. */
  @ApiProperty(COUNT)
  kg!: number;

  /** Candidates whose final score reaches `score_threshold`. */
  @ApiProperty(COUNT)
  passed!: number;

  /** Results that are returned. */
  @ApiProperty(COUNT)
  returned!: number;
}

export const SEARCH_WARNINGS = [
  'DATASET_EMPTY',
  'DOCUMENTS_PENDING',
  'STALE_EMBEDDING',
  'KG_EMPTY',
  'KG_NO_ENTITY',
  'RETRIEVAL_DEFAULTS_DIFFER',
  'RETRIEVAL_DEFAULTS_UNAVAILABLE',
  'EMBEDDING_FAILED',
  'QUERY_EXPANSION_FAILED',
  'QUERY_WITHOUT_TERMS',
  'FILTERS_TOO_STRICT',
  'BELOW_SCORE_THRESHOLD',
  'RERANK_LIMITS_RESULTS',
  'CONTEXT_BUDGET',
  'HISTORY_CUT',
  'QUESTION_CUT',
  'TABLES_NOT_ASKED',
] as const;
export type SearchWarningCode = (typeof SEARCH_WARNINGS)[number];

/** Something that may explain a result that is missing. */
export class SearchWarning {
  /** Stable code. */
  @ApiProperty({ enum: SEARCH_WARNINGS })
  code!: SearchWarningCode;

  /** What it means for this search. */
  detail!: string;
}

/** How the search was done. */
export class RetrievalReport {
  /**
   * SHA-256 over everything but the question, `top_k` and `include` that decides the results: options in force, datasets,
   * text analysis, embedding space, models. Equal configurations have equal fingerprints.
   */
  @ApiProperty({ type: String, pattern: '^[0-9a-f]{64}$' })
  config_fingerprint!: string;

  /** The method that was used. */
  @ApiProperty({ enum: SEARCH_METHODS })
  search_method!: SearchMethod;

  /**
   * What was searched for beside the query, where `query_expansion` asks for it: up to three phrasings, or one passage, as a chat model
   * wrote them. Empty where it failed (`QUERY_EXPANSION_FAILED`) or had nothing to add. They are no text of documents.
   */
  @ApiPropertyOptional({ type: [String] })
  generated_queries?: string[];

  /** Milliseconds of each step. */
  @ApiProperty({ type: SearchTimings })
  timings_ms!: SearchTimings;

  /** How many chunks each step left. */
  @ApiProperty({ type: SearchCounts })
  counts!: SearchCounts;

  /** What may explain a result that is missing. */
  @ApiProperty({ type: [SearchWarning] })
  warnings!: SearchWarning[];
}

/** The results of a search, best first. */
export class SearchResponse {
  /** Correlates the answer with logs and errors; also in `X-Request-ID`. */
  request_id!: string;

  /** The results, best first. */
  @ApiProperty({ type: [SearchResult] })
  results!: SearchResult[];

  /** How the search was done. */
  @ApiProperty({ type: RetrievalReport })
  retrieval!: RetrievalReport;
}
