import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';
import type { JsonObject } from '#libs/common';
import { Answer, Integer, ListQueryDto, PageOf, Text } from '#libs/http';
import { MAX_VARIANTS } from './create-job.dto.js';

/** Filter of the results of an evaluation. */
export class ListResultsQuery extends ListQueryDto {
  /** Only results of this variant, by its position from 0. */
  @Integer({ query: true, min: 0, max: MAX_VARIANTS - 1 })
  variant?: number;

  /** Whether to list only misses: cases for which nothing relevant was found. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  misses: boolean = false;

  /** Only misses with this code of their cause. */
  @Text({ query: true, max: 64 })
  code?: string;
}

/** A result of one search of an evaluation. */
export class RankedResultDto {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Identifier of the chunk. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Final score of the result, 0 to 1. */
  @Answer.Share()
  score!: number;

  /** Whether the result is relevant according to the case. */
  @Answer.Flag()
  relevant!: boolean;
}

/** A request that explains the miss over the current content. */
export class MissReplay {
  /** Method of the request: `POST`. */
  method!: string;

  /** Path of the request. */
  @Answer.Text({ example: '/api/v1/retrieval/explain' })
  path!: string;

  /** Body of the request. */
  @Answer.Json()
  body!: JsonObject;
}

/** A change of the search with which the missed item was found when it was tried. */
export class MissFixDto {
  /** Name of the change, as in the suggestions of `POST /retrieval/explain`. */
  action!: string;

  /** The change, as a JSON Merge Patch (RFC 7396) of the search. */
  @Answer.Json()
  change!: JsonObject;
}

/** Why nothing relevant was found at the time of the evaluation. */
export class MissExplanation {
  /** Code of the cause, as in `POST /retrieval/explain`. */
  code!: string;

  /** Verdict, as in `POST /retrieval/explain`. */
  verdict!: string;

  /** The cause in a sentence. */
  detail!: string;

  /** Changes of the search with which the missed item is found. */
  @Answer.NestedList(MissFixDto)
  fixes!: MissFixDto[];

  /** Request that explains the miss again, over the current content. */
  @Answer.Nested(MissReplay)
  replay!: MissReplay;
}

/** A citation of an answer, as in `POST /chat/completions`. */
export class CitationRecordDto {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Identifier of the chunk. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Start of the cited text in the canonical text of the document, in UTF-16 code units. */
  @Answer.Count()
  source_char_start!: number;

  /** End of the cited text, exclusive, in UTF-16 code units. */
  @Answer.Count()
  source_char_end!: number;

  /** Share of the statement's words that the cited text contains, 0 to 1. */
  @Answer.Share()
  support_score!: number;

  /** Whether the cited text was found byte for byte at these offsets. */
  @Answer.Flag()
  verified!: boolean;
}

/** Outcome of a chat; the text of the answer is not kept. */
export class AnswerRecordDto {
  /** Model that answered; null where no model was called. */
  @Answer.Text({ nullable: true })
  model!: string | null;

  /** Code of the refusal; null for an answer. */
  @Answer.Text({ nullable: true })
  refusal!: string | null;

  /** Length of the answer, in characters. */
  @Answer.Count()
  characters!: number;

  /** Citations, one for each marker of the answer. */
  @Answer.NestedList(CitationRecordDto)
  citations!: CitationRecordDto[];

  /** Duration of the chat with its search, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  latency_ms!: number;

  /** Values of the judge by metric, one for each of its runs, null for a run that failed. Absent where nothing was judged. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'number', nullable: true } },
  })
  judged?: Readonly<Record<string, readonly (number | null)[]>>;

  /** Code of the error; null when there is an answer or a refusal. */
  @Answer.Text({ nullable: true })
  error_code!: string | null;
}

/** Result of one case under one variant. */
export class CaseResult {
  /** Position of the case, from 0. */
  @Answer.Count()
  case!: number;

  /** Question of the case. */
  query!: string;

  /** Tags of the case. */
  @Answer.Texts()
  tags!: string[];

  /** Name of the variant. */
  variant!: string;

  /** Value of each metric; null where the metric does not apply to the case. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number', nullable: true } })
  metrics!: Record<string, number | null>;

  /** Results of the search, best first. */
  @Answer.NestedList(RankedResultDto)
  results!: RankedResultDto[];

  /** Duration of the search, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  latency_ms!: number;

  /** `config_fingerprint` of the search; null where the search failed. */
  @Answer.Text({ nullable: true })
  config_fingerprint!: string | null;

  /** Why nothing relevant was found; null where something was found. */
  @Answer.Nested(MissExplanation, { nullable: true })
  miss!: MissExplanation | null;

  /** Code of the error that made the search fail; null when it succeeded. */
  @Answer.Text({ nullable: true })
  error_code!: string | null;

  /** Outcome of the chat; null where the variant has no `chat`, or the search failed. */
  @Answer.Nested(AnswerRecordDto, { nullable: true })
  answer!: AnswerRecordDto | null;
}

/** A page of results. */
export class CaseResultPage extends PageOf(CaseResult, {
  items: 'Results of this page, by case, then by variant.',
  total: 'Number of results that match.',
}) {}
