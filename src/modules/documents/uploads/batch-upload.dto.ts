import { Answer } from '#libs/http';
import { DocumentDetail } from '../record/document.dto.js';

/** Why a file was rejected. */
export class UploadRejection {
  /** HTTP status that an upload of this file alone would get. */
  @Answer.Integer({ min: 400, max: 499, example: 409 })
  status!: number;

  /** Error code. */
  @Answer.Text({ example: 'documents.duplicate' })
  code!: string;

  /** Reason, and what to change in the file or the request. */
  detail!: string;
}

/** Outcome for one file. Either `document` or `error` is null. */
export class BatchUploadItem {
  /** Position of the file in the form, from 0. */
  @Answer.Count()
  index!: number;

  /** Name of the file. */
  file_name!: string;

  /** The document of the file, or with `skip` the document that existed already; null: the file was rejected. */
  @Answer.Nested(DocumentDetail, { nullable: true })
  document!: DocumentDetail | null;

  /** Why the file was rejected; null: there is a document. */
  @Answer.Nested(UploadRejection, { nullable: true })
  error!: UploadRejection | null;
}

/** Outcome of an upload of several files. */
export class BatchUploadResult {
  /** Results of the files, in the order of the form. */
  @Answer.NestedList(BatchUploadItem)
  results!: BatchUploadItem[];

  /** Number of files that have a document. */
  @Answer.Count()
  accepted!: number;

  /** Number of rejected files. */
  @Answer.Count()
  rejected!: number;
}
