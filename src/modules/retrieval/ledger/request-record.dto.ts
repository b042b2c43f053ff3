import { Answer } from '#libs/http';
import type { JsonObject } from '#libs/common';
import { REQUEST_KINDS, type RequestKind } from './request-ledger.entity.js';
import { SEARCH_WARNINGS, SearchCounts, SearchTimings } from '../request/search-response.dto.js';

/** The chunk of a result, without its text. */
export class RecordedChunk {
  /** Identifier of the chunk. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Offset of the first UTF-16 code unit in the document's canonical text. */
  @Answer.Count()
  char_start!: number;

  /** Offset just after the last code unit. */
  @Answer.Count()
  char_end!: number;
}

/** A result with its rank. */
export class RecordedResult extends RecordedChunk {
  /** Rank among the results, from 1. */
  @Answer.Integer({ min: 1 })
  rank!: number;

  /** Final score. */
  @Answer.Share()
  score!: number;
}

/** Rank and score of a result in one answer. */
export class RankAndScore {
  /** Rank among the results, from 1. */
  @Answer.Integer({ min: 1 })
  rank!: number;

  /** Final score. */
  @Answer.Share()
  score!: number;
}

/** A result of both the recorded and the replayed answer. */
export class ChangedRecordedResult extends RecordedChunk {
  /** Rank and score in the recorded results. */
  @Answer.Nested(RankAndScore)
  before!: RankAndScore;

  /** Rank and score in the replayed results. */
  @Answer.Nested(RankAndScore)
  after!: RankAndScore;
}

/** Ids of the expected result of an explanation; an expected text is not kept. */
export class RecordedExpectation {
  /** Identifier of the expected document; null: none was given. */
  @Answer.Uuid({ nullable: true })
  document_id!: string | null;

  /** Identifier of the expected chunk; null: none was given. */
  @Answer.Uuid({ nullable: true })
  chunk_id!: string | null;
}

/** Outcome of an explanation. */
export class RecordedExplanation {
  /** Verdict of the explanation. */
  verdict!: string;

  /** Code of the explanation. */
  code!: string;

  /** Document and chunk that were expected. */
  @Answer.Nested(RecordedExpectation)
  expected!: RecordedExpectation;
}

/** A recorded request: ids, offsets and scores, without text of documents. */
export class RequestRecord {
  /** Identifier of this record; unlike `request_id`, which the client may choose and repeat, it is unique. */
  @Answer.Uuid()
  id!: string;

  /** The `X-Request-ID` of the request. */
  request_id!: string;

  /** Kind of the request. For `chat`, the record contains the search for sources, not the answer. */
  @Answer.Choice(REQUEST_KINDS)
  kind!: RequestKind;

  /** Time of the response. */
  @Answer.Instant()
  created_at!: string;

  /**
   * The search request: `query`, `dataset_ids` and the options that were sent. For `chat`, `query` is the question that was searched for,
   * completed with words of the history. The expected `text` of an explanation is left out.
   */
  @Answer.Json()
  request!: JsonObject;

  /** Fingerprint of the configuration at that time. */
  @Answer.Sha256()
  config_fingerprint!: string;

  /** Configuration from which the fingerprint is computed, by parts: effective options, models, formulas, store. */
  @Answer.Json()
  config!: JsonObject;

  /** Recorded results that the caller may see now, with the ranks of that time. */
  @Answer.NestedList(RecordedResult)
  results!: RecordedResult[];

  /** Number of recorded results that the caller may no longer see, since their documents are deleted, quarantined or no longer visible. */
  @Answer.Count()
  hidden_results!: number;

  /** Number of chunks after each step. */
  @Answer.Nested(SearchCounts)
  counts!: SearchCounts;

  /** Duration of each step in milliseconds. */
  @Answer.Nested(SearchTimings)
  timings_ms!: SearchTimings;

