import { defineErrors } from '#libs/common';

export const documentErrors = defineErrors('documents', {
  not_found: {
    status: 404,
    title: 'Document not found',
    detail: () => 'There is no such document, or you may not see it.',
  },
  duplicate: {
    status: 409,
    title: 'Document already there',
    detail: (f: { name: string; documentId: string }) =>
      `The dataset already holds a document with the same content: "${f.name}" (${f.documentId}). Send on_duplicate=skip to get that one, or keep_both to add another.`,
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
  text_not_ready: {
    status: 409,
    title: 'Text not there yet',
    detail: (f: { status: string }) =>
      `The document has no text yet: it is ${f.status}. Poll GET /documents/{id}/status until it is completed.`,
  },
});
