import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { documentErrors, maskedTypesOf, maskName, type MaskedTypes, type StoredUpload } from '../../documents/index.js';
import { IngestionPolicies } from '../../ingestion-policy/index.js';
import {
  MOST_DOCUMENTS,
  type DatasetPrecheck,
  type PrecheckAccuracy,
  type PrecheckEventList,
  type PrecheckFileResult,
  type PrecheckScanDetail,
  type PrecheckScanRun,
  type SuggestedPolicy,
} from './precheck.dto.js';
import { isOpen, ScanLedger } from '../runs/scan-ledger.service.js';
import { ScanRunsRepository, type ScanRunRow } from '../runs/scan-runs.repository.js';
import { scanErrors } from '../scans.errors.js';
import { PrecheckFilesRepository, type NewPrecheckFile, type PrecheckFile } from './precheck-files.repository.js';
import { PrecheckSamples } from './precheck-samples.service.js';
import { PRECHECK_SCAN } from './precheck-scan.task.js';
import { suggestPolicy } from './suggest-policy.js';

const EVENTS_TOGETHER = 1_000;

/** The files of a precheck: samples or documents; null: documents that wait for ingestion. */
export interface PrecheckSelection {
  readonly documentIds: readonly string[] | null;
  readonly samples: readonly StoredUpload[];
}

/** Starts, reads and cancels prechecks, which a worker carries out. */
@Injectable()
export class PrecheckScansService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
    private readonly ledger: ScanLedger,
    private readonly runs: ScanRunsRepository,
    private readonly files: PrecheckFilesRepository,
    private readonly samples: PrecheckSamples,
    private readonly policies: IngestionPolicies,
  ) {}

  /** @throws `datasets.not_found`, `documents.not_found`, `scans.already_running` */
  async start(
    ctx: RequestContext,
    datasetId: string,
    { documentIds, samples }: PrecheckSelection,
  ): Promise<PrecheckScanRun> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.access.lockVisible(inner, datasetId);
      const ids = documentIds === null ? null : [...new Set(documentIds.map((id) => id.toLowerCase()))];
      const types = maskedTypesOf((await this.policies.current(inner, dataset.id)).policy);
      const files =
        samples.length > 0
          ? samples.map((sample) => toFile(sample, types))
          : await this.files.listWaiting(inner, dataset.id, ids, MOST_DOCUMENTS);
      if (ids !== null && samples.length === 0 && files.length < ids.length) throw documentErrors.not_found({});
      const config = { policy_version: dataset.policyVersion, samples: samples.length > 0 };
      const row = await this.ledger.open(inner, PRECHECK_SCAN, { datasetId: dataset.id, kind: 'precheck', config });
      await this.files.add(inner, row.id, files);
      return toRun(row);
    });
  }

  /** @throws `datasets.not_found`, `scans.not_found` */
  async read(ctx: RequestContext, datasetId: string, id: string): Promise<PrecheckScanDetail> {
    return this.detail(ctx, await this.require(ctx, datasetId, id));
  }

  /** @throws `datasets.not_found`, `scans.not_found`, `scans.ended` */
  async cancel(ctx: RequestContext, datasetId: string, id: string): Promise<PrecheckScanRun> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const row = await this.ledger.cancel(inner, dataset.id, 'precheck', id);
      await this.samples.release(inner, row.id);
      return toRun(row);
    });
  }

  /** @throws `datasets.not_found` */
  async overview(ctx: RequestContext, datasetId: string): Promise<DatasetPrecheck> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const running = await this.ledger.findOpen(ctx, dataset.id, 'precheck');
    const latest = await this.runs.findLatestCompleted(ctx, dataset.id, 'precheck');
    return {
      dataset_id: dataset.id,
      latest: latest === undefined ? null : await this.detail(ctx, latest),
      running: running === undefined ? null : toRun(running),
      accuracy: accuracyOf(await this.files.listOutcomes(ctx, dataset.id)),
    };
  }

  /** @throws `datasets.not_found`, `scans.nothing_prechecked` */
  async suggest(ctx: RequestContext, datasetId: string): Promise<SuggestedPolicy> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const latest = await this.runs.findLatestCompleted(ctx, dataset.id, 'precheck');
    if (latest === undefined) throw scanErrors.nothing_prechecked({});
    const files = await this.files.list(ctx, latest.id);
    const { policy, fields } = suggestPolicy(files.flatMap(({ report }) => (report === null ? [] : [report])));
    return { scan_run_id: latest.id, policy: policy as unknown as JsonObject, fields };
  }

  /** Events after `after`. @throws `datasets.not_found`, `scans.not_found` */
  async events(ctx: RequestContext, datasetId: string, id: string, after: number): Promise<PrecheckEventList> {
    // The status is read before the events, because an ended scan has no further events.
    const { status } = await this.require(ctx, datasetId, id);
    const events = await this.files.listEvents(ctx, id, after, EVENTS_TOGETHER);
    return {
      events: events.map(({ seq, event, data, created_at: at }) => ({
        id: seq,
        event,
        data,
        created_at: at.toISOString(),
      })),
      status,
    };
  }

  /** A precheck that the caller sees. @throws `datasets.not_found`, `scans.not_found` */
  async require(ctx: RequestContext, datasetId: string, id: string): Promise<ScanRunRow> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const row = await this.ledger.require(ctx, dataset.id, 'precheck', id);
    if (!isOpen(row) && row.config['samples'] === true) await this.samples.release(ctx, row.id);
    return row;
  }

  private async detail(ctx: RequestContext, row: ScanRunRow): Promise<PrecheckScanDetail> {
    const files = await this.files.list(ctx, row.id);
    return { ...toRun(row), files: files.map((file) => toResult(file, file.shown_name)) };
  }
}

