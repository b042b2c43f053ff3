import { defineErrors } from '#libs/common';
import type { DocumentStatusName } from './record/document.entity.js';
import { describeIllegalMove, DOCUMENT_MOVES, type DocumentMove } from './record/document-moves.js';

export const documentErrors = defineErrors('documents', {
  not_found: {
    status: 404,
    title: 'Document not found',
    detail: () => 'There is no such document, or you may not see it.',
  },
  duplicate: {
    status: 409,
    title: 'Document already exists',
    detail: (f: { name: string; documentId: string }) =>
      `The dataset already holds a document with the same content: "${f.name}" (${f.documentId}). Send on_duplicate=skip to get that one, new_revision to replace it, or keep_both to add another.`,
  },
  type_not_supported: {
    status: 415,
    title: 'Type of file not supported',
    detail: (f: { name: string; mediaType: string; supported: string }) =>
      `"${f.name}" is of type ${f.mediaType}, which cannot be read. Supported are ${f.supported}.`,
  },
  type_not_allowed: {
    status: 415,
    title: 'Type of file not allowed',
    detail: (f: { name: string; mediaType: string; allowed: readonly string[]; version: number }) =>
      `"${f.name}" is of type ${f.mediaType}. The dataset's ingestion policy (version ${f.version}, governance.allowed_types) allows only ${f.allowed.join(', ')}.`,
  },
  too_large_for_policy: {
    status: 413,
    title: 'File too large for the dataset',
    detail: (f: { name: string; sizeBytes: number; limit: number; version: number }) =>
      `"${f.name}" has ${f.sizeBytes} bytes. The dataset's ingestion policy (version ${f.version}, governance.max_bytes) allows ${f.limit}.`,
  },
  fields_too_large: {
    status: 413,
    title: 'Fields too large',
    detail: (f: { limit: number }) =>
      `The text fields of the form exceed ${f.limit} bytes in total. Send fewer or shorter fields.`,
  },
  file_too_large: {
    status: 413,
    title: 'File too large',
    detail: (f: { limit: number }) =>
      `The file is larger than the ${f.limit} bytes that may be uploaded (MAX_UPLOAD_BYTES).`,
  },
  not_multipart: {
    status: 415,
    title: 'Not multipart',
    detail: () => 'Send the file as multipart/form-data with the fields file and dataset_id.',
  },
  malformed_multipart: {
    status: 400,
    title: 'Malformed multipart body',
    detail: (f: { reason: string }) =>
      `The multipart body cannot be read: ${f.reason}. Nothing was stored; send it again.`,
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    detail: (f: { sizeBytes: number }) =>
      `The Range header asks for bytes outside the file, which has ${f.sizeBytes} bytes. Send a range within the file, such as bytes=0-1023, or leave the header out.`,
  },
  text_not_ready: {
    status: 409,
    title: 'Text not available yet',
    detail: (f: { status: string }) =>
      `The document has no text yet: it is ${f.status}. Poll GET /documents/{id}/status until it is completed.`,
  },
  purge_not_found: {
    status: 404,
    title: 'Purge not found',
    detail: () => 'There is no such purge of the dataset.',
  },
  embedding_model_missing: {
    status: 409,
    title: 'Embedding model missing',
    detail: (f: { model: string }) =>
      `The ingestion policy names the embedding model ${f.model}, which this installation does not have. Name one of GET /models with port "embedding" in the policy, or have it added to MODELS_FILE.`,
  },
  reembedding_not_found: {
    status: 404,
    title: 'Re-embedding not found',
    detail: () => 'There is no such re-embedding of the dataset.',
  },
  reembedding_final: {
    status: 409,
    title: 'Cannot be rolled back',
    detail: (f: { reason: string }) => `The re-embedding cannot be rolled back: ${f.reason}.`,
  },
  illegal_state: {
    status: 409,
    title: 'Not possible in this state',
    detail: (f: { move: DocumentMove; status: DocumentStatusName }) => describeIllegalMove(f.move, f.status),
  },
  rejected_by_policy: {
    status: 409,
    title: 'Rejected by the ingestion policy',
    detail: (f: { move: DocumentMove }) =>
      `The ingestion policy has rejected the document, so it cannot be ${DOCUMENT_MOVES[f.move].done}. Upload a file that the policy allows, as a new document or as a new revision of this one.`,
  },
  content_removed: {
    status: 410,
    title: 'Original removed',
    detail: () =>
      'The original was removed 24 hours after the ingestion policy had rejected the document or a file of the archive. Upload a file that the policy allows.',
  },
  archive_without_text: {
    status: 409,
    title: 'An archive has no text',
    detail: () =>
      'The document is an archive whose files are documents of their own: GET /documents/ with archive_id lists them, and each has its text.',
  },
  archive_file_deleted: {
    status: 403,
    title: 'Archive withheld',
    detail: () =>
      'The archive can no longer be downloaded because one of its files was deleted. Each of the other files can be downloaded by itself.',
  },
  archive_content_removed: {
    status: 410,
    title: 'Archive removed',
    detail: () =>
      'The bytes of the archive were removed when one of its files was purged. Each of the other files can be downloaded by itself.',
  },
  content_guarded: {
    status: 403,
    title: 'Original withheld',
    detail: () =>
      'Downloading the original needs the permission governance:read, because it may contain what the ingestion policy masks or rejects. The text and the chunks stay readable.',
  },
  no_pdf: {
    status: 409,
    title: 'Not a PDF',
    detail: (f: { mediaType: string }) =>
      `Only text of a PDF can be located on a page; this document is of type ${f.mediaType}. Its text is at GET /documents/{id}/text.`,
  },
  page_not_found: {
    status: 404,
    title: 'Page not found',
    detail: (f: { page: string; pages: number | null }) =>
      `The document has no page ${f.page}${f.pages === null ? '' : `: its pages are 1 to ${f.pages}`}.`,
  },
  outside_text: {
    status: 422,
    title: 'Outside of the text',
    detail: (f: { length: number }) =>
      `end is beyond the end of the text, which has ${f.length} code units. Offsets refer to the revision that searches show.`,
  },
  not_on_page: {
    status: 422,
    title: 'Not on this page',
    detail: (f: { page: number; actual: number | null }) =>
      `Nothing of this text is on page ${f.page}${f.actual === null ? '' : `: it begins on page ${f.actual}`}.`,
  },
  without_place: {
    status: 409,
    title: 'Place of the text unknown',
    detail: () =>
      'The place of this text on the page is unknown, because the text comes from a comment, a form field or OCR. The text itself is at GET /documents/{id}/text.',
  },
  page_unreadable: {
    status: 422,
    title: 'Page not readable',
    detail: (f: { page: number; reason: string }) => `Page ${f.page} of the file cannot be read: ${f.reason}`,
  },
  page_not_read: {
    status: 503,
    title: 'Page not read',
    detail: () => 'Reading the page took too long or was interrupted. Try again.',
  },
  quarantined: {
    status: 403,
    title: 'Document in quarantine',
    detail: () =>
      'The document is quarantined: its text, chunks and file need the permission governance:read. Its status and timeline stay readable.',
  },
});
