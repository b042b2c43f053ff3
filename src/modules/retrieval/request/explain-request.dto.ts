import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsObject, ValidateNested } from 'class-validator';
import { Choice, Flag, Text, Uuid } from '#libs/http';
import { SearchRequestDto } from './search-request.dto.js';

export const EXPECTED_TEXT_MAX = 4096;
export const EXPLAINED_PURPOSES = ['search', 'chat'] as const;
export type ExplainedPurpose = (typeof EXPLAINED_PURPOSES)[number];

/**
 * The expected result; at least one field is required. Several fields must agree: the chunk belongs to the document and contains the text,
 * otherwise the response is 422.
 */
export class ExpectedDto {
  /** Identifier of a document, any chunk of which is expected. The id of an archive means its files. */
  @Uuid({ optional: true })
  document_id?: string;

  /** Identifier of a chunk. */
  @Uuid({ optional: true })
  chunk_id?: string;

  /**
   * Words of the text; any chunk that contains them is expected. Case and kinds of white space are ignored. Without `document_id` all searchable
   * documents of the datasets are examined.
   */
  @Text({ optional: true, filled: true, max: EXPECTED_TEXT_MAX })
  text?: string;
}

/** A search, the result that was expected from it, and the account to explain it for. */
export class ExplainRequestDto extends SearchRequestDto {
  /**
   * Document, chunk or text that should have been found; at least one field is required. Several fields must agree (the chunk belongs to the
   * document and contains the text); otherwise the response is 422.
   */
  @ApiProperty({ type: () => ExpectedDto, minProperties: 1 })
  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => ExpectedDto)
  expected!: ExpectedDto;

  /**
   * What to explain: a search, or the search of a chat that asks `query`. The search of a chat has its own defaults (`top_k` 8), and a chat may
   * leave out results that its search found (`CONTEXT_BUDGET`, `REFUSED`).
   */
  @Choice(EXPLAINED_PURPOSES, { optional: true, default: 'search' })
  purpose?: ExplainedPurpose;

  /**
   * Whether `query` is a follow-up question that a chat completed with words of earlier questions (`retrieval.query` of its answer): a passage
   * without those words may still answer it. Has no effect on a search.
   */
  @Flag({ optional: true, default: false })
  follow_up?: boolean;

  /**
   * Identifier of the account of a member, for whom the search is explained instead of for the caller. Needs `tenant:observability`. Documents
   * that the caller may not see are not revealed.
   */
  @Uuid({ optional: true })
  as_account_id?: string;
}
