import { MalformedMultipart, TooManyParts, validationFailed } from '#libs/http';
import { documentErrors } from '../documents.errors.js';

/** What went wrong with a form, as its sender is told. */
export function toUploadError(error: unknown): unknown {
  if (error instanceof MalformedMultipart) return documentErrors.malformed_multipart({ reason: error.message });
  if (error instanceof TooManyParts) {
    return validationFailed([{ pointer: '', code: 'too_many_parts', detail: error.message }]);
  }
  const { code } = error as { code?: string };
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return documentErrors.malformed_multipart({ reason: 'it ended too early' });
  }
  return error;
}
