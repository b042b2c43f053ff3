import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { JsonObject } from '#libs/common';
import { Flag, IfPresent } from '#libs/http';
import { EXPLAINED_PURPOSES, type ExplainedPurpose } from '../request/explain-request.dto.js';
import { ExplainedAnswer } from '../request/explained-answer.dto.js';
import { SearchRequestDto } from '../request/search-request.dto.js';
import { RetrievalReport } from '../request/search-response.dto.js';
import { EXPLAIN_CODES, EXPLAIN_STAGES, type ExplainStageName } from './explain-codes.js';
import { UnmetFilterCondition } from './explain-response.dto.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const OFFSET = { type: 'integer', minimum: 0 } as const;

/** Why a passage is not among the results. */
export const LEFT_OUT_CODES = [
  'METADATA_FILTER',
  'BELOW_SCORE_THRESHOLD',
  'NOT_IN_CANDIDATES',
  'RERANK_DEMOTED',
  'FUSION_DEMOTED',
  'MMR_REMOVED',
  'OUTRANKED',
] as const;
export type LeftOutCode = (typeof LEFT_OUT_CODES)[number];

const LEFT_OUT_MEANINGS = [
  'Reason for which the passage is not among the results; null: it is.',
  ...LEFT_OUT_CODES.map((code) => `- \`${code}\`: ${EXPLAIN_CODES[code].meaning}`),
].join('\n');

/** A search to describe. */
export class SearchOverviewRequest extends SearchRequestDto {
  /**
   * What to describe: a search, or the search of a chat that asks `query`. A chat has its own defaults (`top_k` 8), and
   * may refuse what its search found.
   */
  @ApiPropertyOptional({ enum: EXPLAINED_PURPOSES, default: 'search' })
  @IfPresent()
  @IsIn(EXPLAINED_PURPOSES)
  purpose?: ExplainedPurpose;

  /**
   * Whether `query` is a follow-up question that a chat completed with words of earlier questions (`retrieval.query` of its answer): a passage
   * without those words may still answer it. Has no effect on a search.
   */
  @Flag({ optional: true, default: false })
  follow_up?: boolean;
}

/** A stage of the search. */
export class OverviewStage {
  /**
   * `scope`: the searchable chunks of the datasets. `keyword`, `vector` and `kg`: the lists of the channels. `fusion`: the merged list.
   * `filters`, `rerank`, `threshold`, `mmr`, `top_k`: the options of these names.
   */
  @ApiProperty({ enum: EXPLAIN_STAGES })
  stage!: ExplainStageName;

  /** Whether the stage was part of this search. */
  @ApiProperty({ type: Boolean })
  used!: boolean;

  /** Limit of the stage: `candidate_k`, `rerank.top_n`, `score_threshold` or `top_k`; null for stages without a limit. */
  @ApiProperty({ type: Number, nullable: true })
  limit!: number | null;

  /** Number of chunks that the stage leaves; null for `filters`, which count documents, and for stages that were not used. */
  @ApiProperty({ ...COUNT, nullable: true })
  list_length!: number | null;
}

/** A content word of the question. */
export class OverviewWord {
  /** The word as the question writes it. */
  word!: string;

  /** Whether a searchable chunk of the datasets contains a form of the word, as far as its letters tell. Filters are not applied. */
  @ApiProperty({ type: Boolean })
  occurs!: boolean;
}

/** A condition of `filters` and the searchable documents that meet it. */
export class OverviewCondition {
  /** JSON pointer to the condition in the request, or in the dataset's `retrieval_defaults` if the request has no filters. */
  @ApiProperty({ type: String, example: '/filters/filters/0' })
  pointer!: string;

  /** The condition. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { type: 'eq', key: 'tags', value: 'manual' } })
  condition!: JsonObject;

  /** Number of documents that meet the condition. */
  @ApiProperty(COUNT)
  documents_met!: number;

  /** Number of documents that meet every other condition but not this one. */
  @ApiProperty(COUNT)
  documents_removed_alone!: number;
}

/** What `filters` leave of the searchable documents. */
export class OverviewFilters {
  /** Number of searchable documents that were examined. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Whether all searchable documents were examined; false: only the first 20,000. */
  @ApiProperty({ type: Boolean })
  is_complete!: boolean;

  /** Number of examined documents that meet all conditions. */
  @ApiProperty(COUNT)
  documents_met!: number;

  /** Conditions that must all hold. A filter that is no `and` is one condition. */
  @ApiProperty({ type: [OverviewCondition] })
  conditions!: OverviewCondition[];
}

/** A passage that the search returned or left out. */
export class OverviewPassage {
  /** Identifier of the chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Identifier of the document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Path of the document in the folder that it was uploaded from, ending with its name; null when the upload named no path. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Beginning of the chunk's text, at most 600 UTF-16 code units. */
  text!: string;

  /** Offset of the chunk's first UTF-16 code unit in the document's canonical text. */
  @ApiProperty(OFFSET)
  char_start!: number;

  /** Offset just after the chunk's last code unit. */
  @ApiProperty(OFFSET)
  char_end!: number;

  /** Page on which the chunk begins, from 1; null for formats without pages. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  page!: number | null;

  /** Place in the ranking of the search, from 1; null: not ranked. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  rank!: number | null;

  /** Final score; for a passage that was not ranked, the score without filters, threshold and `mmr`. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  score!: number;

  @ApiProperty({ enum: LEFT_OUT_CODES, type: String, nullable: true, description: LEFT_OUT_MEANINGS })
  code!: LeftOutCode | null;

  /** Conditions of `filters` that the document does not meet; empty for other codes. */
  @ApiProperty({ type: [UnmetFilterCondition] })
  unmet_conditions!: UnmetFilterCondition[];
}

/** What a search did, without anything that should have been found. */
export class SearchOverview {
  /** Identifier of the request, for logs, errors and `GET /requests/{request_id}`. */
  request_id!: string;

  /** Stages of the search in order. */
  @ApiProperty({ type: [OverviewStage] })
  stages!: OverviewStage[];

  /** Content words of the question in its order. */
  @ApiProperty({ type: [OverviewWord] })
  words!: OverviewWord[];

  /** What `filters` leave; null: the search has none. */
  @ApiProperty({ type: OverviewFilters, nullable: true })
  filters!: OverviewFilters | null;

  /** The best results, at most three. */
  @ApiProperty({ type: [OverviewPassage] })
  returned!: OverviewPassage[];

  /**
   * The nearest passages that were left out, at most five, best first: what the same search returns beyond its results without `filters`,
   * `score_threshold` and `mmr` and with a greater `top_k`.
   */
  @ApiProperty({ type: [OverviewPassage] })
  nearest!: OverviewPassage[];

  /** Whether a chat would answer; null if `purpose` is not `chat`. */
  @ApiProperty({ type: ExplainedAnswer, nullable: true })
  answer!: ExplainedAnswer | null;

  /** Details of the search. */
  @ApiProperty({ type: RetrievalReport })
  retrieval!: RetrievalReport;
}
