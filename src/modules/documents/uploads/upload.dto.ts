import { ApiProperty } from '@nestjs/swagger';
import { ON_SAME_NAME } from '../../datasets/index.js';
import { MAX_PATH_LENGTH } from '../record/document-path.js';
import { ON_DUPLICATE } from './upload-options.js';

/** Fields of an upload form beside its files. They may come before or after the files. */
class UploadFieldsDto {
  /** Identifier of the dataset that takes the document. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /**
   * Metadata of the document as a JSON object, for search filters; at most 64 KiB: `{"department": "sales", "year": 2026}`. A new Markdown
   * document also gets the fields of its front matter that are not sent here.
   */
  @ApiProperty({ required: false, type: String, example: '{}' })
  metadata?: string;

  /**
   * Tags, at most 50, each of at most 128 characters; send the field once for each tag. If none is sent, a new document gets the `tags` of
   * its front matter.
   */
  @ApiProperty({ required: false, type: [String], example: [] })
  tags?: string[];

  /**
   * What to do if the dataset has a document with the same content; `cancelled` and `failed` documents do not count. `reject`: answer 409.
   * `skip`: return the existing document. `keep_both`: make another document. `new_revision`: add the file as the next revision of that
   * document or, if no document has the same content, of the newest document with the same path (without a path: the same name); metadata
   * and tags that are not sent stay, and the old chunks are searchable until the new ones replace them.
   */
  @ApiProperty({ required: false, enum: ON_DUPLICATE, default: 'reject' })
  on_duplicate?: string;

  /**
   * What to do if the dataset has a document with the same name but another content. Documents are compared by `path` if there is one,
   * otherwise by file name; so `README.md` in two folders are two documents. `keep_both`: make another document with the warning
   * `SAME_NAME`, which names the newest earlier one. `new_revision`: add the file as the next revision of that document, as with
   * `on_duplicate`; if the dataset's policy masks a part of the file name, the file becomes another document. If left out, the setting of
   * the dataset applies. If a document has the same content, `on_duplicate` decides first.
   */
  @ApiProperty({ required: false, enum: ON_SAME_NAME })
  on_same_name?: string;
}

/** The form of an upload. */
export class UploadFormDto extends UploadFieldsDto {
  /** The file; its name becomes the name of the document. */
  @ApiProperty({ type: 'string', format: 'binary' })
  file!: unknown;

  /**
   * Folder and name of the file, at most 1,024 characters: `guides/setup/README.md`. Separate the parts by `/` (`\\` is read as `/`); an
   * absolute path, `..` and control characters are refused with 422. Lists and citations show it, and filters can use it as `path`.
   */
  @ApiProperty({ required: false, type: String, maxLength: MAX_PATH_LENGTH, example: '' })
  path?: string;
}

/** The form of an upload of several files. The other fields apply to each of them. */
export class BatchUploadFormDto extends UploadFieldsDto {
  /** The files, 1 to 20; their names become the names of the documents. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'binary' }, minItems: 1, maxItems: 20 })
  files!: unknown[];

  /**
   * Folder and name of each file, as in `POST /documents/upload`: send the field once for each file, in the order of the files, or not at
   * all; an empty value means no path.
   */
  @ApiProperty({
    required: false,
    type: 'array',
    items: { type: 'string', maxLength: MAX_PATH_LENGTH },
    maxItems: 20,
    example: [],
  })
  path?: string[];
}
