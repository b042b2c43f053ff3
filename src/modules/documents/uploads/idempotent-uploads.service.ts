import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson, CatalogueError } from '#libs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import { IdempotencyService, replayedError, type KeptResponse } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import type { AcceptedFile } from './document-intake.service.js';
import { UploadFormReader, type StoredUpload } from './upload-form-reader.service.js';

/** The parts of a form that `Idempotency-Key` compares. */
export interface UploadRequest {
  /** `POST` and the route pattern. */
  readonly route: string;
  /** The value of `Idempotency-Key`. */
  readonly key: string | string[] | undefined;
  /** Values by which two forms count as the same. */
  readonly content: unknown;
  /** The dataset that the files are for. */
  readonly datasetId: string;
  readonly files: readonly StoredUpload[];
}

export interface UploadResult<T> {
  readonly body: T;
  readonly status: number;
  readonly replayed: boolean;
}

/** Runs the effect of a form in one transaction, once for an `Idempotency-Key`, and removes stored files that it does not use. */
@Injectable()
export class IdempotentUploads {
  constructor(
    private readonly reader: UploadFormReader,
    private readonly idempotency: IdempotencyService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** `effect` returns the blob keys of the files that it uses. */
  async run<T>(
    ctx: RequestContext,
    request: UploadRequest,
    effect: (ctx: TransactionContext, keep: (blobKey: string) => void) => Promise<{ status: number; body: T }>,
  ): Promise<UploadResult<T>> {
    let kept = new Set<string>();
    const work = async (inner: TransactionContext): Promise<KeptResponse> => {
      kept = new Set();
      return { headers: {}, ...(await effect(inner, (blobKey) => kept.add(blobKey))) };
    };
    try {
      const outcome = await this.runOnce(ctx, request, work);
      const useless = request.files.filter(({ blobKey }) => outcome.replayed || !kept.has(blobKey));
      await this.reader.discard(ctx, useless);
      const error = outcome.replayed ? replayedError(outcome) : undefined;
      if (error !== undefined) throw error;
      return { body: outcome.body as T, status: outcome.status, replayed: outcome.replayed };
    } catch (error) {
      // A commit whose answer was lost may have taken effect. The recorded removal decides: it checks for an owner first.
      if (error instanceof CatalogueError) await this.reader.discard(ctx, request.files);
      throw error;
    }
  }

  /** The same without a key; `take` has its own transaction. */
  async runUnkeyed(
    ctx: RequestContext,
    file: StoredUpload,
    take: () => Promise<AcceptedFile>,
  ): Promise<UploadResult<AcceptedFile['document']>> {
    try {
      const { status, document, isKept } = await take();
      if (!isKept) await this.reader.discard(ctx, [file]);
      return { body: document, status, replayed: false };
    } catch (error) {
      if (error instanceof CatalogueError) await this.reader.discard(ctx, [file]);
      throw error;
    }
  }

  private async runOnce(
    ctx: RequestContext,
    { key, route, content, datasetId }: UploadRequest,
    work: (ctx: TransactionContext) => Promise<KeptResponse>,
  ): Promise<KeptResponse & { readonly replayed: boolean }> {
    if (key === undefined) {
      return { ...(await this.unitOfWork.run(ctx, (_manager, inner) => work(inner))), replayed: false };
    }
    const bodyHash = createHash('sha256').update(canonicalJson(content)).digest('hex');
    return this.idempotency.run(ctx, { key: String(key), route, bodyHash, datasetIds: [datasetId] }, work);
  }
}
