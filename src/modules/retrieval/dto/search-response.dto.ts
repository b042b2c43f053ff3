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
  /** Keyword score, as a share of the greatest that a chunk could have for this query, 0 to 1; null: not computed. */
  @ApiProperty(SCORE)
  keyword!: number | null;

  /**
   * Similarity of the embeddings of chunk and query; null: not computed, or the chunk has no embedding in the present embedding space.
   * Calibrated for the model and the languages, 0 to 1: a question and its passage typically have 0.5, unrelated texts about 0.2. With a
   * hashed embedding, and in datasets whose vectors are older than calibration (until they are re-embedded), the cosine, -1 to 1.
   */
  @ApiProperty(SCORE)
  vector!: number | null;

  /**
   * Score in the knowledge graph, as a share of the greatest one of this search, 0 to 1; null: not computed, or the graph does not reach
   * the chunk.
   */
  @ApiProperty(SCORE)
  kg!: number | null;

  /** Score in the fused list, 0 to 1; null: no fusion. */
  @ApiProperty(SCORE)
  fusion!: number | null;

  /** Score by the reranker, 0 to 1; null: not reranked. */
  @ApiProperty(SCORE)
  rerank!: number | null;
}

/** Place of a result in each list, from 1; null where it is not in the list or there was no such list. */
export class SearchRanks {
  /** Place in the keyword list, from 1; null: not in it. */
  @ApiProperty(RANK)
  keyword!: number | null;

  /** Place in the vector list, from 1; null: not in it. */
  @ApiProperty(RANK)
  vector!: number | null;

  /** Place in the list of the knowledge graph, from 1; null: not in it. */
  @ApiProperty(RANK)
  kg!: number | null;

  /** Place in the fused list, from 1; null: not in it. */
  @ApiProperty(RANK)
  fusion!: number | null;

  /** Place after reranking, from 1; null: not reranked. */
  @ApiProperty(RANK)
  rerank!: number | null;
}

/** A range of the document's canonical text in UTF-16 code units, `char_end` exclusive. */
export class TextSpan {
  /** Offset of the first code unit. */
  @ApiProperty(OFFSET)
  char_start!: number;

  /** Offset just after the last code unit. */
  @ApiProperty(OFFSET)
  char_end!: number;
}

/** A sentence of the result that holds words of the query. */
export class Highlight extends TextSpan {
  /** The sentence. */
  text!: string;

  /** Matching words of the sentence, in order; offsets in the canonical text. */
  @ApiProperty({ type: [TextSpan] })
  matches!: TextSpan[];
}

/** Position of a result in its document. */
export class ResultPosition extends TextSpan {
  /** Page on which the chunk begins, without the text that `expand` adds, from 1; null for formats without pages. */
  @ApiProperty(RANK)
  page!: number | null;

  /**
   * Page on which the chunk ends, mostly the same as `page`; null for formats without pages, and for a chunk made before this was recorded
   * (a reingest records it).
   */
  @ApiProperty(RANK)
  page_end!: number | null;

  /** Headings above the chunk, outermost first. */
  @ApiProperty({ type: [String] })
  heading_path!: string[];

  /** Name of the sheet; null where the document is no workbook. */
  @ApiProperty({ type: String, nullable: true })
  sheet!: string | null;

  /** Number of the first table row; null where the chunk is not of a table. */
  @ApiProperty({ type: 'integer', nullable: true })
  row!: number | null;
}

/** A chunk that was found. */
export class SearchResult {
  /** Identifier of the chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Identifier of the document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Folder and name of the document; null: its upload named no path. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** Time of the document's upload; tells documents with the same name apart. */
  @ApiProperty({ format: 'date-time' })
  document_created_at!: string;

  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Text of the chunk, as in the document. Left out if `include` does not name it. */
  @ApiPropertyOptional({ type: String })
  text?: string;

  /** A line that a chat model wrote about the place of the chunk in its document (`enrichment.context`); no part of the text. */
  @ApiPropertyOptional({ type: String })
  context?: string;

  /**
   * Final score, 0 to 1, to which `score_threshold` applies. With reranking: `scores.rerank`. `hybrid`: the fused score; if few words of
   * the question occur, the first ten results are reordered by their statements, and their fused scores are reassigned in the new order.
   * `keyword`: the share of the greatest keyword score that a chunk could have for this query. `vector`: `scores.vector`, with 0 for a
   * negative value. With `query_expansion` `multi_query`: the sum of 1 / (60 + rank) over the query and all phrasings, divided by the
   * greatest possible sum. With `use_kg`, a result that the graph moves up has a score between those of its neighbours in the list. Scores
   * of different methods cannot be compared.
   */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  score!: number;

