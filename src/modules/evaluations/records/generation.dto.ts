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
  /** The dataset whose documents are asked about. */
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  dataset_id!: string;

  /** How many cases, 1 to 2,000; there may be fewer. With `unanswerable_from` a fifth of them, one at least, has no answer, so two are needed. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_CASES })
  @IsInt()
  @Min(1)
  @Max(MAX_CASES)
  count!: number;

  /**
   * `rules`: sentences are turned into questions by patterns of their language (German, English, Spanish, French, Chinese); clumsy at times, and
   * near to the words of the document. `llm`: the installation's chat model writes them, which costs tokens.
   */
  @ApiProperty({ enum: GENERATION_METHODS })
  @IsIn(GENERATION_METHODS)
  method!: GenerationMethod;

  /**
   * Further datasets, at most 10, of whose subjects questions are made that `dataset_id` does not answer. Whoever does not see all of
   * them does not see the set either.
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

  /** What the set is called. Default: `Cases of` and the dataset's name. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_GENERATED_NAME, pattern: '\\S' })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_GENERATED_NAME)
  @Matches(/\S/u, { message: 'name must hold more than white space' })
  name?: string;

  /** The same seed gives the same cases of the same content, with rules; with a model as far as it can. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_SEED, default: 0 })
  @IfPresent()
  @IsInt()
  @Min(0)
  @Max(MAX_SEED)
  seed?: number;
}

/** Why no cases were made. */
export class GenerationError {
  /** Stable code. */
  code!: string;

  /** What happened, and what to do. */
  detail!: string;
}

/** How the cases of a set are made of documents, and how far that is. */
export class CaseSetGeneration {
  /** `completed` also where fewer cases could be made than were wanted. */
  @ApiProperty({ enum: GENERATION_STATUSES })
  status!: GenerationStatus;

  /** How questions are made. */
  @ApiProperty({ enum: GENERATION_METHODS })
  method!: GenerationMethod;

  /** The dataset whose documents are asked about. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;

  /** Datasets whose subjects give the questions without an answer. */
  @ApiProperty({ type: [String], format: 'uuid' })
  unanswerable_from!: string[];

  /** How many cases are wanted. */
  @ApiProperty(COUNT)
  count!: number;

  /** The same seed gives the same cases of the same content. */
  @ApiProperty({ type: 'integer' })
  seed!: number;

  /** Which model writes them; null for rules. */
  @ApiProperty({ type: String, nullable: true })
  model!: string | null;

  /** Why it failed. */
  @ApiProperty({ type: GenerationError, nullable: true })
  error!: GenerationError | null;
}
