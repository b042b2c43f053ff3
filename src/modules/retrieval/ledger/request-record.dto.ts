import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import { REQUEST_KINDS, type RequestKind } from './request-ledger.entity.js';
import { SEARCH_WARNINGS, SearchCounts, SearchTimings } from '../dto/search-response.dto.js';

const OFFSET = { type: 'integer', minimum: 0 } as const;
const PLACE = { type: 'integer', minimum: 1 } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const SCORE = { type: Number, minimum: 0, maximum: 1 } as const;
const HASH = { type: String, pattern: '^[0-9a-f]{64}$' } as const;

/** Which chunk a result was, without its text. */
export class RecordedChunk {
  /** The chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Its document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** First UTF-16 code unit in the document's canonical text. */
  @ApiProperty(OFFSET)
  char_start!: number;

  /** One past the last code unit. */
  @ApiProperty(OFFSET)
  char_end!: number;
}

/** A result in its place. */
export class RecordedResult extends RecordedChunk {
  /** Place among the results, from 1. */
  @ApiProperty(PLACE)
  rank!: number;

  /** Final score. */
  @ApiProperty(SCORE)
  score!: number;
}

/** Rank and score of a result in one answer. */
export class RankAndScore {
  /** Place among the results, from 1. */
  @ApiProperty(PLACE)
  rank!: number;

  /** Final score. */
  @ApiProperty(SCORE)
  score!: number;
}

/** A result of both answers. */
export class ChangedRecordedResult extends RecordedChunk {
  /** In the recorded answer. */
  @ApiProperty({ type: RankAndScore })
  before!: RankAndScore;

  /** In the replayed answer. */
  @ApiProperty({ type: RankAndScore })
  after!: RankAndScore;
}

/** Ids that an explanation was asked about; a text is not kept. */
export class RecordedExpectation {
  /** The expected document; null when none was named. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  document_id!: string | null;

  /** The expected chunk; null when none was named. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  chunk_id!: string | null;
}

/** What an explanation said. */
export class RecordedExplanation {
  /** Its verdict. */
  verdict!: string;

  /** Its code. */
  code!: string;

  /** What it was asked about. */
  @ApiProperty({ type: RecordedExpectation })
  expected!: RecordedExpectation;
}

/** A request that was answered, as far as it is kept: ids, offsets and scores, no text of documents. */
export class RequestRecord {
  /** Id of this record; `request_id` is the client's word and may be used more than once. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** The `X-Request-ID` of the request. */
  request_id!: string;

  /** What was asked for. For `chat` the search for its sources is kept, not the answer. */
  @ApiProperty({ enum: REQUEST_KINDS })
  kind!: RequestKind;

  /** When it was answered. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /**
   * The search as it was asked for: `query`, `dataset_ids` and the options that were sent. For `chat` the query is the question
   * that was searched, condensed with the history. The `text` that an explanation expected is left out.
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  request!: JsonObject;

  /** The fingerprint of the configuration then. */
  @ApiProperty(HASH)
  config_fingerprint!: string;

  /** What the fingerprint is the hash of, part by part: options in force, models, formulas, store. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  config!: JsonObject;

  /** The results that the caller may see now, at the places that they had. */
  @ApiProperty({ type: [RecordedResult] })
  results!: RecordedResult[];

  /** How many results the caller may not see any more: their documents are deleted, quarantined or out of sight. */
  @ApiProperty(COUNT)
  hidden_results!: number;

  /** How many chunks each step left. */
  @ApiProperty({ type: SearchCounts })
  counts!: SearchCounts;

  /** Milliseconds of each step. */
  @ApiProperty({ type: SearchTimings })
  timings_ms!: SearchTimings;

  /** Codes of the warnings. */
  @ApiProperty({ enum: SEARCH_WARNINGS, isArray: true })
  warnings!: string[];

  /** What was searched for beside the query (`query_expansion`); a replay searches for the same. */
  @ApiProperty({ type: [String] })
  generated_queries!: string[];

  /** What an explanation said; null for other kinds. */
  @ApiProperty({ type: RecordedExplanation, nullable: true })
  explanation!: RecordedExplanation | null;
}

export const REPLAY_CAUSES = ['CONTENT_CHANGED', 'CONFIG_CHANGED', 'VISIBILITY_CHANGED', 'UNEXPLAINED'] as const;
export type ReplayCauseCode = (typeof REPLAY_CAUSES)[number];

/** Something that may have made the answers differ. */
export class ReplayCause {
  /**
   * `CONTENT_CHANGED`: documents of the datasets were added, changed or removed since. `CONFIG_CHANGED`: what no option can hold
   * is different, such as the embedding model, the ranking or the store. `VISIBILITY_CHANGED`: datasets or documents are
   * out of the caller's sight now. `UNEXPLAINED`: the answers differ and nothing of that is so; nearest neighbours are found approximately
   * in large indexes, and documents whose chunks changed while the search ran are possible too.
   */
  @ApiProperty({ enum: REPLAY_CAUSES })
  code!: ReplayCauseCode;

  /** What it means here. */
  detail!: string;
}

/** A dataset whose content changed. */
export class ReplayedContent {
  /** The dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Sequence number of its visible content when it was searched; it grows with every change. */
  @ApiProperty({ type: String, pattern: '^[0-9]+$' })
  before!: string;

  /** The number now. */
  @ApiProperty({ type: String, pattern: '^[0-9]+$' })
  after!: string;
}

/** How a replay differs from the recorded answer. */
export class ReplayReport {
  /** Correlates this answer with logs and errors. */
  request_id!: string;

  /** Id of the record that was replayed. */
  @ApiProperty({ format: 'uuid' })
  record_id!: string;

  /** The request id that was replayed. */
  replayed_request_id!: string;

  /** When the recorded request was answered. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Whether the same chunks came in the same order with the same scores, with none hidden. */
  @ApiProperty({ type: Boolean })
  identical!: boolean;

  /** The fingerprint then. */
  @ApiProperty(HASH)
  config_fingerprint_before!: string;

  /** The fingerprint now; null when none of the datasets can be searched any more. */
  @ApiProperty({ ...HASH, nullable: true })
  config_fingerprint_after!: string | null;

  /** Names of the parts of the configuration that differ. */
  @ApiProperty({ type: [String] })
  changed_config!: string[];

  /** Datasets whose content changed. */
  @ApiProperty({ type: [ReplayedContent] })
  changed_content!: ReplayedContent[];

  /** How many of the datasets that were searched are out of sight now; they are left out of the replay. */
  @ApiProperty(COUNT)
  hidden_datasets!: number;

  /** How many recorded results are out of sight now; they are in none of the lists. */
  @ApiProperty(COUNT)
  hidden_results!: number;

  /** What may have made the answers differ; empty when `identical`. */
  @ApiProperty({ type: [ReplayCause] })
  causes!: ReplayCause[];

  /** The replayed answer, best first. */
  @ApiProperty({ type: [RecordedResult] })
  results!: RecordedResult[];

  /** Results that are new. */
  @ApiProperty({ type: [RecordedResult] })
  added!: RecordedResult[];

  /** Results that are gone. */
  @ApiProperty({ type: [RecordedResult] })
  removed!: RecordedResult[];

  /** Results at another rank. */
  @ApiProperty({ type: [ChangedRecordedResult] })
  moved!: ChangedRecordedResult[];

  /** Results with another score. */
  @ApiProperty({ type: [ChangedRecordedResult] })
  rescored!: ChangedRecordedResult[];
}