  /** Codes of the warnings. */
  @Answer.Choices(SEARCH_WARNINGS)
  warnings!: string[];

  /** Texts that were searched in addition to the query (`query_expansion`); a replay uses the same. */
  @Answer.Texts()
  generated_queries!: string[];

  /** Outcome of the explanation; null for other kinds. */
  @Answer.Nested(RecordedExplanation, { nullable: true })
  explanation!: RecordedExplanation | null;
}

export const REPLAY_CAUSES = ['CONTENT_CHANGED', 'CONFIG_CHANGED', 'VISIBILITY_CHANGED', 'UNEXPLAINED'] as const;
export type ReplayCauseCode = (typeof REPLAY_CAUSES)[number];

/** A possible cause of a difference. */
export class ReplayCause {
  /**
   * `CONTENT_CHANGED`: documents of the datasets were added, changed or removed since. `CONFIG_CHANGED`: something that options do not
   * determine has changed, such as the embedding model, the ranking or the store. `VISIBILITY_CHANGED`: the caller may no longer see some
   * datasets or documents. `UNEXPLAINED`: the results differ, but for none of these reasons; possible reasons are the approximate search in
   * large vector stores, and documents whose chunks changed during the search.
   */
  @Answer.Choice(REPLAY_CAUSES)
  code!: ReplayCauseCode;

  /** Details of the cause. */
  detail!: string;
}

/** A dataset whose content changed. */
export class ReplayedContent {
  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Sequence number of the dataset's visible content at the recorded search; it increases with every change. */
  @Answer.Text({ described: { pattern: '^[0-9]+$' } })
  before!: string;

  /** Current sequence number. */
  @Answer.Text({ described: { pattern: '^[0-9]+$' } })
  after!: string;
}

/** Differences between a replay and the recorded answer. */
export class ReplayReport {
  /** Identifier of this request, for logs and errors. */
  request_id!: string;

  /** Identifier of the replayed record. */
  @Answer.Uuid()
  record_id!: string;

  /** The `request_id` of the replayed request. */
  replayed_request_id!: string;

  /** Time of the response to the recorded request. */
  @Answer.Instant()
  created_at!: string;

  /** Whether the replay returned the same chunks in the same order with the same scores, and no result is hidden. */
  @Answer.Flag()
  identical!: boolean;

  /** Fingerprint of the configuration at the recorded request. */
  @Answer.Sha256()
  config_fingerprint_before!: string;

  /** Current fingerprint of the configuration; null when none of the datasets can be searched any more. */
  @Answer.Sha256({ nullable: true })
  config_fingerprint_after!: string | null;

  /** Names of the parts of the configuration that differ. */
  @Answer.Texts()
  changed_config!: string[];

  /** Datasets whose content changed. */
  @Answer.NestedList(ReplayedContent)
  changed_content!: ReplayedContent[];

  /** Number of searched datasets that the caller may no longer see; the replay leaves them out. */
  @Answer.Count()
  hidden_datasets!: number;

  /** Number of recorded results that the caller may no longer see; they are in none of the lists. */
  @Answer.Count()
  hidden_results!: number;

  /** Possible causes of the difference; empty if `identical`. */
  @Answer.NestedList(ReplayCause)
  causes!: ReplayCause[];

  /** Results of the replay, best first. */
  @Answer.NestedList(RecordedResult)
  results!: RecordedResult[];

  /** Results of the replay that were not recorded. */
  @Answer.NestedList(RecordedResult)
  added!: RecordedResult[];

  /** Recorded results that the replay did not return. */
  @Answer.NestedList(RecordedResult)
  removed!: RecordedResult[];

  /** Results with another rank than recorded. */
  @Answer.NestedList(ChangedRecordedResult)
  moved!: ChangedRecordedResult[];

  /** Results with another score than recorded. */
  @Answer.NestedList(ChangedRecordedResult)
  rescored!: ChangedRecordedResult[];
}
