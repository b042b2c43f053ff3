import { defineEvent } from '#libs/events';

/** What every event of a document says. */
interface OfDocument {
  readonly document_id: string;
  readonly dataset_id: string;
  /** Revision of the document, from 1, that the event is about. */
  readonly revision: number;
  /** Counts ingestions of the document, from 1. */
  readonly attempt: number;
  /** Version of the dataset's policy that the attempt follows. */
  readonly policy_version: number;
}

export interface DocumentCompleted extends OfDocument {
  readonly chunk_count: number;
  readonly token_count: number;
  readonly page_count: number | null;
  readonly size_bytes: number;
}

export interface DocumentCompletedWithWarnings extends DocumentCompleted {
  /** Codes, each once. */
  readonly warnings: readonly string[];
}

export interface DocumentFailed extends OfDocument {
  readonly error_code: string;
  readonly stage: string;
  /** Whether the same file may succeed another time. */
  readonly retryable: boolean;
  /** Whether chunks of an earlier ingestion are still found. */
  readonly searchable: boolean;
}

export interface DocumentCancelled extends OfDocument {
  /** `cancelled`, or `completed` where an earlier ingestion is shown again. */
  readonly status: string;
}

export type DocumentQuarantined = OfDocument;
export type DocumentReleased = OfDocument;
export type DocumentRenamed = OfDocument;

export interface DocumentDeleted extends OfDocument {
  /** What the document was. */
  readonly status: string;
  /** Whether it went with its dataset. */
  readonly with_dataset: boolean;
}

export interface DatasetPurged {
  readonly dataset_id: string;
  /** The documents, chunks and files that there were when the removal was asked for. */
  readonly documents: number;
  readonly chunks: number;
  readonly blobs: number;
  readonly purge_id: string;
}

/** An ingestion succeeded, with nothing to remark: its chunks are the ones that are found. */
export const DOCUMENT_COMPLETED = defineEvent<DocumentCompleted>({
  type: 'document.completed',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** The same with warnings, instead of `document.completed`. */
export const DOCUMENT_COMPLETED_WITH_WARNINGS = defineEvent<DocumentCompletedWithWarnings>({
  type: 'document.completed_with_warnings',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** An ingestion failed for good; a retry is a new attempt. */
export const DOCUMENT_FAILED = defineEvent<DocumentFailed>({
  type: 'document.failed',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** Someone stopped an ingestion. */
export const DOCUMENT_CANCELLED = defineEvent<DocumentCancelled>({
  type: 'document.cancelled',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** A document was taken out of search until it is released. */
export const DOCUMENT_QUARANTINED = defineEvent<DocumentQuarantined>({
  type: 'document.quarantined',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** A document has another name; its content is the same. */
export const DOCUMENT_RENAMED = defineEvent<DocumentRenamed>({
  type: 'document.renamed',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** A document left quarantine; it is ingested again. */
export const DOCUMENT_RELEASED = defineEvent<DocumentReleased>({
  type: 'document.released',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** A document is gone from lists and search; what it stored goes with the next purge. The last event of its subject. */
export const DOCUMENT_DELETED = defineEvent<DocumentDeleted>({
  type: 'document.deleted',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** A purge has removed everything that deleted documents of a dataset had left. */
export const DATASET_PURGED = defineEvent<DatasetPurged>({
  type: 'dataset.purged',
  version: 1,
  publisher: 'documents',
  subject: 'dataset_id',
});
