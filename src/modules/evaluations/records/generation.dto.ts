import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IfPresent } from '#libs/http';
import { MAX_CASES } from '../cases/evaluation-case.js';
import {
  GENERATION_METHODS,
  GENERATION_STATUSES,
  type GenerationMethod,
  type GenerationStatus,
} from '../cases/generation-state.js';

export const MAX_GENERATED_NAME = 200;
const MAX_FURTHER_DATASETS = 10;
const MAX_SEED = 2_147_483_647;
const COUNT = { type: 'integer', minimum: 0 } as const;

/** What cases are to be made of. */
export class GenerateCaseSetRequest {
  /** Identifier of the dataset that the questions are about. */
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  dataset_id!: string;

  /**
   * Number of cases to generate, 1 to 2,000; there may be fewer. With `unanswerable_from` a fifth of them, at least one, has no answer, so the
   * minimum is two.
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_CASES })
  @IsInt()
  @Min(1)
  @Max(MAX_CASES)
  count!: number;

  /**
   * How questions are made. `rules`: from sentences, by patterns of their language (German, English, Spanish, French, Chinese); at times clumsy,
   * and close to the words of the document. `llm`: by the configured chat model, which costs tokens.
   */
  @ApiProperty({ enum: GENERATION_METHODS })
  @IsIn(GENERATION_METHODS)
  method!: GenerationMethod;

  /**
   * Identifiers of further datasets, at most 10: their subjects give questions that `dataset_id` does not answer. The set is visible only to those
   * who see all of them.
   */
  @ApiPropertyOptional({
    type: [String],
    format: 'uuid',
    maxItems: MAX_FURTHER_DATASETS,
    uniqueItems: true,
    default: [],
  })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_FURTHER_DATASETS)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  unanswerable_from?: string[];

  /** Name of the case set. Default: `Cases of` and the dataset's name. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_GENERATED_NAME, pattern: '\\S' })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_GENERATED_NAME)
  @Matches(/\S/u, { message: 'name must hold more than white space' })
  name?: string;

  /** Seed: with `rules`, the same seed gives the same cases for the same content; with `llm`, as far as the model supports it. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_SEED, default: 0 })
  @IfPresent()
  @IsInt()
  @Min(0)
  @Max(MAX_SEED)
  seed?: number;
}

/** Why no cases were made. */
export class GenerationError {
  /** Stable error code. */
  code!: string;

  /** What happened, and what to do. */
  detail!: string;
}

/** How the cases of a set are made of documents, and how far that is. */
export class CaseSetGeneration {
  /** State of the generation; `completed` also where fewer cases could be made than requested. */
  @ApiProperty({ enum: GENERATION_STATUSES })
  status!: GenerationStatus;

  /** How questions are made. */
  @ApiProperty({ enum: GENERATION_METHODS })
  method!: GenerationMethod;

  /** Identifier of the dataset that the questions are about. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;

  /** Identifiers of the datasets whose subjects give the questions without an answer. */
  @ApiProperty({ type: [String], format: 'uuid' })
  unanswerable_from!: string[];

  /** Number of requested cases. */
  @ApiProperty(COUNT)
  count!: number;

  /** Seed: the same seed gives the same cases for the same content. */
  @ApiProperty({ type: 'integer' })
  seed!: number;

  /** Name of the model that writes the questions; null with `rules`. */
  @ApiProperty({ type: String, nullable: true })
  model!: string | null;

  /** Why the generation failed; null when it did not. */
  @ApiProperty({ type: GenerationError, nullable: true })
  error!: GenerationError | null;
}
