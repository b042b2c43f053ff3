import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { Text, Uuids } from '#libs/http';
import { GROUNDING_MODES, type GroundingMode } from '../../chat/index.js';
import { DATASETS_MAX, QUERY_MAX } from '../../retrieval/index.js';

export const READ_CHARS_DEFAULT = 8_000;
export const READ_CHARS_MAX = 32_000;

/** Arguments of the tool `answer`. */
export class AnswerArguments {
  /** The question, understandable on its own. */
  @Text({ filled: true, max: QUERY_MAX })
  question!: string;

  /** Ids of the datasets to answer from, as list_datasets gives them. */
  @Uuids({ min: 1, max: DATASETS_MAX })
  dataset_ids!: string[];

  /** What happens to sentences that the documents do not support: marked (annotate), left out (strict) or not checked (off). */
  @ApiPropertyOptional({ enum: GROUNDING_MODES, default: 'annotate' })
  @IsOptional()
  @IsIn(GROUNDING_MODES)
  grounding?: GroundingMode;
}

/** Arguments of the tool `read_document`. */
export class ReadDocumentArguments {
  /** Id of the document, as search gives it. */
  @Text({ max: 128 })
  document_id!: string;

  /** First UTF-16 code unit to read. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, default: 0 })
  @IsOptional()
  @IsInt()
  @Min(0)
  start?: number;

  /** Maximum number of UTF-16 code units to read. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: READ_CHARS_MAX, default: READ_CHARS_DEFAULT })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(READ_CHARS_MAX)
  length?: number;
}
