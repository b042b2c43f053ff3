import { Answer } from '#libs/http';
import type { JsonObject } from '#libs/common';
import { SEARCH_METHODS } from '../../ingestion-policy/index.js';
import type { SearchMethod } from './search-options.dto.js';

/** Score of a result in each step; null where the step was not part of the search. */
export class SearchScores {
  /** Keyword score, as a share of the greatest that a chunk could have for this query, 0 to 1; null: not computed. */
  @Answer.Decimal({ nullable: true })
  keyword!: number | null;

  /**
   * Similarity of the embeddings of chunk and query; null: not computed, or the chunk has no embedding in the present embedding space.
   * Calibrated for the model and the languages, 0 to 1: a question and its passage typically have 0.5, unrelated texts about 0.2. With a
   * hashed embedding, and in datasets whose vectors are older than calibration (until they are re-embedded), the cosine, -1 to 1.
   */
  @Answer.Decimal({ nullable: true })
  vector!: number | null;

  /**
   * Score in the knowledge graph, as a share of the greatest one of this search, 0 to 1; null: not computed, or the graph does not reach
   * the chunk.
   */
  @Answer.Decimal({ nullable: true })
  kg!: number | null;

  /** Score in the fused list, 0 to 1; null: no fusion. */
  @Answer.Decimal({ nullable: true })
  fusion!: number | null;

  /** Score by the reranker, 0 to 1; null: not reranked. */
  @Answer.Decimal({ nullable: true })
  rerank!: number | null;
}

/** Rank of a result in each list, from 1; null where it is not in the list or there was no such list. */
export class SearchRanks {
  /** Place in the keyword list, from 1; null: not in it. */
  @Answer.Integer({ nullable: true, min: 1 })
  keyword!: number | null;

  /** Place in the vector list, from 1; null: not in it. */
  @Answer.Integer({ nullable: true, min: 1 })
  vector!: number | null;

  /** Place in the list of the knowledge graph, from 1; null: not in it. */
  @Answer.Integer({ nullable: true, min: 1 })
  kg!: number | null;

  /** Place in the fused list, from 1; null: not in it. */
  @Answer.Integer({ nullable: true, min: 1 })
  fusion!: number | null;

  /** Place after reranking, from 1; null: not reranked. */
  @Answer.Integer({ nullable: true, min: 1 })
  rerank!: number | null;
}

/** A range of the document's canonical text in UTF-16 code units, `char_end` exclusive. */
export class TextSpan {
  /** Offset of the first code unit. */
  @Answer.Count()
  char_start!: number;

  /** Offset just after the last code unit. */
  @Answer.Count()
  char_end!: number;
}

/** A sentence of the result that holds words of the query. */
export class Highlight extends TextSpan {
  /** The sentence. */
  text!: string;

  /** Matching words of the sentence, in order; offsets in the canonical text. */
  @Answer.NestedList(TextSpan)
  matches!: TextSpan[];
}

/** Position of a result in its document. */
export class ResultPosition extends TextSpan {
  /** Page on which the chunk begins, without the text that `expand` adds, from 1; null for formats without pages. */
  @Answer.Integer({ nullable: true, min: 1 })
  page!: number | null;

  /**
   * Page on which the chunk ends, mostly the same as `page`; null for formats without pages, and for a chunk that was made before this field
   * existed (a reingest fills it).
   */
  @Answer.Integer({ nullable: true, min: 1 })
  page_end!: number | null;

  /** Headings above the chunk, outermost first. */
  @Answer.Texts()
  heading_path!: string[];

  /** Name of the sheet; null where the document is not a workbook. */
  @Answer.Text({ nullable: true })
  sheet!: string | null;

  /** Number of the first table row; null where the chunk is not of a table. */
  @Answer.Integer({ nullable: true })
  row!: number | null;
}

/** A chunk that was found. */
export class SearchResult {
  /** Identifier of the chunk. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Path of the document in the folder that it was uploaded from, ending with its name; null when the upload named no path. */
  @Answer.Text({ nullable: true })
  path!: string | null;

  /** Time of the document's upload; tells documents with the same name apart. */
  @Answer.Instant()
  document_created_at!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Text of the chunk, as in the document. Left out if `include` does not name it. */
  @Answer.Text({ optional: true })
  text?: string;

  /** A line that a chat model wrote about the place of the chunk in its document (`enrichment.context`); it is not part of the text. */
  @Answer.Text({ optional: true })
  context?: string;

  /**
   * Final score, 0 to 1, to which `score_threshold` applies. With reranking: `scores.rerank`. `hybrid`: the fused score; if few words of
   * the question occur, the first ten results are reordered by their statements, and if the first ten hold about equally many of its words, the
   * first twenty by what they have in common; their fused scores are reassigned in the new order.
   * `keyword`: the share of the greatest keyword score that a chunk could have for this query. `vector`: `scores.vector`, with 0 for a
   * negative value. With `query_expansion` `multi_query`: the sum of 1 / (60 + rank) over the query and all phrasings, divided by the
   * greatest possible sum. With `use_kg`, a result that the graph moves up has a score between those of its neighbours in the list. Scores
   * of different methods cannot be compared.
   */
  @Answer.Share()
  score!: number;

