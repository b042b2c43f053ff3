import type { RevisionId } from '#libs/common';
import type { ChunkRow } from './chunk-row.js';
import type { DocumentEventRow, DocumentRow } from './document.entity.js';
import type {
  DocumentChunk,
  DocumentDetail,
  DocumentListItem,
  DocumentStatus,
  DocumentWarningDto,
  TimelineEntry,
} from './document.dto.js';
import { SAME_NAME } from './same-names.repository.js';

/** Whether a search can find the document now; this depends on its visible chunks, not on its status. */
export function isSearchable(row: DocumentRow): boolean {
  if (row.quarantined_at !== null) return false;
  return isSplit(row) ? row.searchable_parts > 0 : row.visible_generation !== null && row.chunk_count > 0;
}

/** Whether it is an archive whose files are documents of their own. */
export function isSplit(row: Pick<DocumentRow, 'split_revision_id'>): boolean {
  return row.split_revision_id !== null;
}

/** The revision whose text and file are shown; a later revision replaces it only together with its chunks. */
export function shownRevisionOf(row: DocumentRow): RevisionId {
  return row.visible_revision_id ?? row.revision_id;
}

export function toStatus(row: DocumentRow): DocumentStatus {
  const error = row.error;
  return {
    id: row.id,
    dataset_id: row.dataset_id,
    status: row.status,
    current_stage: row.current_stage,
    processing_progress: Math.round(row.progress * 10) / 10,
    error_message: error?.message ?? null,
    error: error === null ? null : { code: error.code, stage: error.stage, retryable: error.retryable },
    warnings: [...row.warnings.map(({ code, detail }) => ({ code, detail })), ...sameNameWarnings(row)],
    waiting_reason: row.waiting_reason ?? (row.status === 'pending' ? 'queued' : null),
    searchable: isSearchable(row),
    attempt: row.attempt,
    updated_at: row.updated_at.toISOString(),
  };
}

/** The warning that another document had the same name when this one was uploaded. */
function sameNameWarnings(row: Pick<DocumentRow, 'same_name_id' | 'path'>): DocumentWarningDto[] {
  if (row.same_name_id === null) return [];
  const what = row.path === null ? 'this name' : 'this path';
  const detail = `When this document was uploaded, the dataset had another document with ${what}: ${row.same_name_id}. Searches find both. Upload with on_same_name=new_revision to replace the earlier one instead, or delete one of them.`;
  return [{ code: SAME_NAME, detail, document_id: row.same_name_id }];
}

export function toListItem(row: DocumentRow): DocumentListItem {
  return {
    ...toStatus(row),
    name: row.name,
    path: row.path,
    archive_id: row.archive_id,
    media_type: row.media_type,
    size_bytes: Number(row.size_bytes),
    sha256: row.sha256,
    tags: [...row.tags],
    created_at: row.created_at.toISOString(),
  };
}

export function toDetail(row: DocumentRow): DocumentDetail {
  return {
    ...toListItem(row),
    charset: row.charset,
    language: row.language,
    revision: row.revision,
    policy_version: row.ingested_policy_version ?? row.policy_version,
    chunk_count: row.chunk_count,
    token_count: Number(row.token_count),
    page_count: row.page_count,
    fidelity: { ...row.fidelity },
    metadata: { ...row.metadata },
    created_by: row.created_by,
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

export function toTimelineEntry(row: DocumentEventRow): TimelineEntry {
  return { event: row.event, stage: row.stage, timestamp: row.created_at.toISOString(), details: { ...row.details } };
}

export function toChunk(row: ChunkRow): DocumentChunk {
  return {
    chunk_id: row.id,
    ordinal: row.ordinal,
    text: row.body,
    context: row.context,
    token_count: row.token_count,
    position: {
      page: row.page,
      page_end: row.page_end,
      char_start: Number(row.text_start),
      char_end: Number(row.text_end),
      heading_path: [...row.heading_path],
      sheet: row.sheet,
      row: row.row_number,
    },
  };
}