function toFile(sample: StoredUpload, types: MaskedTypes): NewPrecheckFile {
  return {
    document_id: null,
    name: maskName(sample.name, types),
    media_type: sample.type.mediaType,
    declared_media_type: sample.declaredMediaType,
    size_bytes: String(sample.sizeBytes),
    sha256: sample.sha256,
    blob_key: sample.blobKey,
  };
}

function toRun(row: ScanRunRow): PrecheckScanRun {
  return {
    scan_run_id: row.id,
    dataset_id: row.dataset_id,
    status: row.status,
    progress: { done: row.progress.done ?? 0, total: row.progress.total ?? null },
    error: row.error,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

function toResult(file: PrecheckFile, name: string | null): PrecheckFileResult {
  const { position, document_id: documentId, sha256, size_bytes: size, report } = file;
  return {
    position,
    document_id: documentId,
    name: name ?? '',
    sha256,
    size_bytes: Number(size),
    verdict: report?.verdict ?? null,
    checks: report === null ? [] : report.checks.map((check) => ({ ...check })),
    prediction: predictionOf(report),
  };
}

function accuracyOf(outcomes: Awaited<ReturnType<PrecheckFilesRepository['listOutcomes']>>): PrecheckAccuracy {
  const scored = outcomes.flatMap(({ report: { prediction }, chunks, tokens }) =>
    prediction === null ? [] : [{ prediction, chunks, tokens: Number(tokens) }],
  );
  const error = (predicted: number, actual: number): number => Math.abs(predicted - actual) / Math.max(1, actual);
  return {
    files: scored.length,
    median_error_chunks: medianOf(scored.map(({ prediction, chunks }) => error(prediction.chunks, chunks))),
    median_error_tokens: medianOf(scored.map(({ prediction, tokens }) => error(prediction.tokens, tokens))),
  };
}

function medianOf(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  return middle === undefined ? null : Math.round(middle * 10_000) / 10_000;
}

function predictionOf(report: PrecheckFile['report']): PrecheckFileResult['prediction'] {
  return report === null || report.prediction === null ? null : { ...report.prediction };
}