  /** Scores of the result in each step; null for a step that was not part of the search. */
  @Answer.Nested(SearchScores)
  scores!: SearchScores;

  /** Places of the result in the lists. */
  @Answer.Nested(SearchRanks)
  ranks!: SearchRanks;

  /** Up to three sentences that contain most of the query, in the order of the text. Left out if `include` does not name them. */
  @Answer.NestedList(Highlight, { optional: true })
  highlights?: Highlight[];

  /** Position of the result in the document. */
  @Answer.Nested(ResultPosition)
  position!: ResultPosition;

  /** Metadata of the document. Left out if `include` does not name it. */
  @Answer.Json({ optional: true })
  metadata?: JsonObject;

  /** Version of the ingestion policy under which the document was last ingested. */
  @Answer.Integer({ min: 1 })
  policy_version!: number;

  /** Revision of the document that the text belongs to. */
  @Answer.Integer({ min: 1 })
  revision!: number;
}

/** Duration of each step in milliseconds; 0 for a step that was not needed. Steps overlap, so they do not add up to `total`. */
export class SearchTimings {
  /** Query expansion (`query_expansion`), in milliseconds. */
  @Answer.Decimal({ min: 0 })
  expansion!: number;

  /** Embedding of the query, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  embedding!: number;

  /** Reading of candidates from the vector store, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  candidates!: number;

  /** Reading of the knowledge graph (`use_kg`), in milliseconds. */
  @Answer.Decimal({ min: 0 })
  kg!: number;

  /** Check of every candidate against the database, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  visibility!: number;

  /** Statistics of the words in the datasets, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  statistics!: number;

  /** Reading of terms and vectors of the candidates, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  features!: number;

  /** Scoring, fusion and selection, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  ranking!: number;

  /** Reranking, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  rerank!: number;

  /** Reading of texts and properties of the results, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  hydration!: number;

  /** Whole search, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  total!: number;
}

/** Numbers of chunks after each step. */
export class SearchCounts {
  /** Number of searchable chunks of the datasets, before filters. */
  @Answer.Count()
  chunks_in_scope!: number;

  /**
   * Number of chunks proposed before visibility and filters are checked: by the vector store, and by the keyword index in memory for datasets
   * that are held there.
   */
  @Answer.Count()
  proposed!: number;

  /** Number of proposed chunks that are visible and meet the filters. */
  @Answer.Count()
  visible!: number;

  /** Length of the keyword list, at most `candidate_k`. */
  @Answer.Count()
  keyword!: number;

  /** Length of the vector list, at most `candidate_k`. */
  @Answer.Count()
  vector!: number;

  /** Length of the list of the knowledge graph, at most `candidate_k`; 0 without `use_kg`. */
  @Answer.Count()
  kg!: number;

  /** Number of candidates whose final score reaches `score_threshold`. */
  @Answer.Count()
  passed!: number;

  /** Number of returned results. */
  @Answer.Count()
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
  'STATEMENTS_NOT_COMPARED',
  'WORDS_NOT_COMPARED',
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

/** A possible reason for a missing result. */
export class SearchWarning {
  /** Stable code. */
  @Answer.Choice(SEARCH_WARNINGS)
  code!: SearchWarningCode;

  /** What the warning means for this search. */
  detail!: string;
}

/** Details of a search. */
export class RetrievalReport {
  /**
   * SHA-256 of everything that determines the results except the question, `top_k` and `include`: effective options, datasets, text
   * analysis, embedding space, models. Equal configurations have equal fingerprints.
   */
  @Answer.Sha256()
  config_fingerprint!: string;

  /** Search method that was used. */
  @Answer.Choice(SEARCH_METHODS)
  search_method!: SearchMethod;

  /**
   * Texts that a chat model wrote for `query_expansion` and that were searched in addition to the query: up to three phrasings, or one
   * passage. Not taken from documents. Empty if the model failed (`QUERY_EXPANSION_FAILED`) or had nothing to add.
   */
  @Answer.Texts({ optional: true })
  generated_queries?: string[];

  /** Duration of each step in milliseconds. Steps overlap, so they do not add up to `total`; 0 for a step that was not needed. */
  @Answer.Nested(SearchTimings)
  timings_ms!: SearchTimings;

  /** Number of chunks after each step. */
  @Answer.Nested(SearchCounts)
  counts!: SearchCounts;

  /** Possible reasons for a missing result. */
  @Answer.NestedList(SearchWarning)
  warnings!: SearchWarning[];
}

/** The results of a search, best first. */
export class SearchResponse {
  /** Identifier of the request, for logs and errors; also in `X-Request-ID`. */
  request_id!: string;

  /** The results, best first. */
  @Answer.NestedList(SearchResult)
  results!: SearchResult[];

  /** Details of the search: method, durations, counts, warnings. */
  @Answer.Nested(RetrievalReport)
  retrieval!: RetrievalReport;
}
