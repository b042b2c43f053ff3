import { Injectable } from '@nestjs/common';
import type {} from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import {
  CatalogueError,
  Batcher,
  isUuid,
  newId,
  SideBySide,
  type DocumentId,
  type FieldProblem,
  type RevisionId,
} from '#libs/common';
import { Settings } from '#libs/config';
import { UnitOfWork } from '#libs/database';
import {
  FIELDS_BYTES,
  httpErrors,
  MalformedMultipart,
  readMultipart,
  TooManyParts,
  validationFailed,
  type MultipartPart,
} from '#libs/http';
import { objectKey, ObjectStorage, type ObjectKey } from '#libs/object-storage';
import { detectMediaType, extensionOf, type MediaTypeDecision } from '#libs/parsing';
import { StorageSpace } from '#libs/storage-space';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { documentErrors } from '../documents.errors.js';
import { fileNameOf } from '../record/file-name.js';
import { readFrontMatter, type OfferedFacts } from '../rules/front-matter.js';
import { openContent, readSmall, type OpenedContent } from './upload-content.js';
import { ReceivedBytes } from './received-bytes.js';
import { FieldBudget, readField } from './upload-field.js';
import { StoreIntents } from '../intents/store-intents.repository.js';

/** A received and stored file that has no document yet. */
export interface StoredUpload {
  readonly documentId: DocumentId;
  readonly revisionId: RevisionId;
  readonly blobKey: ObjectKey;
  readonly name: string;
  readonly declaredMediaType: string | null;
  readonly type: MediaTypeDecision;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Metadata and tags from the file's front matter. */
  readonly offered?: OfferedFacts;
}

/** A file that was not stored, with the reason. */
export interface RefusedUpload {
  readonly name: string;
  readonly error: CatalogueError;
}

export interface UploadForm {
  /** In the order of the form. */
  readonly files: readonly (StoredUpload | RefusedUpload)[];
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Disk space that is reserved for the files; to be released once their documents exist or will not exist. */
  readonly space: ReceivedBytes;
}

export interface UploadFormRules {
  readonly fileField: string;
  readonly maxFiles: number;
  readonly fields: readonly string[];
  /**
   * Field that names a dataset. The dataset must be visible when the field arrives, so that a hopeless upload is refused before its file is
   * read.
   */
  readonly datasetField?: string;
}

/** A file that is being stored. */
interface Announced {
  readonly ctx: RequestContext;
  readonly blobKey: ObjectKey;
}

interface Reading {
  readonly space: ReceivedBytes;
  /** Number of received files of the right field, stored or not. */
  sent: number;
  /** In the order of the form. */
  readonly files: SideBySide<StoredUpload | RefusedUpload>;
  readonly fields: Map<string, string[]>;
  readonly budget: FieldBudget;
  readonly problems: FieldProblem[];
}

const MAX_FIELDS = 200;
/** Maximum number of bytes of a form besides its files: its fields, and everything before and between the parts. */
const FORM_BYTES = 4 * FIELDS_BYTES;
/** Time after which a blob without a document is removed. */
const BLOB_GRACE_SECONDS = 24 * 3600;

/** Reads a multipart form and streams its files to the storage; fields may come before or after the files. */
@Injectable()
export class UploadFormReader {
  private readonly removals = new Batcher<Announced, void>((files) => this.announce(files));

  constructor(
    private readonly access: DatasetAccess,
    private readonly storage: ObjectStorage,
    private readonly intents: StoreIntents,
    private readonly unitOfWork: UnitOfWork,
    private readonly space: StorageSpace,
    private readonly settings: Settings,
  ) {}

  /**
   * Reads the form; a file that is too large is refused in the result and does not affect the others. A form that is longer than the
   * maximum of all its files is refused because of its announced length, or when that many bytes have arrived.
   * @throws 415, 400, 413, 422 or 507; no file stays stored then.
   */
  async read(ctx: RequestContext, request: FastifyRequest, rules: UploadFormRules): Promise<UploadForm> {
    if (!request.isMultipart()) throw documentErrors.not_multipart({});
    const limit = this.settings.values.maxUploadBytes;
    const mostBytes = rules.maxFiles * limit + FORM_BYTES;
    const announced = Number(request.headers['content-length']);
    if (announced > mostBytes) throw tooLong(rules, limit, mostBytes);
    const space = await ReceivedBytes.expect(this.space, announced);
    const budget = new FieldBudget();
    const reading: Reading = { space, sent: 0, files: new SideBySide(), fields: new Map(), budget, problems: [] };
    try {
      const most = rules.maxFiles + 1 + MAX_FIELDS;
      const pace = { seconds: this.settings.values.uploadIdleSeconds, mostBytes };
      const parts = readMultipart(request.raw, request.headers['content-type'], most, pace);
      for await (const part of parts) await this.readPart(ctx, part, rules, reading);
      const files = await reading.files.all();
      if (reading.sent === 0) reading.problems.push(missingFile(rules.fileField));
      if (reading.problems.length > 0) throw validationFailed(reading.problems);
      return { files, fields: reading.fields, space };
    } catch (error) {
      const files = await reading.files.succeeded();
      // While the storage is unavailable, stored files of the form are left to their recorded removal.
      if (!isAway(error)) await this.discard(ctx, files.filter(isStored));
      space.end();
      throw isTooLong(error) ? tooLong(rules, limit, mostBytes) : toUploadError(error);
    }
  }

