import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsString, Length, ValidateBy } from 'class-validator';
import { Decimal, Flag, Integer, Json, Nested, Text } from '#libs/http';
import { ResponseFormat } from './response-format.dto.js';

const MAX_STOPS = 4;
const MAX_STOP_LENGTH = 256;
const MAX_USER_LENGTH = 512;
const STOP = { type: 'string', minLength: 1, maxLength: MAX_STOP_LENGTH } as const;

/** An option that would change what the client gets back: only values that change nothing are accepted. */
function OnlyHarmless(isHarmless: (value: unknown) => boolean, accepted: string): PropertyDecorator {
  return ValidateBy({
    name: 'isSupported',
    validator: {
      validate: isHarmless,
      defaultMessage: (args) => `${args?.property} is not supported: leave it out or send ${accepted}`,
    },
  });
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const isTextOnly = (value: unknown): boolean => Array.isArray(value) && value.every((one) => one === 'text');
/** Options of OpenAI's chat completions that have an effect here or are refused; null is always the same as omitting the option. */
export class OpenAiOptions {
  /** 1 to 4 texts; the answer ends before the first of them that it would contain. Effective with every model. null or left out: none. */
  @ApiPropertyOptional({ nullable: true, oneOf: [STOP, { type: 'array', maxItems: MAX_STOPS, items: STOP }] })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @IsArray({ message: 'stop must be a text or a list of texts' })
  @ArrayMaxSize(MAX_STOPS)
  @IsString({ each: true })
  @Length(1, MAX_STOP_LENGTH, { each: true })
  stop?: string | readonly string[] | null;

  /** Probability mass that the model samples from, 0 to 1; ignored by the built-in model, which has no randomness. null or left out: 1. */
  @Decimal({ optional: true, nullable: true, min: 0, max: 1, default: 1 })
  top_p?: number | null;

  /**
   * Seed of the model: the same seed and request give the same answer as far as the model's provider supports it; the built-in model always does.
   * null or left out: none.
   */
  @Integer({ optional: true, nullable: true })
  seed?: number | null;

  /** Accepted without effect, also when null. */
  @Decimal({ optional: true, nullable: true, min: -2, max: 2, default: 0 })
  frequency_penalty?: number | null;

  /** Accepted without effect, also when null. */
  @Decimal({ optional: true, nullable: true, min: -2, max: 2, default: 0 })
  presence_penalty?: number | null;

  /** Accepted without effect, also when null: the credential identifies the caller. */
  @Text({ optional: true, nullable: true, max: MAX_USER_LENGTH })
  user?: string | null;

  /** Accepted without effect, also when null. */
  @Json({ optional: true, nullable: true })
  metadata?: Readonly<Record<string, unknown>> | null;

  /** Accepted without effect, also when null: completions are not stored. */
  @Flag({ optional: true, nullable: true, default: false })
  store?: boolean | null;

  /** Number of answers; only 1 is possible. null or left out: 1. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: 1, default: 1 })
  @IsOptional()
  @OnlyHarmless((value) => value === 1, '1')
  n?: number | null;

  /** Not supported: only an empty list or null is accepted. */
  @ApiPropertyOptional({ type: 'array', nullable: true, maxItems: 0, items: {} })
  @IsOptional()
  @OnlyHarmless(isEmptyList, 'an empty list')
  tools?: readonly unknown[] | null;

  /** Not supported: only an empty list or null is accepted. */
  @ApiPropertyOptional({ type: 'array', nullable: true, maxItems: 0, items: {} })
  @IsOptional()
  @OnlyHarmless(isEmptyList, 'an empty list')
  functions?: readonly unknown[] | null;

  /** Not supported: only false or null is accepted. */
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false })
  @IsOptional()
  @OnlyHarmless((value) => value === false, 'false')
  logprobs?: boolean | null;

  /** Only `text` is supported; null or left out: `text`. */
  @ApiPropertyOptional({ type: 'array', nullable: true, items: { type: 'string', enum: ['text'] } })
  @IsOptional()
  @OnlyHarmless(isTextOnly, '["text"]')
  modalities?: readonly unknown[] | null;

  /**
   * Form of the answer. `json_object` and `json_schema` make the answer JSON, where the model can (the built-in one cannot: 422). The JSON is sent
   * as a whole, in a stream as one piece; its values contain no markers, and `answer_start` and `answer_end` of a citation locate the cited value.
   * With `grounding: strict` every text and number in it must be supported, otherwise the whole answer is refused. null or left out: `text`.
   */
  @Nested(() => ResponseFormat, { optional: true, nullable: true, example: { type: 'text' } })
  response_format?: ResponseFormat | null;
}
