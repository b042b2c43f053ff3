import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isUuid } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../datasets/index.js';
import { DocumentIntake, fingerprintOfWish } from './document-intake.js';
import type { BatchUploadItem, BatchUploadResult } from './dto/batch-upload.dto.js';
import type { DocumentDetail } from './dto/document.dto.js';
import { isStored, UploadFormReader, type UploadForm } from './upload-form.reader.js';
import { UploadOnce, type UploadResult } from './upload-once.js';
import { toUploadItem } from './upload-views.js';
import { readUploadWish, UPLOAD_FIELDS, type UploadWish } from './upload-wish.js';

export const MAX_FILES = 20;

interface ReadForm {
  readonly form: UploadForm;
  readonly wish: UploadWish;
}

/** Takes files: when this answers, each file, its document and the promise to ingest it are durable. */
@Injectable()
export class UploadService {
  constructor(
    private readonly reader: UploadFormReader,
    private readonly intake: DocumentIntake,
    private readonly access: DatasetAccess,
    private readonly once: UploadOnce,
  ) {}

  /** One file. */
  async upload(ctx: RequestContext, request: FastifyRequest): Promise<UploadResult<DocumentDetail>> {
    const { form, wish } = await this.readForm(ctx, request, 'file', 1);
    const file = form.files[0]!;
    if (!isStored(file)) throw file.error;
    const content = { ...fingerprintOfWish(wish), name: file.name, sha256: file.sha256 };
    const once = { route: 'POST /documents/upload', key: request.headers['idempotency-key'], content, files: [file] };
    return this.once.run(ctx, once, async (inner, keep) => {
      const taken = await this.intake.take(inner, await this.intake.open(inner, wish, [file]), file);
      if (taken.isKept) keep(file.blobKey);
      return { status: taken.status, body: taken.document };
    });
  }

  /** Several files; one that is refused leaves the others alone. */
  async uploadMany(ctx: RequestContext, request: FastifyRequest): Promise<UploadResult<BatchUploadResult>> {
    const { form, wish } = await this.readForm(ctx, request, 'files', MAX_FILES);
    const files = form.files.filter(isStored);
    const content = {
      ...fingerprintOfWish(wish),
      files: form.files.map((file) =>
        isStored(file) ? { name: file.name, sha256: file.sha256 } : { name: file.name, code: file.error.code },
      ),
    };
    const once = { route: 'POST /documents/batch/upload', key: request.headers['idempotency-key'], content, files };
    return this.once.run(ctx, once, async (inner, keep) => {
      const intake = await this.intake.open(inner, wish, files);
      const results: BatchUploadItem[] = [];
      for (const [index, file] of form.files.entries()) {
        results.push(
          await toUploadItem(index, file.name, async () => {
            if (!isStored(file)) throw file.error;
            const taken = await this.intake.take(inner, intake, file);
            if (taken.isKept) keep(file.blobKey);
            return taken.document;
          }),
        );
      }
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
    const form = await this.reader.read(ctx, request, {
      fileField,
      maxFiles,
      fields: UPLOAD_FIELDS,
      onField: async (name, value) => {
        if (name === 'dataset_id' && isUuid(value.trim())) await this.access.requireVisible(ctx, value.trim());
      },
    });
    try {
      return { form, wish: readUploadWish(form.fields) };
    } catch (error) {
      await this.reader.discard(ctx, form.files.filter(isStored));
      throw error;
    }
  }
}
