import { Injectable } from '@nestjs/common';
import type { DatasetId, JsonObject } from '#libs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { ScanPayload } from '../runs/scan-payload.js';
import type { ScanProgress } from '../runs/scan-run.entity.js';
import { ScanRunsRepository } from '../runs/scan-runs.repository.js';
import { ProfileDocumentsRepository, type ProfiledDocument } from './profile-documents.repository.js';
import { ScannedDocumentsRepository, type ScannedDocument } from './scanned-documents.repository.js';
import type { ProfileConfig, StoredProfile } from './stored-profile.js';

/** Maximum number of ended profile scans of a dataset; older ones are removed. */
const MOST_KEPT = 50;

/** A scan that a worker continues. */
export interface OpenScan {
  readonly config: ProfileConfig;
  /** Last examined document, and number of examined documents. */
  readonly after: string;
  readonly done: number;
  readonly total: number;
}

/** Reads and writes of a profile scan. Writes for a scan that has ended are refused. */
@Injectable()
export class ProfileScanStore {
  constructor(
    private readonly runs: ScanRunsRepository,
    private readonly documents: ProfileDocumentsRepository,
    private readonly scanned: ScannedDocumentsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Undefined when the scan has ended. */
  async begin(ctx: RequestContext, { datasetId, scanRunId }: ScanPayload): Promise<OpenScan | undefined> {
    const row = await this.runs.begin(ctx, datasetId, scanRunId);
    if (row === undefined) return undefined;
    const { last: after, count: done } = await this.scanned.findLast(ctx, scanRunId);
    const total = await this.documents.count(ctx, datasetId);
    return { config: row.config as unknown as ProfileConfig, after, done, total };
  }

  listNext(ctx: RequestContext, datasetId: DatasetId, after: string, limit: number): Promise<ProfiledDocument[]> {
    return this.documents.listNext(ctx, datasetId, after, limit);
  }

  /** False when the scan is no longer running; nothing is stored then. */
  async keep(
    ctx: TransactionContext,
    scanRunId: string,
    documents: readonly ScannedDocument[],
    progress: ScanProgress,
  ): Promise<boolean> {
    if (!(await this.runs.advance(ctx, scanRunId, progress))) return false;
    await this.scanned.add(ctx, scanRunId, documents);
    return true;
  }

  read(ctx: RequestContext, scanRunId: string, pageSize: number): AsyncGenerator<readonly ScannedDocument[]> {
    return this.scanned.read(ctx, scanRunId, pageSize);
  }

  /** Completes the scan with its results, unless it has ended, and removes its data about single documents. */
  async complete(ctx: RequestContext, scanRunId: string, profile: StoredProfile): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.runs.complete(inner, scanRunId, profile as unknown as JsonObject, MOST_KEPT);
      await this.scanned.forget(inner, scanRunId);
    });
  }
}
