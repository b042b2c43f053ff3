import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { IfPresent } from '#libs/http';
import { GROUNDING_MODES, MAX_ANSWER_TOKENS, type GroundingMode } from '../../chat/index.js';
import { SearchOptionsDto, TOP_K_MAX } from '../../retrieval/index.js';

const MAX_VARIANT_NAME = 64;
const MAX_MODEL_NAME = 200;
const NUMBER = { allowNaN: false, allowInfinity: false };

/** How a variant searches: any option of a search. */
export class VariantRetrievalDto extends SearchOptionsDto {
  /** Maximum number of results of a search. Default: the greatest `k`. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: TOP_K_MAX })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(TOP_K_MAX)
  top_k?: number;
}

/** How a variant answers: options of `POST /chat/completions`, whose defaults hold for what is left out. */
export class VariantChatDto {
  /** Name of a chat model of `GET /models`, or `default`. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_MODEL_NAME, default: 'default' })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_MODEL_NAME)
  model?: string;

  /** How statements that no source supports are treated. */
  @ApiPropertyOptional({ enum: GROUNDING_MODES, default: 'annotate' })
  @IfPresent()
  @IsIn(GROUNDING_MODES)
  grounding?: GroundingMode;

  /** Sampling temperature, 0 to 2. */
  @ApiPropertyOptional({ type: Number, minimum: 0, maximum: 2, default: 0.1 })
  @IfPresent()
  @IsNumber(NUMBER)
  @Min(0)
  @Max(2)
  temperature?: number;

  /** Probability mass that the model samples from, 0 to 1. */
  @ApiPropertyOptional({ type: Number, minimum: 0, maximum: 1, default: 1 })
  @IfPresent()
  @IsNumber(NUMBER)
  @Min(0)
  @Max(1)
  top_p?: number;

  /** Seed of the model: the same seed gives the same answer as far as the model supports it. */
  @ApiPropertyOptional({ type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 })
  @IfPresent()
  @IsInt()
  @Min(-2_147_483_648)
  @Max(2_147_483_647)
  seed?: number;

  /** Maximum number of tokens of an answer. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_ANSWER_TOKENS })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(MAX_ANSWER_TOKENS)
  max_tokens?: number;
}

/** One way of searching, and of answering. */
export class VariantDto {
  /**
   * Name of the variant, unique within the evaluation.
   * @example "hybrid"
   */
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_VARIANT_NAME, pattern: '\\S' })
  @IsString()
  @MaxLength(MAX_VARIANT_NAME)
  @Matches(/\S/u, { message: 'name must hold more than white space' })
  name!: string;

  /** Options of the variant's searches; omitted ones have the default of `POST /retrieval/search`. */
  @ApiPropertyOptional({ type: () => VariantRetrievalDto })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => VariantRetrievalDto)
  retrieval?: VariantRetrievalDto;

  /**
   * Options of the variant's chats (`{}`: their defaults): when given, every case is asked as a chat as well. The search of the chat uses the
   * options of `retrieval`, and `top_k` only where `retrieval` gives it. Needs `chat:complete`.
   */
  @ApiPropertyOptional({ type: () => VariantChatDto })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => VariantChatDto)
  chat?: VariantChatDto;
}
