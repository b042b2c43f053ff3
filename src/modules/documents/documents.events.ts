import { defineEvent } from '#libs/events';

/** Payload that every event of a document has. */
interface OfDocument {
  readonly document_id: string;
  readonly dataset_id: string;
  /** Revision of the document, from 1, that the event is about. */
  readonly revision: number;
  /** Number of the attempt, from 1. */
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
  /** Whether a retry of the same file can succeed. */
  readonly retryable: boolean;
  /** Whether searches still find chunks of an earlier ingestion. */
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
  /** Status that the document had when it was deleted. */
  readonly status: string;
  /** Whether it was deleted together with its dataset. */
  readonly with_dataset: boolean;
}

export interface DatasetPurged {
  readonly dataset_id: string;
  /** Numbers of documents, chunks and files at the time of the request. */
  readonly documents: number;
  readonly chunks: number;
  readonly blobs: number;
  readonly purge_id: string;
}

/** An ingestion succeeded without warnings; searches find its chunks. */
export const DOCUMENT_COMPLETED = defineEvent<DocumentCompleted>({
  type: 'document.completed',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** An ingestion succeeded with warnings; sent instead of `document.completed`. */
export const DOCUMENT_COMPLETED_WITH_WARNINGS = defineEvent<DocumentCompletedWithWarnings>({
  type: 'document.completed_with_warnings',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** An attempt failed; a retry begins another attempt. */
export const DOCUMENT_FAILED = defineEvent<DocumentFailed>({
  type: 'document.failed',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** An ingestion was cancelled. */
export const DOCUMENT_CANCELLED = defineEvent<DocumentCancelled>({
  type: 'document.cancelled',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** A document was quarantined; searches do not find it until it is released. */
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

/** A document was released from quarantine; it is ingested again. */
export const DOCUMENT_RELEASED = defineEvent<DocumentReleased>({
  type: 'document.released',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** A document was deleted: lists and searches no longer show it, and the next purge removes its data. The last event of its subject. */
export const DOCUMENT_DELETED = defineEvent<DocumentDeleted>({
  type: 'document.deleted',
  version: 1,
  publisher: 'documents',
  subject: 'document_id',
});

/** A purge has removed all data of the deleted documents of a dataset. */
export const DATASET_PURGED = defineEvent<DatasetPurged>({
  type: 'dataset.purged',
  version: 1,
  publisher: 'documents',
  subject: 'dataset_id',
});