  /** Scores of the result in each step; null for a step that was not part of the search. */
  @ApiProperty({ type: SearchScores })
  scores!: SearchScores;

  /** Places of the result in the lists. */
  @ApiProperty({ type: SearchRanks })
  ranks!: SearchRanks;

  /** Up to three sentences that contain most of the query, in the order of the text. Left out if `include` does not name them. */
  @ApiPropertyOptional({ type: [Highlight] })
  highlights?: Highlight[];

  /** Position of the result in the document. */
  @ApiProperty({ type: ResultPosition })
  position!: ResultPosition;

  /** Metadata of the document. Left out if `include` does not name it. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  metadata?: JsonObject;

  /** Version of the ingestion policy under which the document was last ingested. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  policy_version!: number;

  /** Revision of the document that the text belongs to. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;
}

/** Milliseconds of each step; 0 for a step that was not needed. Steps overlap, so they do not add up to `total`. */
export class SearchTimings {
  /** Query expansion (`query_expansion`), in milliseconds. */
  @ApiProperty(MS)
  expansion!: number;

  /** Embedding of the query, in milliseconds. */
  @ApiProperty(MS)
  embedding!: number;

  /** Reading of candidates from the vector store, in milliseconds. */
  @ApiProperty(MS)
  candidates!: number;

  /** Reading of the knowledge graph (`use_kg`), in milliseconds. */
  @ApiProperty(MS)
  kg!: number;

  /** Check of every candidate against the database, in milliseconds. */
  @ApiProperty(MS)
  visibility!: number;

  /** Statistics of the words in the datasets, in milliseconds. */
  @ApiProperty(MS)
  statistics!: number;

  /** Reading of terms and vectors of the candidates, in milliseconds. */
  @ApiProperty(MS)
  features!: number;

  /** Scoring, fusion and selection, in milliseconds. */
  @ApiProperty(MS)
  ranking!: number;

  /** Reranking, in milliseconds. */
  @ApiProperty(MS)
  rerank!: number;

  /** Reading of texts and properties of the results, in milliseconds. */
  @ApiProperty(MS)
  hydration!: number;

  /** Whole search, in milliseconds. */
  @ApiProperty(MS)
  total!: number;
}

/** Numbers of chunks after each step. */
export class SearchCounts {
  /** Number of searchable chunks of the datasets, filters not applied. */
  @ApiProperty(COUNT)
  chunks_in_scope!: number;

  /** Number of chunks proposed before any check: by the vector store, and by words from memory for datasets whose words are held there. */
  @ApiProperty(COUNT)
  proposed!: number;

  /** Number of proposed chunks that are visible and meet the filters. */
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

  /** Number of candidates whose final score reaches `score_threshold`. */
  @ApiProperty(COUNT)
  passed!: number;

  /** Number of returned results. */
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

  /** Meaning of the warning for this search. */
  detail!: string;
}

/** How the search was done. */
export class RetrievalReport {
  /**
   * SHA-256 of everything that determines the results except the question, `top_k` and `include`: effective options, datasets, text
   * analysis, embedding space, models. Equal configurations have equal fingerprints.
   */
  @ApiProperty({ type: String, pattern: '^[0-9a-f]{64}$' })
  config_fingerprint!: string;

  /** Search method that was used. */
  @ApiProperty({ enum: SEARCH_METHODS })
  search_method!: SearchMethod;

  /**
   * Texts that a chat model wrote for `query_expansion` and that were searched in addition to the query: up to three phrasings, or one
   * passage. Not taken from documents. Empty if the model failed (`QUERY_EXPANSION_FAILED`) or had nothing to add.
   */
  @ApiPropertyOptional({ type: [String] })
  generated_queries?: string[];

  /** Duration of each step in milliseconds. Steps overlap, so they do not add up to `total`; 0 for a step that was not needed. */
  @ApiProperty({ type: SearchTimings })
  timings_ms!: SearchTimings;

  /** Number of chunks after each step. */
  @ApiProperty({ type: SearchCounts })
  counts!: SearchCounts;

  /** Possible reasons for a missing result. */
  @ApiProperty({ type: [SearchWarning] })
  warnings!: SearchWarning[];
}

/** The results of a search, best first. */
export class SearchResponse {
  /** Identifier of the request, for logs and errors; also in `X-Request-ID`. */
  request_id!: string;

  /** The results, best first. */
  @ApiProperty({ type: [SearchResult] })
  results!: SearchResult[];

  /** Details of the search: method, durations, counts, warnings. */
  @ApiProperty({ type: RetrievalReport })
  retrieval!: RetrievalReport;
}