  /** Removes files that got no document. */
  async discard(ctx: RequestContext, files: readonly Pick<StoredUpload, 'blobKey'>[]): Promise<void> {
    for (const { blobKey } of files) {
      await this.storage.delete(blobKey);
      await this.unitOfWork.run(ctx, (_manager, inner) => this.intents.forget(inner, 'remove_blob', blobKey));
    }
  }

  private async readPart(
    ctx: RequestContext,
    part: MultipartPart,
    rules: UploadFormRules,
    into: Reading,
  ): Promise<void> {
    if (!isFile(part)) {
      const { value, problem } = await readField(part, rules, into.budget);
      if (problem !== undefined) into.problems.push(problem);
      if (value === undefined) return;
      const values = into.fields.get(part.name);
      if (values === undefined) into.fields.set(part.name, [value]);
      else values.push(value);
      const datasetId = part.name === rules.datasetField ? value.trim() : '';
      if (isUuid(datasetId)) await this.access.requireVisible(ctx, datasetId);
      return;
    }
    if (part.name === rules.fileField && into.sent < rules.maxFiles) {
      into.sent += 1;
      // For a form that will be refused, no more files are stored.
      if (into.problems.length === 0) await this.takeFile(ctx, part, into);
      return;
    }
    const detail =
      part.name === rules.fileField
        ? `at most ${rules.maxFiles} file(s) may be sent`
        : `unknown file field; send the file as "${rules.fileField}"`;
    if (into.problems.some((known) => known.detail === detail)) return;
    into.problems.push({ pointer: `/${part.name}`, code: 'unexpected_file', detail });
  }

  /** Stores a file: a small one while the next part is read, a large one before it. */
  private async takeFile(ctx: RequestContext, part: MultipartPart, into: Reading): Promise<void> {
    const content = await readSmall(part.body);
    const name = fileNameOf({ plain: part.parameters.get('filename'), extended: part.parameters.get('filename*') });
    // Browsers send this when no file was chosen.
    if (content.whole?.length === 0 && name === '') {
      into.sent -= 1;
      return;
    }
    if (content.whole !== undefined) await into.space.take(content.whole.length);
    const opened = openContent(content, (bytes) => into.space.take(bytes));
    // A failure is handled when the form has been read.
    const stored = into.files.begin(() => this.readFile(ctx, part, name, opened));
    if (content.whole === undefined) await stored;
  }

  private async readFile(
    ctx: RequestContext,
    part: MultipartPart,
    name: string,
    content: OpenedContent,
  ): Promise<StoredUpload | RefusedUpload> {
    try {
      return await this.store(ctx, part, name, content);
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.code !== 'storage.object_too_large') throw error;
      const limit = this.settings.values.maxUploadBytes;
      return { name, error: documentErrors.file_too_large({ limit }) };
    }
  }

  private async store(
    ctx: RequestContext,
    part: MultipartPart,
    name: string,
    content: OpenedContent,
  ): Promise<StoredUpload> {
    const documentId = newId<DocumentId>();
    const revisionId = newId<RevisionId>();
    const blobKey = objectKey(ctx.tenantId, documentId, revisionId);
    await this.removals.submit(ctx.tenantId, { ctx, blobKey });
    const stored = await this.storage.put(blobKey, content.source, { maxBytes: this.settings.values.maxUploadBytes });
    const declared = part.mediaType === 'application/octet-stream' ? undefined : part.mediaType?.slice(0, 255);
    const head = content.head();
    const type = await detectMediaType(head, name, declared);
    const offered = readFrontMatter(head, type.mediaType);
    return {
      documentId,
      revisionId,
      blobKey,
      name: name === '' ? namelessFile(type) : name,
      declaredMediaType: declared ?? null,
      type,
      ...(offered === undefined ? {} : { offered }),
      ...stored,
    };
  }

  /** Removals of files that arrive together are recorded together. */
  private async announce(files: readonly Announced[]): Promise<void[]> {
    const intents = files.map(({ blobKey }) => ({ subject: blobKey, payload: { blobKey } }));
    await this.unitOfWork.run(files[0]!.ctx, (_manager, inner) =>
      this.intents.addAll(inner, 'remove_blob', intents, BLOB_GRACE_SECONDS),
    );
    return files.map(() => undefined);
  }
}

export function isStored(file: StoredUpload | RefusedUpload): file is StoredUpload {
  return 'blobKey' in file;
}

function isAway(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'storage.unavailable';
}

function isTooLong(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'http.body_too_large';
}

/** In a form with one file, that file is the part that is too large. */
function tooLong({ maxFiles }: UploadFormRules, limit: number, mostBytes: number): CatalogueError {
  return maxFiles === 1 ? documentErrors.file_too_large({ limit }) : httpErrors.body_too_large({ limit: mostBytes });
}

function isFile(part: MultipartPart): boolean {
  return (
    part.parameters.has('filename') || part.parameters.has('filename*') || part.mediaType === 'application/octet-stream'
  );
}

function namelessFile(type: MediaTypeDecision): string {
  const extension = extensionOf(type.mediaType);
  return extension === undefined ? 'document' : `document.${extension}`;
}

function missingFile(field: string): FieldProblem {
  return { pointer: `/${field}`, code: 'is_not_empty', detail: 'is missing: send a file in this field' };
}

/** The error about a form for its sender. */
function toUploadError(error: unknown): unknown {
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
