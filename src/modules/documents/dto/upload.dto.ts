import { ApiProperty } from '@nestjs/swagger';

/** The form of an upload. The fields may stand before or after the file. */
export class UploadFormDto {
  /** The file; its name becomes the document's name. */
  @ApiProperty({ type: 'string', format: 'binary' })
  file!: unknown;

  /** Dataset that takes the document. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** JSON object with facts about the document that searches can filter by, at most 64 KiB. */
  @ApiProperty({ required: false, type: String, example: '{"department":"sales","year":2026}' })
  metadata?: string;

  /** Tags; send the field once for each. */
  @ApiProperty({ required: false, type: [String] })
  tags?: string[];

  /** What to do when the dataset holds a document with the same content. `cancelled` and `failed` ones do not count. */
  @ApiProperty({ required: false, enum: ['reject', 'skip', 'keep_both'], default: 'reject' })
  on_duplicate?: string;
}
