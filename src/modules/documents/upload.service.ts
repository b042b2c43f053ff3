import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { canonicalJson, CatalogueError, isUuid, type FieldProblem, type JsonObject } from '#libs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import { findBrokenText, IdempotencyService, replayedError, validationFailed, type KeptResponse } from '#libs/http';
import { detectMediaType } from '#libs/parsing';
import { authErrors, type RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../datasets/index.js';
import { IngestionPolicies } from '../ingestion-policy/index.js';
import { DocumentCreationRepository } from './document-creation.repository.js';
import { toDetail } from './document-views.js';
import { documentErrors } from './documents.errors.js';
import type { DocumentDetail } from './dto/document.dto.js';
import { parseJsonField, UploadFormReader, type StoredUpload } from './upload-form.reader.js';

const ON_DUPLICATE = ['reject', 'skip', 'keep_both'] as const;
type OnDuplicate = (typeof ON_DUPLICATE)[number];

interface UploadWish {
  readonly datasetId: string;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
  readonly onDuplicate: OnDuplicate;
}

export interface UploadOutcome {
  readonly document: DocumentDetail;
  readonly status: number;
  readonly replayed: boolean;
}

const FIELDS = ['dataset_id', 'metadata', 'tags', 'on_duplicate'];
const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 128;
const MAX_METADATA_BYTES = 64 * 1024;

/** Takes a file: when this answers, the file, its document and the promise to ingest it are durable. */
@Injectable()
export class UploadService {
  constructor(
    private readonly reader: UploadFormReader,
    private readonly documents: DocumentCreationRepository,
    private readonly access: DatasetAccess,
    private readonly policies: IngestionPolicies,
    private readonly idempotency: IdempotencyService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async upload(ctx: RequestContext, request: FastifyRequest): Promise<UploadOutcome> {
    const form = await this.reader.read(ctx, request, {
      fileField: 'file',
      maxFiles: 1,
      fields: FIELDS,
      onField: async (name, value) => {
        if (name === 'dataset_id' && isUuid(value.trim())) await this.access.requireVisible(ctx, value.trim());
      },
    });
    const file = form.files[0]!;
    try {
      const wish = readWish(form.fields);
      const outcome = await this.createOnce(ctx, wish, file, request.headers['idempotency-key']);
      if (outcome.document.id !== file.documentId) await this.reader.discard(ctx, form.files);
      return outcome;
    } catch (error) {
      // A commit whose answer got lost may have taken effect: then the recorded removal decides, which asks for an owner first.
      if (error instanceof CatalogueError) await this.reader.discard(ctx, form.files);
      throw error;
    }
  }

  private async createOnce(
    ctx: RequestContext,
    wish: UploadWish,
    file: StoredUpload,
    key: string | string[] | undefined,
  ): Promise<UploadOutcome> {
    const mediaType = (await detectMediaType(file.head, file.name, file.declaredMediaType ?? undefined)).mediaType;
    const create = (inner: TransactionContext): Promise<KeptResponse> => this.create(inner, wish, file, mediaType);
    if (key === undefined) {
      const made = await this.unitOfWork.run(ctx, (_manager, inner) => create(inner));
      return { document: made.body as DocumentDetail, status: made.status, replayed: false };
    }
    const bodyHash = createHash('sha256')
      .update(canonicalJson({ ...wish, name: file.name, sha256: file.sha256 }))
      .digest('hex');
    const request = { key: String(key), route: 'POST /documents/upload', bodyHash };
    const outcome = await this.idempotency.run(ctx, request, create);
    const error = outcome.replayed ? replayedError(outcome) : undefined;
    if (error) throw error;
    return { document: outcome.body as DocumentDetail, status: outcome.status, replayed: outcome.replayed };
  }

  private async create(
    ctx: TransactionContext,
    wish: UploadWish,
    file: StoredUpload,
    mediaType: string,
  ): Promise<KeptResponse> {
    const dataset = await this.access.holdVisible(ctx, wish.datasetId);
    if (wish.onDuplicate !== 'keep_both') {
      const same = await this.documents.findDuplicate(ctx, dataset.id, file.sha256);
      if (same && wish.onDuplicate === 'skip') return { status: 200, headers: {}, body: toDetail(same) };
      if (same) throw documentErrors.duplicate({ name: same.name, documentId: same.id });
    }
    const policy = await this.policies.current(ctx, dataset.id);
    const row = await this.documents.create(ctx, {
      id: file.documentId,
      revisionId: file.revisionId,
      datasetId: dataset.id,
      name: file.name,
      mediaType,
      declaredMediaType: file.declaredMediaType,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      blobKey: file.blobKey,
      policyVersion: policy.version,
      metadata: wish.metadata,
      tags: wish.tags,
      createdBy: accountOf(ctx),
    });
    return { status: 201, headers: {}, body: toDetail(row) };
  }
}

function accountOf(ctx: RequestContext): Parameters<DocumentCreationRepository['create']>[1]['createdBy'] {
  if (ctx.principal.kind === 'system') throw authErrors.account_required({});
  return ctx.principal.accountId;
}

/** The form's fields, checked together, so that one answer names every problem. */
function readWish(fields: ReadonlyMap<string, readonly string[]>): UploadWish {
  const problems: FieldProblem[] = [];
  const single = (name: string): string | undefined => {
    const values = fields.get(name) ?? [];
    if (values.length > 1) problems.push({ pointer: `/${name}`, code: 'is_single', detail: 'must be sent once' });
    return values[0];
  };
  const datasetId = single('dataset_id')?.trim();
  if (!isUuid(datasetId)) {
    problems.push({ pointer: '/dataset_id', code: 'is_uuid', detail: 'must be the id of a dataset' });
  }
  const metadata = parseJsonField('/metadata', single('metadata'));
  problems.push(...('problem' in metadata ? [metadata.problem] : checkMetadata(metadata.value)));
  const tags = [
    ...new Set((fields.get('tags') ?? []).map((tag) => tag.normalize('NFC').trim()).filter((tag) => tag !== '')),
  ];
  if (tags.length > MAX_TAGS)
    problems.push({ pointer: '/tags', code: 'max_items', detail: `must be at most ${MAX_TAGS} tags` });
  if (tags.some((tag) => tag.length > MAX_TAG_LENGTH)) {
    problems.push({
      pointer: '/tags',
      code: 'max_length',
      detail: `each tag must have at most ${MAX_TAG_LENGTH} characters`,
    });
  }
  const wanted = single('on_duplicate')?.trim() ?? 'reject';
  const onDuplicate = ON_DUPLICATE.find((value) => value === wanted);
  if (onDuplicate === undefined) {
    problems.push({ pointer: '/on_duplicate', code: 'is_in', detail: `must be one of ${ON_DUPLICATE.join(', ')}` });
  }
  if (problems.length > 0 || datasetId === undefined || onDuplicate === undefined || 'problem' in metadata) {
    throw validationFailed(problems);
  }
  return { datasetId: datasetId.toLowerCase(), metadata: metadata.value, tags, onDuplicate };
}

function checkMetadata(metadata: JsonObject): FieldProblem[] {
  const broken = findBrokenText(metadata, '/metadata');
  if (broken.length > 0) return broken;
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    return [{ pointer: '/metadata', code: 'max_length', detail: `must be at most ${MAX_METADATA_BYTES} bytes` }];
  }
  return [];
}
