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

/** Profile scans that a dataset keeps; older ones go. */
const MOST_KEPT = 50;

/** A scan that a worker goes on with. */
export interface OpenScan {
  readonly config: ProfileConfig;
  /** The last document that was looked at, and how many were. */
  readonly after: string;
  readonly done: number;
  readonly total: number;
}

/** What a profile scan reads and keeps. Every write of a scan that has ended is refused. */
@Injectable()
export class ProfileScanStore {
  constructor(
    private readonly runs: ScanRunsRepository,
    private readonly documents: ProfileDocumentsRepository,
    private readonly scanned: ScannedDocumentsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Undefined when the scan is not open any more. */
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

  /** False when the scan does not run any more: then nothing is kept. */
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

  /** Ends the scan with what it found, unless it has ended; what it kept of single documents goes. */
  async complete(ctx: RequestContext, scanRunId: string, profile: StoredProfile): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.runs.complete(inner, scanRunId, profile as unknown as JsonObject, MOST_KEPT);
      await this.scanned.forget(inner, scanRunId);
    });
  }
}
