import { ApiProperty } from '@nestjs/swagger';
import { DocumentDetail } from '../record/document.dto.js';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Why a file became no document. */
export class UploadRejection {
  /** Status that an upload of this file alone would answer. */
  @ApiProperty({ type: 'integer', minimum: 400, maximum: 499, example: 409 })
  status!: number;

  /** Code of the error catalogue. */
  @ApiProperty({ example: 'documents.duplicate' })
  code!: string;

  /** What to change. */
  detail!: string;
}

/** What became of one file. Either `document` or `error` is null. */
export class BatchUploadItem {
  /** Place of the file in the form, from 0. */
  @ApiProperty(COUNT)
  index!: number;

  /** Its name. */
  file_name!: string;

  /** The document that it became or, with `skip`, that was there already. */
  @ApiProperty({ type: DocumentDetail, nullable: true })
  document!: DocumentDetail | null;

  /** Why there is none. */
  @ApiProperty({ type: UploadRejection, nullable: true })
  error!: UploadRejection | null;
}

/** What became of several files. */
export class BatchUploadResult {
  /** One entry for each file, in the order of the form. */
  @ApiProperty({ type: [BatchUploadItem] })
  results!: BatchUploadItem[];

  /** Files with a document. */
  @ApiProperty(COUNT)
  accepted!: number;

  /** Files without one. */
  @ApiProperty(COUNT)
  rejected!: number;
}
