import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IfPresent } from '#libs/http';
import { TOP_K_MAX } from '../../ingestion-policy/index.js';
import { SearchOptionsDto, TOP_K_DEFAULT } from './search-options.dto.js';

export const QUERY_MAX = 4096;
export const DATASETS_MAX = 50;

/** A search over datasets. */
export class SearchRequestDto extends SearchOptionsDto {
  /**
   * Text to search for, in any language: a question, words, an identifier. Nothing in it is read as an operator.
   * @example "How long is the notice period?"
   */
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: QUERY_MAX,
    pattern: '\\S',
    example: 'How long is the notice period?',
  })
  @IsString()
  @MaxLength(QUERY_MAX)
  @Matches(/\S/u, { message: 'query must hold more than white space' })
  query!: string;

  /** Identifiers of the datasets to search, 1 to 50; each must be visible to the caller. */
  @ApiProperty({ type: [String], format: 'uuid', minItems: 1, maxItems: DATASETS_MAX })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(DATASETS_MAX)
  @IsUUID(undefined, { each: true })
  dataset_ids!: string[];

  /**
   * Maximum number of results. For this and all options below: an option that the request does not set takes its value from
   * `retrieval_defaults` of the datasets' ingestion policies, if these agree; otherwise the default given here applies.
   */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: TOP_K_MAX, default: TOP_K_DEFAULT })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(TOP_K_MAX)
  top_k?: number;
}
