import { finished, Transform, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Multipart } from '@fastify/multipart';
import { newId, type DocumentId, type FieldProblem, type JsonObject, type RevisionId } from '#libs/common';
import { Settings } from '#libs/config';
import { StoreIntents, UnitOfWork } from '#libs/database';
import { brokenText, validationFailed } from '#libs/http';
import { objectKey, ObjectStorage, type ObjectKey } from '#libs/object-storage';
import { DETECTION_HEAD_BYTES } from '#libs/parsing';
import type { RequestContext } from '#libs/tenancy';
import { documentErrors } from './documents.errors.js';
import { cleanFileName } from './file-name.js';

/** A file that arrived and is stored, before anything is known about its document. */
export interface StoredUpload {
  readonly documentId: DocumentId;
  readonly revisionId: RevisionId;
  readonly blobKey: ObjectKey;
  readonly name: string;
  readonly declaredMediaType: string | null;
  readonly head: Buffer;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface UploadForm {
  readonly files: readonly StoredUpload[];
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

export interface UploadFormRules {
  readonly fileField: string;
  readonly maxFiles: number;
  readonly fields: readonly string[];
  /** Called with each field as it arrives, so that a hopeless upload is refused before its file is read. */
  readonly onField?: (name: string, value: string) => Promise<void>;
}

const MAX_FIELD_BYTES = 256 * 1024;
/** A blob whose document never came to be is removed after this time. */
const BLOB_GRACE_SECONDS = 24 * 3600;

/** Reads a multipart form and streams its files to the storage; the fields may stand before or after the files. */
@Injectable()
export class UploadFormReader {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly intents: StoreIntents,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /** @throws 415, 400, 413, 422; nothing stays stored when it throws. */
  async read(ctx: RequestContext, request: FastifyRequest, rules: UploadFormRules): Promise<UploadForm> {
    if (!request.isMultipart()) throw documentErrors.not_multipart({});
    const files: StoredUpload[] = [];
    const fields = new Map<string, string[]>();
    const problems: FieldProblem[] = [];
    try {
      await this.readParts(ctx, request, rules, { files, fields, problems });
      if (files.length === 0) problems.push(missingFile(rules.fileField));
      if (problems.length > 0) throw validationFailed(problems);
      return { files, fields };
    } catch (error) {
      await this.discard(ctx, files);
      throw toUploadError(error, this.settings.values.maxUploadBytes);
    }
  }

  /** Removes files whose document did not come to be. */
  async discard(ctx: RequestContext, files: readonly StoredUpload[]): Promise<void> {
    for (const file of files) {
      await this.storage.delete(file.blobKey);
      await this.unitOfWork.run(ctx, (_manager, inner) => this.intents.forget(inner, 'remove_blob', file.blobKey));
    }
  }

  private async readParts(
    ctx: RequestContext,
    request: FastifyRequest,
    rules: UploadFormRules,
    into: { files: StoredUpload[]; fields: Map<string, string[]>; problems: FieldProblem[] },
  ): Promise<void> {
    const limits = {
      fileSize: Number.MAX_SAFE_INTEGER,
      files: rules.maxFiles + 1,
      fields: 200,
      fieldSize: MAX_FIELD_BYTES,
    };
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        await this.readFile(ctx, part, rules, into);
      } else {
        await readField(part, rules, into);
      }
    }
  }

  private async readFile(
    ctx: RequestContext,
    part: Extract<Multipart, { type: 'file' }>,
    rules: UploadFormRules,
    into: { files: StoredUpload[]; problems: FieldProblem[] },
  ): Promise<void> {
    const unexpected = part.fieldname !== rules.fileField || into.files.length >= rules.maxFiles;
    if (!unexpected && part.filename) {
      into.files.push(await this.store(ctx, part.file, part.filename, part.mimetype));
      return;
    }
    part.file.resume();
    const detail = !part.filename
      ? 'a file needs a file name'
      : part.fieldname === rules.fileField
        ? `at most ${rules.maxFiles} file(s) may be sent`
        : `unknown file field; send the file as "${rules.fileField}"`;
    into.problems.push({ pointer: `/${part.fieldname}`, code: 'unexpected_file', detail });
  }

