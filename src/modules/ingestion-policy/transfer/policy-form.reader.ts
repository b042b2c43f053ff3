import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import {
  FIELDS_BYTES,
  IMPORT_BODY_BYTES,
  MalformedMultipart,
  readMultipart,
  TooManyParts,
  validationFailed,
  type MultipartPart,
  type Pace,
} from '#libs/http';
import { policyErrors } from '../ingestion-policy.errors.js';

/** The parts of a request with an unread body that the reader needs. */
export interface FormRequest {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Readable;
}

export interface UploadedPolicyFile {
  readonly name: string;
  readonly content: Buffer;
}

const FILE_FIELD = 'file';
const MOST_PARTS = 8;

/** The single file of a form. @throws `ingestion_policy.not_multipart`, `malformed_multipart`, `file_too_large`, 422 for other fields */
export async function readPolicyForm(
  request: FormRequest,
  { seconds }: Pick<Pace, 'seconds'>,
): Promise<UploadedPolicyFile> {
  const contentType = request.headers['content-type'];
  if (!/^multipart\/form-data\b/i.test(contentType ?? '')) throw policyErrors.not_multipart({});
  let file: UploadedPolicyFile | undefined;
  const pace = { seconds, mostBytes: IMPORT_BODY_BYTES + FIELDS_BYTES };
  try {
    for await (const part of readMultipart(request.raw, contentType, MOST_PARTS, pace)) {
      if (part.name !== FILE_FIELD || file !== undefined) throw unexpected(part, file !== undefined);
      file = { name: fileNameOf(part), content: await readBounded(part.body) };
    }
  } catch (error) {
    throw toFormError(error);
  }
  if (file === undefined) throw fieldProblem('is_not_empty', 'is missing: send the policy in this field');
  return file;
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > IMPORT_BODY_BYTES) throw policyErrors.file_too_large({ limit: IMPORT_BODY_BYTES });
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function fileNameOf(part: MultipartPart): string {
  return part.parameters.get('filename')?.toString('utf8') ?? '';
}

function unexpected(part: MultipartPart, second: boolean): Error {
  if (second && part.name === FILE_FIELD) return fieldProblem('unexpected_file', 'at most one file may be sent');
  const pointer = `/${part.name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return validationFailed([{ pointer, code: 'unknown_field', detail: `unknown field; known: ${FILE_FIELD}` }]);
}

function fieldProblem(code: string, detail: string): Error {
  return validationFailed([{ pointer: `/${FILE_FIELD}`, code, detail }]);
}

function toFormError(error: unknown): unknown {
  if (error instanceof TooManyParts) return fieldProblem('too_many_parts', error.message);
  const { code, message } = error as { code?: string; message?: string };
  const brokenOff = code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
  if (error instanceof MalformedMultipart || brokenOff) {
    return policyErrors.malformed_multipart({ reason: message ?? 'it ended too early' });
  }
  return error;
}
