import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsIn, IsObject, IsString, IsUUID, Matches, MaxLength, ValidateNested } from 'class-validator';
import { IfPresent } from '#libs/http';
import { SearchRequestDto } from './search-request.dto.js';

export const EXPECTED_TEXT_MAX = 4096;
export const EXPLAINED_PURPOSES = ['search', 'chat'] as const;
export type ExplainedPurpose = (typeof EXPLAINED_PURPOSES)[number];

/**
 * What should have been found; at least one field. With several they must agree: the chunk belongs to the document and holds
 * the text, else it is 422.
 */
export class ExpectedDto {
  /** A document, any chunk of which will do. The id of an archive means its files. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IfPresent()
  @IsUUID()
  document_id?: string;

  /** A chunk. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IfPresent()
  @IsUUID()
  chunk_id?: string;

  /**
   * Words that stand in the text, compared without regard to case and with any white space for any other. Any chunk that holds
   * them will do. Without `document_id` they are looked for in all documents of the datasets that are searchable.
   */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: EXPECTED_TEXT_MAX, pattern: '\\S' })
  @IfPresent()
  @IsString()
  @MaxLength(EXPECTED_TEXT_MAX)
  @Matches(/\S/u, { message: 'text must hold more than white space' })
  text?: string;
}

/** A search, what should have been found by it, and for whom. */
export class ExplainRequestDto extends SearchRequestDto {
  /** What should have been found. */
  @ApiProperty({ type: () => ExpectedDto, minProperties: 1 })
  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => ExpectedDto)
  expected!: ExpectedDto;

  /**
   * What is explained: the search, or the search of a chat with `query` as its only message. A chat has defaults of its own (`top_k` 8),
   * and may leave out what is found: `CONTEXT_BUDGET`, `REFUSED`.
   */
  @ApiPropertyOptional({ enum: EXPLAINED_PURPOSES, default: 'search' })
  @IfPresent()
  @IsIn(EXPLAINED_PURPOSES)
  purpose?: ExplainedPurpose;

  /**
   * Explain what this account of the tenant would get instead of the caller; needs `tenant:observability`. It must be a member. The caller
   * learns nothing of documents that it does not see itself.
   */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IfPresent()
  @IsUUID()
  as_account_id?: string;
}
