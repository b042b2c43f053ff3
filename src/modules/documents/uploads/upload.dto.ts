import { ApiProperty } from '@nestjs/swagger';
import { ON_SAME_NAME } from '../../datasets/index.js';
import { MAX_PATH_LENGTH } from '../record/document-path.js';
import { ON_DUPLICATE } from './upload-wish.js';

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
   * no content is the same, of the newest document with the same path (without a path: the same name); metadata and tags that are not sent stay, and the old chunks
   * are searchable until the new ones replace them.
   */
  @ApiProperty({ required: false, enum: ON_DUPLICATE, default: 'reject' })
  on_duplicate?: string;

  /**
   * What to do when the dataset holds a document of the same name with another content; the name is the `path` where there is one, else the
   * file's name, so that `README.md` of two folders are two documents. `keep_both`: the file becomes another document with the warning
   * `SAME_NAME`, which names the newest former one. `new_revision`: the file becomes the next revision of that document, as with
   * `on_duplicate`; a file whose name the dataset's policy masks in part is kept beside. Left out: as the dataset has it. Of a file whose content is
   * there already `on_duplicate` decides first.
   */
  @ApiProperty({ required: false, enum: ON_SAME_NAME })
  on_same_name?: string;
}

/** The form of an upload. */
export class UploadFormDto extends UploadFieldsDto {
  /** The file; its name becomes the document's name. */
  @ApiProperty({ type: 'string', format: 'binary' })
  file!: unknown;

  /**
   * Where the file lies in its folder, with its name at the end; at most 1,024 characters: `guides/setup/README.md`. Parts are joined by
   * `/` (`\\` is read as `/`); a path from the top of a disk, `..` and control characters are 422. Shown in lists and citations; filters know it as `path`.
   */
  @ApiProperty({ required: false, type: String, maxLength: MAX_PATH_LENGTH, example: '' })
  path?: string;
}

/** The form of an upload of several files. The other fields hold for each of them. */
export class BatchUploadFormDto extends UploadFieldsDto {
  /** The files, 1 to 20; their names become the documents' names. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'binary' }, minItems: 1, maxItems: 20 })
  files!: unknown[];

  /**
   * Where each file lies in its folder, as in `POST /documents/upload`: send the field once for each file, in the order of the files, or
   * not at all; an empty value says nothing of its file.
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
