import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { canonicalJson } from '#libs/common';
import { IdempotencyService, replayedError, RequestValidationPipe } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { UploadFormReader, type StoredUpload } from '../../documents/index.js';
import { MOST_SAMPLES, StartPrecheckRequest, type PrecheckScanRun } from './precheck.dto.js';
import { PrecheckScansService, type PrecheckSelection } from './precheck-scans.service.js';

/** Samples of a form; `end` releases the disk space that was reserved for them. */
interface Samples {
  readonly samples: StoredUpload[];
  readonly end: () => void;
}

const NO_SAMPLES: Samples = { samples: [], end: () => undefined };

/** Reads the request for a precheck: a JSON body, or a form with sample files. */
@Injectable()
export class PrecheckForm {
  private readonly validation = new RequestValidationPipe();

  constructor(
    private readonly scans: PrecheckScansService,
    private readonly access: DatasetAccess,
    private readonly forms: UploadFormReader,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** @throws the errors of the body, the key and the scan; no sample stays stored then */
  async start(
    ctx: RequestContext,
    datasetId: string,
    request: FastifyRequest,
  ): Promise<{ readonly run: PrecheckScanRun; readonly replayed: boolean }> {
    await this.access.requireVisible(ctx, datasetId);
    const { samples, end } = request.isMultipart() ? await this.readSamples(ctx, request) : NO_SAMPLES;
    const body = request.isMultipart() ? new StartPrecheckRequest() : await this.readBody(request);
    let isKept = false;
    try {
      const outcome = await this.startOnce(ctx, datasetId, request, {
        documentIds: body.document_ids ?? null,
        samples,
      });
      isKept = !outcome.replayed;
      return outcome;
    } finally {
      end();
      if (!isKept) await this.forms.discard(ctx, samples);
    }
  }

  private async startOnce(
    ctx: RequestContext,
    datasetId: string,
    request: FastifyRequest,
    selection: PrecheckSelection,
  ): Promise<{ readonly run: PrecheckScanRun; readonly replayed: boolean }> {
    const key = request.headers['idempotency-key'];
    if (key === undefined) return { run: await this.scans.start(ctx, datasetId, selection), replayed: false };
    const files = selection.samples.map(({ name, sha256 }) => ({ name, sha256 }));
    const compared = canonicalJson({
      datasetId,
      documents: selection.documentIds === null ? null : [...selection.documentIds],
      files,
    });
    const outcome = await this.idempotency.run(
      ctx,
      {
        key: String(key),
        route: 'POST /datasets/:id/precheck/scans',
        bodyHash: createHash('sha256').update(compared).digest('hex'),
      },
      async (inner) => ({ status: 202, headers: {}, body: await this.scans.start(inner, datasetId, selection) }),
    );
    const error = outcome.replayed ? replayedError(outcome) : undefined;
    if (error) throw error;
    return { run: outcome.body as PrecheckScanRun, replayed: outcome.replayed };
  }

  private async readBody(request: FastifyRequest): Promise<StartPrecheckRequest> {
    const metadata = { type: 'body', metatype: StartPrecheckRequest } as const;
    return (await this.validation.transform(request.body, metadata)) as StartPrecheckRequest;
  }

  private async readSamples(ctx: RequestContext, request: FastifyRequest): Promise<Samples> {
    const rules = { fileField: 'files', maxFiles: MOST_SAMPLES, fields: [] };
    const { files, space } = await this.forms.read(ctx, request, rules);
    const stored = files.flatMap((file) => ('error' in file ? [] : [file]));
    const refused = files.find((file) => 'error' in file);
    if (refused === undefined) return { samples: stored, end: () => space.end() };
    space.end();
    await this.forms.discard(ctx, stored);
    throw refused.error;
  }
}
