import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { JsonObject } from '#libs/common';
import { ListQueryDto, QueryInteger } from '#libs/http';
import { MAX_VARIANTS } from './create-job.dto.js';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Which results of an evaluation. */
export class ListResultsQuery extends ListQueryDto {
  /** Only those of this variant, by its place from 0. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_VARIANTS - 1 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(MAX_VARIANTS - 1)
  variant?: number;

  /** Only misses: cases in which nothing relevant was found. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  misses: boolean = false;

  /** Only misses of this cause. */
  @ApiPropertyOptional({ type: String, maxLength: 64 })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  code?: string;
}

/** A result of one search of an evaluation. */
export class RankedResultDto {
  /** Its document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** The chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Its final score. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  score!: number;

  /** Whether the case calls it relevant. */
  @ApiProperty({ type: Boolean })
  relevant!: boolean;
}

/** A request that explains the miss as things are today. */
export class MissReplay {
  /** `POST`. */
  method!: string;

  /** Path of the request. */
  @ApiProperty({ type: String, example: '/api/v1/retrieval/explain' })
  path!: string;

  /** Its body. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  body!: JsonObject;
}

/** A change of the search that brings what was missed; it was tried. */
export class MissFixDto {
  /** What is changed. */
  action!: string;

  /** JSON Merge Patch (RFC 7396) of the search. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  change!: JsonObject;
}

/** Why nothing relevant was found, as it was when the evaluation ran. */
export class MissExplanation {
  /** As `POST /retrieval/explain` gives it. */
  code!: string;

  /** The same. */
  verdict!: string;

  /** The code in words. */
  detail!: string;

  /** Changes of the search that bring it. */
  @ApiProperty({ type: [MissFixDto] })
  fixes!: MissFixDto[];

  /** Explains the same again, over the present content. */
  @ApiProperty({ type: MissReplay })
  replay!: MissReplay;
}

/** A citation of an answer, as in `POST /chat/completions`. */
export class CitationRecordDto {
  /** Its document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** The chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Where the cited text begins in the canonical text of the document. */
  @ApiProperty(COUNT)
  source_char_start!: number;

  /** One past its end. */
  @ApiProperty(COUNT)
  source_char_end!: number;

  /** Share of the statement's words that it holds. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  support_score!: number;

  /** Whether it stood there byte for byte. */
  @ApiProperty({ type: Boolean })
  verified!: boolean;
}

/** What a chat answered; its text is not kept. */
export class AnswerRecordDto {
  /** What answered; null where nothing did. */
  @ApiProperty({ type: String, nullable: true })
  model!: string | null;

  /** Code of the refusal; null for an answer. */
  @ApiProperty({ type: String, nullable: true })
  refusal!: string | null;

  /** Length of the answer. */
  @ApiProperty(COUNT)
  characters!: number;

  /** One for each marker of the answer. */
  @ApiProperty({ type: [CitationRecordDto] })
  citations!: CitationRecordDto[];

  /** Milliseconds with its search. */
  @ApiProperty({ type: Number, minimum: 0 })
  latency_ms!: number;

  /** What each run of the judge said, by metric; null in the place of a run that failed. Absent where nothing was judged. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'number', nullable: true } },
  })
  judged?: Readonly<Record<string, readonly (number | null)[]>>;

  /** Why there is no answer; null when there is one, a refusal included. */
  @ApiProperty({ type: String, nullable: true })
  error_code!: string | null;
}

/** What one case gave under one variant. */
export class CaseResult {
  /** Place of the case, from 0. */
  @ApiProperty(COUNT)
  case!: number;

  /** Its query. */
  query!: string;

  /** Its tags. */
  @ApiProperty({ type: [String] })
  tags!: string[];

  /** Name of the variant. */
  variant!: string;

  /** Each metric; null where the case has none. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number', nullable: true } })
  metrics!: Record<string, number | null>;

  /** What the search returned, best first. */
  @ApiProperty({ type: [RankedResultDto] })
  results!: RankedResultDto[];

  /** Milliseconds of the search. */
  @ApiProperty({ type: Number, minimum: 0 })
  latency_ms!: number;

  /** `config_fingerprint` of the search. */
  @ApiProperty({ type: String, nullable: true })
  config_fingerprint!: string | null;

  /** Null unless nothing relevant was found. */
  @ApiProperty({ type: MissExplanation, nullable: true })
  miss!: MissExplanation | null;

  /** Why the search found nothing to judge; null when it did. */
  @ApiProperty({ type: String, nullable: true })
  error_code!: string | null;

  /** Null where the variant has no `chat`, or the search failed. */
  @ApiProperty({ type: AnswerRecordDto, nullable: true })
  answer!: AnswerRecordDto | null;
}

/** A page of results. */
export class CaseResultPage {
  /** By case, then by variant. */
  @ApiProperty({ type: [CaseResult] })
  items!: CaseResult[];

  /** How many match in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty(COUNT)
  limit!: number;
}
