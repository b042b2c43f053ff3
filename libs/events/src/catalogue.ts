import { defineEvent } from './define-event.js';

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

interface OfDataset {
  readonly dataset_id: string;
}

/** How much there was; counted when the removal was asked for. */
interface Removed extends OfDataset {
  readonly documents: number;
  readonly chunks: number;
  readonly blobs: number;
}

export interface DatasetDeleted extends Removed {
  readonly deletion_id: string;
}

export interface DatasetPurged extends Removed {
  readonly purge_id: string;
}

export interface PolicyVersionCreated extends OfDataset {
  readonly policy_version: number;
  readonly fingerprint: string;
  /** The version that it is a copy of. */
  readonly source_version: number | null;
  readonly author_id: string | null;
}

export interface ScanCompleted extends OfDataset {
  readonly scan_run_id: string;
  /** `profile` or `precheck`. */
  readonly kind: string;
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

/** A dataset is gone from lists and search, with its documents; its storage is cleaned in the background. */
export const DATASET_DELETED = defineEvent<DatasetDeleted>({
  type: 'dataset.deleted',
  version: 1,
  publisher: 'datasets',
  subject: 'dataset_id',
});

/** A purge has removed everything that deleted documents of a dataset had left. */
export const DATASET_PURGED = defineEvent<DatasetPurged>({
  type: 'dataset.purged',
  version: 1,
  publisher: 'documents',
  subject: 'dataset_id',
});

/** A dataset has a new version of its ingestion policy, the first one included. */
export const POLICY_VERSION_CREATED = defineEvent<PolicyVersionCreated>({
  type: 'policy.version_created',
  version: 1,
  publisher: 'ingestion-policy',
  subject: 'dataset_id',
});

/** A scan of a dataset has come to its end; what it found is read by its id. */
export const SCAN_COMPLETED = defineEvent<ScanCompleted>({
  type: 'scan.completed',
  version: 1,
  publisher: 'scans',
  subject: 'scan_run_id',
});

export interface EvaluationCompleted {
  readonly evaluation_id: string;
  /** The datasets that it is about; anyone who does not see all of them does not see it. */
  readonly dataset_ids: readonly string[];
  /** `pass`, `fail` or `inconclusive`; null where it had no gates. */
  readonly verdict: string | null;
  readonly cases: number;
  readonly variants: number;
}

export interface KgCompleted extends OfDataset {
  readonly kg_id: string;
  /** Documents that were looked at, those included whose part was there already. */
  readonly documents: number;
  /** `completed`; `incomplete` where it ended before all documents were looked at. */
  readonly status: string;
  /** Code of why it is incomplete, else null. */
  readonly reason: string | null;
  /** `heuristic` or `llm`. */
  readonly mode: string;
  /** What it took of a chat model: nothing by rules. */
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number;
  /** Stretches of text that the model gave nothing for. */
  readonly skipped_chunks: number;
  /** What was left out of its answers, each once, for example `chunk.malformed`; how often is read by `kg_id`. */
  readonly skipped: readonly string[];
}

/** An extraction that someone asked for has come to its end; the graph is read by `kg_id`. */
export const KG_COMPLETED = defineEvent<KgCompleted>({
  type: 'kg.completed',
  version: 1,
  publisher: 'kg',
  subject: 'dataset_id',
});

/** An evaluation has come to its end and its report can be read. */
export const EVALUATION_COMPLETED = defineEvent<EvaluationCompleted>({
  type: 'evaluation.completed',
  version: 1,
  publisher: 'evaluations',
  subject: 'evaluation_id',
});
