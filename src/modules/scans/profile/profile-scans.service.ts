import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type VisibleDataset } from '../../datasets/index.js';
import {
  NEAR_DUPLICATE_THRESHOLD,
  STALE_AFTER_DAYS,
  type DatasetProfile,
  type ListProfileScansQuery,
  type ProfileDiff,
  type ProfileScanDetail,
  type ProfileScanPage,
  type ProfileScanRun,
  type StartProfileScanRequest,
} from '../runs/profile-scan.dto.js';
import { ScanLedger } from '../runs/scan-ledger.service.js';
import { ScanRunsRepository, type ScanRunRow } from '../runs/scan-runs.repository.js';
import { scanErrors } from '../scans.errors.js';
import { diffConfigs, diffProfiles } from './diff-profiles.js';
import { withHiddenNames } from './field-names.js';
import { ProfileDocumentsRepository } from './profile-documents.repository.js';
import { PROFILE_SCAN } from './profile-scan.task.js';
import { ProfileSections } from './profile-sections.service.js';
import { namedIn, toRun, toSummary } from './profile-views.js';
import type { ProfileConfig } from './stored-profile.js';

/** Starts, reads and cancels profile scans, which a worker carries out. */
@Injectable()
export class ProfileScansService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
    private readonly ledger: ScanLedger,
    private readonly runs: ScanRunsRepository,
    private readonly documents: ProfileDocumentsRepository,
    private readonly sections: ProfileSections,
  ) {}

  /** @throws `datasets.not_found`, `scans.already_running` */
  async start(ctx: RequestContext, datasetId: string, request: StartProfileScanRequest): Promise<ProfileScanRun> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.access.lockVisible(inner, datasetId);
      const { near_duplicate_threshold: threshold, stale_after_days: days } = request;
      const config: ProfileConfig = {
        near_duplicate_threshold: threshold === undefined ? NEAR_DUPLICATE_THRESHOLD : threshold,
        stale_after_days: days ?? STALE_AFTER_DAYS,
        policy_version: dataset.policyVersion,
        embedding_space: dataset.embeddingSpace,
      };
      const scan = { datasetId: dataset.id, kind: 'profile', config: { ...config } } as const;
      return toRun(await this.ledger.open(inner, PROFILE_SCAN, scan));
    });
  }

  /** @throws `datasets.not_found` */
  async list(ctx: RequestContext, datasetId: string, query: ListProfileScansQuery): Promise<ProfileScanPage> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    await this.ledger.findOpen(ctx, dataset.id, 'profile');
    const page = await this.runs.list(ctx, dataset.id, 'profile', query);
    return { ...page, items: page.items.map(toRun) };
  }

  /** @throws `datasets.not_found`, `scans.not_found` */
  async read(ctx: RequestContext, datasetId: string, id: string): Promise<ProfileScanDetail> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    return this.detail(ctx, dataset, await this.ledger.require(ctx, dataset.id, 'profile', id));
  }

  /** @throws `datasets.not_found`, `scans.not_found`, `scans.ended` */
  async cancel(ctx: RequestContext, datasetId: string, id: string): Promise<ProfileScanRun> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    return toRun(await this.ledger.cancel(ctx, dataset.id, 'profile', id));
  }

  /** The latest completed scan and the running one. @throws `datasets.not_found` */
  async overview(ctx: RequestContext, datasetId: string): Promise<DatasetProfile> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const running = await this.ledger.findOpen(ctx, dataset.id, 'profile');
    const latest = await this.runs.findLatestCompleted(ctx, dataset.id, 'profile');
    return {
      dataset_id: dataset.id,
      latest: latest === undefined ? null : await this.detail(ctx, dataset, latest),
      running: running === undefined ? null : toRun(running),
    };
  }

  /**
   * Compares a scan with the scan `withId`, or with the completed one before it.
   * @throws `datasets.not_found`, `scans.not_found`, `scans.not_completed`, `scans.nothing_before`
   */
  async diff(ctx: RequestContext, datasetId: string, id: string, withId: string | undefined): Promise<ProfileDiff> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const scan = await this.requireCompleted(ctx, dataset, id);
    const former = await this.requireCompleted(ctx, dataset, withId ?? (await this.findBefore(ctx, scan)));
    return {
      scan_run_id: scan.id,
      with: former.id,
      config_changes: diffConfigs(former.config, scan.config),
      changes: diffProfiles(former.result, scan.result),
    };
  }

  private async findBefore(ctx: RequestContext, scan: ScanRunRow): Promise<string> {
    const former = await this.runs.findLatestCompleted(ctx, scan.dataset_id, 'profile', scan.created_at);
    if (former === undefined) throw scanErrors.nothing_before({});
    return former.id;
  }

  private async requireCompleted(
    ctx: RequestContext,
    dataset: VisibleDataset,
    id: string,
  ): Promise<ScanRunRow & { readonly result: JsonObject }> {
    const row = await this.ledger.require(ctx, dataset.id, 'profile', id);
    const { result } = row;
    if (result === null) throw scanErrors.not_completed({ scanRunId: row.id, status: row.status });
    return { ...row, result: withHiddenNames(result) as unknown as JsonObject };
  }

  private async detail(ctx: RequestContext, dataset: VisibleDataset, row: ScanRunRow): Promise<ProfileScanDetail> {
    if (row.result === null) return { ...toRun(row), summary: null };
    const profile = withHiddenNames(row.result);
    const names = await this.documents.listNames(ctx, dataset.id, namedIn(profile));
    const sections = await this.sections.show(ctx, dataset, profile.sections);
    return { ...toRun(row), summary: toSummary(profile, names, sections) };
  }
}
