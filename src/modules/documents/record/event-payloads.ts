import type {
  DocumentCancelled,
  DocumentCompleted,
  DocumentCompletedWithWarnings,
  DocumentDeleted,
  DocumentFailed,
  DocumentReleased,
} from '../documents.events.js';
import type { CompletedAttempt } from './attempt.js';
import type { DocumentFailure, DocumentRow } from './document.entity.js';
import { isSearchable } from './document-views.js';

/** A completed attempt, with the document's row from before. */
export interface EndedAttempt {
  readonly row: DocumentRow;
  readonly result: CompletedAttempt;
}

/** The part of the payload that every event of a document has. */
export function factsOf(
  row: Pick<DocumentRow, 'id' | 'dataset_id' | 'revision' | 'attempt' | 'policy_version'>,
): DocumentReleased {
  return {
    document_id: row.id,
    dataset_id: row.dataset_id,
    revision: row.revision,
    attempt: row.attempt,
    policy_version: row.policy_version,
  };
}

export function completedOf({ row, result }: EndedAttempt): DocumentCompleted {
  return {
    ...factsOf(row),
    policy_version: result.policyVersion,
    chunk_count: result.chunkCount,
    token_count: result.tokenCount,
    page_count: result.facts === null ? row.page_count : result.facts.page_count,
    size_bytes: Number(row.size_bytes),
  };
}

export function completedWithWarningsOf(ended: EndedAttempt): DocumentCompletedWithWarnings {
  return { ...completedOf(ended), warnings: [...new Set(ended.result.warnings.map(({ code }) => code))] };
}

export function failedOf(row: DocumentRow, failure: DocumentFailure): DocumentFailed {
  const { code, stage, retryable } = failure;
  return { ...factsOf(row), error_code: code, stage, retryable, searchable: isSearchable(row) };
}

/** Payload from the row after the cancellation. */
export function cancelledOf(row: DocumentRow): DocumentCancelled {
  return { ...factsOf(row), status: row.status };
}

export function deletedOf(
  row: Parameters<typeof factsOf>[0] & Pick<DocumentRow, 'status'>,
  withDataset: boolean,
): DocumentDeleted {
  return { ...factsOf(row), status: row.status, with_dataset: withDataset };
}
