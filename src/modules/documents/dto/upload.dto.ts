import { ApiProperty } from '@nestjs/swagger';
import { ON_DUPLICATE } from '../upload-wish.js';

/** What is said of the files of a form beside their bytes. The fields may stand before or after the files. */
class UploadFieldsDto {
  /** Dataset that takes the document. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /**
   * JSON object with facts about the document that searches can filter by, at most 64 KiB: `{"department": "sales", "year": 2026}`. A new
   * document of a Markdown file also gets the fields of its front matter that are not sent here.
   */
  @ApiProperty({ required: false, type: String, example: '{}' })
  metadata?: string;

  /** Tags, at most 50 of at most 128 characters; send the field once for each. Where none is sent, a new document has the `tags` of its front matter. */
  @ApiProperty({ required: false, type: [String], example: [] })
  tags?: string[];

  /**
   * What to do when the dataset holds a document with the same content; `cancelled` and `failed` ones do not count. `reject`: 409.
   * `skip`: that document. `keep_both`: another document. `new_revision`: the file becomes the next revision of that document or, where
   * no content is the same, of the newest document with the same name; metadata and tags that are not sent stay, and the old chunks
   * are searchable until the new ones replace them.
   */
  @ApiProperty({ required: false, enum: ON_DUPLICATE, default: 'reject' })
  on_duplicate?: string;
}

/** The form of an upload. */
export class UploadFormDto extends UploadFieldsDto {
  /** The file; its name becomes the document's name. */
  @ApiProperty({ type: 'string', format: 'binary' })
  file!: unknown;
}

/** The form of an upload of several files. The other fields hold for each of them. */
export class BatchUploadFormDto extends UploadFieldsDto {
  /** The files, 1 to 20; their names become the documents' names. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'binary' }, minItems: 1, maxItems: 20 })
  files!: unknown[];
}
