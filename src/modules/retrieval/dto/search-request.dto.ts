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
   * What is looked for, in any language: a question, words, an identifier. It is data; nothing in it is an operator.
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

  /** Datasets to search, 1 to 50; each must be visible to the caller. */
  @ApiProperty({ type: [String], format: 'uuid', minItems: 1, maxItems: DATASETS_MAX })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(DATASETS_MAX)
  @IsUUID(undefined, { each: true })
  dataset_ids!: string[];

  /**
   * How many results at most. Of this and all options below: where the request is silent, `retrieval_defaults` of the datasets'
   * ingestion policies hold, where all of the datasets have the same; else the default named here.
   */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: TOP_K_MAX, default: TOP_K_DEFAULT })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(TOP_K_MAX)
  top_k?: number;
}