  private async store(ctx: RequestContext, source: Readable, name: string, mediaType: string): Promise<StoredUpload> {
    const documentId = newId<DocumentId>();
    const revisionId = newId<RevisionId>();
    const blobKey = objectKey(ctx.tenantId, documentId, revisionId);
    const sniffer = HeadSniffer.of(source);
    await this.unitOfWork.run(ctx, (_manager, inner) =>
      this.intents.add(inner, 'remove_blob', blobKey, { blobKey }, BLOB_GRACE_SECONDS),
    );
    if (sniffer.errored) throw sniffer.errored;
    const stored = await this.storage.put(blobKey, sniffer, { maxBytes: this.settings.values.maxUploadBytes });
    return {
      documentId,
      revisionId,
      blobKey,
      name: cleanFileName(name),
      declaredMediaType: mediaType === 'application/octet-stream' ? null : mediaType.slice(0, 255),
      head: sniffer.head(),
      ...stored,
    };
  }
}

async function readField(
  part: Extract<Multipart, { type: 'field' }>,
  rules: UploadFormRules,
  into: { fields: Map<string, string[]>; problems: FieldProblem[] },
): Promise<void> {
  const pointer = `/${part.fieldname}`;
  const value = typeof part.value === 'object' && part.value !== null ? JSON.stringify(part.value) : part.value;
  if (!rules.fields.includes(part.fieldname)) {
    into.problems.push({ pointer, code: 'unknown_field', detail: `unknown field; known: ${rules.fields.join(', ')}` });
  } else if (typeof value !== 'string') {
    into.problems.push({ pointer, code: 'is_string', detail: 'must be a text field' });
  } else if (part.valueTruncated) {
    into.problems.push({ pointer, code: 'max_length', detail: `must be at most ${MAX_FIELD_BYTES} bytes` });
  } else if (brokenText(value)) {
    into.problems.push({ pointer, code: 'well_formed_text', detail: brokenText(value)! });
  } else {
    into.fields.set(part.fieldname, [...(into.fields.get(part.fieldname) ?? []), value]);
    await rules.onField?.(part.fieldname, value);
  }
}

function missingFile(field: string): FieldProblem {
  return { pointer: `/${field}`, code: 'is_not_empty', detail: 'is missing: send a file in this field' };
}

/** Keeps the first bytes of a stream that passes through. */
class HeadSniffer extends Transform {
  private readonly pieces: Buffer[] = [];
  private length = 0;

  /** Hears of a form that broke off, also when it did before anybody read the file. */
  static of(source: Readable): HeadSniffer {
    const sniffer = new HeadSniffer();
    sniffer.on('error', () => source.unpipe(sniffer));
    finished(source, { writable: false }, (error) => {
      if (error) sniffer.destroy(error);
    });
    return source.pipe(sniffer);
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: (error: null, data: Buffer) => void): void {
    if (this.length < DETECTION_HEAD_BYTES) {
      const part = piece.subarray(0, DETECTION_HEAD_BYTES - this.length);
      this.pieces.push(Buffer.from(part));
      this.length += part.length;
    }
    done(null, piece);
  }

  head(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

const MULTIPART_LIMITS = new Set(['FST_FILES_LIMIT', 'FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT']);

function toUploadError(error: unknown, limit: number): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'storage.object_too_large' || code === 'FST_REQ_FILE_TOO_LARGE')
    return documentErrors.file_too_large({ limit });
  if (MULTIPART_LIMITS.has(code ?? '')) {
    return validationFailed([
      { pointer: '', code: 'too_many_parts', detail: `the form has too many parts (${message})` },
    ]);
  }
  const malformed =
    /Unexpected end of (form|multipart data)|Malformed part header|Multipart: Boundary not found|Malformed content type|Premature close/i;
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || malformed.test(message ?? '')) {
    return documentErrors.malformed_multipart({ reason: message ?? 'it ended too early' });
  }
  return error;
}

/** A JSON object from a form field, or the problem with it. */
export function parseJsonField(
  pointer: string,
  text: string | undefined,
): { value: JsonObject } | { problem: FieldProblem } {
  if (text === undefined || text.trim() === '') return { value: {} };
  const detail = 'must be a JSON object, for instance {"source":"wiki"}';
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as JsonObject };
    return { problem: { pointer, code: 'is_json_object', detail } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    return { problem: { pointer, code: 'is_json', detail: `${detail} (${reason})` } };
  }
}
