import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CatalogueError } from '#libs/common';
import { Settings } from '#libs/config';
import { JSON_DEPTH_MAX, type JsonBounds } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DocumentIntake, type IntakeOutcome } from './document-intake.service.js';
import type { BatchUploadResult, BatchUploadItem } from './batch-upload.dto.js';
import type { DocumentDetail } from '../record/document.dto.js';
import { fingerprintOfOptions } from './intake-facts.js';
import { TenantStorage } from '../record/tenant-storage.repository.js';
import { isStored, UploadFormReader, type UploadForm } from './upload-form-reader.service.js';
import { IdempotentUploads, type UploadResult } from './idempotent-uploads.service.js';
import { BatchedUploads } from './batched-uploads.service.js';
import { readUploadOptions, UPLOAD_FIELDS, type UploadOptions } from './upload-options.js';

export const MAX_FILES = 20;
const SMALL_FORM_BYTES = 256 * 1024;

interface ReadForm {
  readonly form: UploadForm;
  readonly options: UploadOptions;
}

/** Uploads files. Once it resolves, each file, its document and its ingestion task are durable. */
@Injectable()
export class UploadService {
  constructor(
    private readonly reader: UploadFormReader,
    private readonly intake: DocumentIntake,
    private readonly idempotent: IdempotentUploads,
    private readonly batched: BatchedUploads,
    private readonly tenantStorage: TenantStorage,
    private readonly settings: Settings,
  ) {}

  /** One file. */
  async upload(ctx: RequestContext, request: FastifyRequest): Promise<UploadResult<DocumentDetail>> {
    const { form, options } = await this.readForm(ctx, request, 'file', 1);
    try {
      return await this.takeFile(ctx, request, form, options);
    } finally {
      form.space.end();
    }
  }

  /** Several files; a refused one does not affect the others. */
  async uploadMany(ctx: RequestContext, request: FastifyRequest): Promise<UploadResult<BatchUploadResult>> {
    const { form, options } = await this.readForm(ctx, request, 'files', MAX_FILES);
    try {
      return await this.takeFiles(ctx, request, form, options);
    } finally {
      form.space.end();
    }
  }

  private async takeFile(
    ctx: RequestContext,
    request: FastifyRequest,
    form: UploadForm,
    options: UploadOptions,
  ): Promise<UploadResult<DocumentDetail>> {
    const file = form.files[0]!;
    if (!isStored(file)) throw file.error;
    const key = request.headers['idempotency-key'];
    const handedIn = { file, options, path: options.paths?.[0] ?? null, requestId: ctx.requestId };
    if (key === undefined) return this.idempotent.runUnkeyed(ctx, file, () => this.batched.take(ctx, handedIn));
    const content = { ...fingerprintOfOptions(options), name: file.name, sha256: file.sha256 };
    return this.idempotent.run(
      ctx,
      { route: 'POST /documents/upload', key, content, files: [file], datasetId: options.datasetId },
      async (inner, keep) => {
        const [taken] = await this.intake.takeAll(inner, options.datasetId, [handedIn]);
        if (taken instanceof CatalogueError) throw taken;
        if (taken!.isKept) keep(file.blobKey);
        return { status: taken!.status, body: taken!.document };
      },
    );
  }

  private async takeFiles(
    ctx: RequestContext,
    request: FastifyRequest,
    form: UploadForm,
    options: UploadOptions,
  ): Promise<UploadResult<BatchUploadResult>> {
    const files = form.files.filter(isStored);
    const content = {
      ...fingerprintOfOptions(options),
      files: form.files.map((file) =>
        isStored(file) ? { name: file.name, sha256: file.sha256 } : { name: file.name, code: file.error.code },
      ),
    };
    const key = request.headers['idempotency-key'];
    const { datasetId } = options;
    const once = { route: 'POST /documents/batch/upload', key, content, files, datasetId };
    return this.idempotent.run(ctx, once, async (inner, keep) => {
      const handedIn = form.files.flatMap((file, index) =>
        isStored(file) ? [{ file, options, path: options.paths?.[index] ?? null, requestId: ctx.requestId }] : [],
      );
      const outcomes = await this.intake.takeAll(inner, options.datasetId, handedIn);
      for (const [index, file] of files.entries()) {
        const outcome = outcomes[index]!;
        if (!(outcome instanceof CatalogueError) && outcome.isKept) keep(file.blobKey);
      }
      const names = form.files.map(({ name }) => name);
      const shown = await this.intake.maskNames(inner, options.datasetId, names);
      const results = form.files.map((file, index) =>
        toUploadItem(index, shown[index]!, isStored(file) ? outcomes[files.indexOf(file)]! : file.error),
      );
      const accepted = results.filter(({ document }) => document !== null).length;
      return { status: 201, body: { results, accepted, rejected: results.length - accepted } };
    });
  }

  private async readForm(
    ctx: RequestContext,
    request: FastifyRequest,
    fileField: string,
    maxFiles: number,
  ): Promise<ReadForm> {
    // A hopeless upload is refused before much of it is read; for a small one the dataset is checked once, at the end.
    const isLarge = !(Number(request.headers['content-length']) <= SMALL_FORM_BYTES);
    await this.requireTenantRoom(ctx, request);
    const form = await this.reader.read(ctx, request, {
      fileField,
      maxFiles,
      fields: UPLOAD_FIELDS,
      ...(isLarge ? { datasetField: 'dataset_id' } : {}),
    });
    try {
      return { form, options: readUploadOptions(form.fields, this.jsonBounds(), form.files.length) };
    } catch (error) {
      form.space.end();
      await this.reader.discard(ctx, form.files.filter(isStored));
      throw error;
    }
  }

  /** Refuses a form before it is read if even the minimum size of its file exceeds the tenant's remaining storage. */
  private async requireTenantRoom(ctx: RequestContext, request: FastifyRequest): Promise<void> {
    const announced = Number(request.headers['content-length']);
    if (announced > SMALL_FORM_BYTES) await this.tenantStorage.requireRoom(ctx, announced - SMALL_FORM_BYTES);
  }

  private jsonBounds(): JsonBounds {
    return { values: this.settings.values.maxJsonValues, depth: JSON_DEPTH_MAX };
  }
}

/** The outcome for one file of several: its document, or the error. */
function toUploadItem(index: number, name: string, outcome: IntakeOutcome): BatchUploadItem {
  if (!(outcome instanceof CatalogueError)) return { index, file_name: name, document: outcome.document, error: null };
  const { status, code, message: detail } = outcome;
  return { index, file_name: name, document: null, error: { status, code, detail } };
}
