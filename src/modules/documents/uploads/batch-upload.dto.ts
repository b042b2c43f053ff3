import { ApiProperty } from '@nestjs/swagger';
import { DocumentDetail } from '../record/document.dto.js';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Why a file became no document. */
export class UploadRejection {
  /** HTTP status that an upload of this file alone would get. */
  @ApiProperty({ type: 'integer', minimum: 400, maximum: 499, example: 409 })
  status!: number;

  /** Error code. */
  @ApiProperty({ example: 'documents.duplicate' })
  code!: string;

  /** Reason, and what to change in the file or the request. */
  detail!: string;
}

/** What became of one file. Either `document` or `error` is null. */
export class BatchUploadItem {
  /** Position of the file in the form, from 0. */
  @ApiProperty(COUNT)
  index!: number;

  /** Name of the file. */
  file_name!: string;

  /** The document of the file, or with `skip` the document that existed already; null: the file was rejected. */
  @ApiProperty({ type: DocumentDetail, nullable: true })
  document!: DocumentDetail | null;

  /** Why the file was rejected; null: there is a document. */
  @ApiProperty({ type: UploadRejection, nullable: true })
  error!: UploadRejection | null;
}

/** What became of several files. */
export class BatchUploadResult {
  /** Results of the files, in the order of the form. */
  @ApiProperty({ type: [BatchUploadItem] })
  results!: BatchUploadItem[];

  /** Number of files that have a document. */
  @ApiProperty(COUNT)
  accepted!: number;

  /** Number of rejected files. */
  @ApiProperty(COUNT)
  rejected!: number;
}
