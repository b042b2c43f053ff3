import { Embedder } from '#libs/ai';
import type { JsonObject } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { TaskFailed, TaskHandler, type RunningTask, yieldToRequests } from '#libs/tasks';
import { DatasetAccess, type VisibleDataset } from '../../datasets/index.js';
import { allTypesUnder } from '../../governance/index.js';
import { IngestionPolicies } from '../../ingestion-policy/index.js';
import type { ScanPayload } from '../runs/scan-payload.js';
import { PROFILE_SCAN } from './profile-scan.task.js';
import { ProfileScanStore, type OpenScan } from './profile-scan-store.service.js';
import { DocumentSurvey, type SurveyRules } from './document-survey.service.js';
import { DuplicateBuilder } from './duplicate-builder.js';
import { FieldNames } from './field-names.js';
import { ProfileBuilder } from './profile-builder.js';
import { ProfileSections } from './profile-sections.service.js';
import type { ProfileConfig, StoredProfile } from './stored-profile.js';

/** Documents of a page: this many are done again when a try ends in between. */
const PAGE = 10;
const SUMMED_TOGETHER = 500;

/**
 * Looks at each document of a dataset once and keeps numbers of it, page by page; then sums them up and compares documents with each
 * other. A try goes on behind the last page of the one before. Holds the text of one page's part at a time.
 */
@TaskHandler(PROFILE_SCAN)
export class ProfileScan implements TaskHandler<ScanPayload> {
  constructor(
    private readonly store: ProfileScanStore,
    private readonly survey: DocumentSurvey,
    private readonly access: DatasetAccess,
    private readonly policies: IngestionPolicies,
    private readonly sections: ProfileSections,
    private readonly embedder: Embedder,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async run(task: RunningTask<ScanPayload>): Promise<JsonObject> {
    const { ctx, payload } = task;
    const [dataset] = await this.access.listVisible(ctx, [payload.datasetId]);
    if (dataset === undefined)
      throw new TaskFailed('datasets.not_found', 'The dataset is deleted, or no longer visible.');
    const scan = await this.store.begin(ctx, payload);
    if (scan === undefined) return {};
    await this.lookAtAll(task, dataset, scan);
    const profile = await this.sumUp(task, dataset, scan.config);
    await this.store.complete(ctx, payload.scanRunId, profile);
    return { done: profile.documents.total };
  }

  private async lookAtAll(task: RunningTask<ScanPayload>, dataset: VisibleDataset, scan: OpenScan): Promise<void> {
    const { ctx, signal } = task;
    const { scanRunId } = task.payload;
    const rules = await this.surveyRules(ctx, dataset, scan.config);
    let { after, done } = scan;
    for (;;) {
      const page = await this.store.listNext(ctx, dataset.id, after, PAGE);
      if (page.length === 0) return;
      const scanned = await this.survey.survey(ctx, page, rules, () => yieldToRequests(signal));
      done += page.length;
      const progress = { done, total: Math.max(done, scan.total) };
      const isOpen = await this.unitOfWork.run(ctx, (_manager, inner) =>
        this.store.keep(inner, scanRunId, scanned, progress),
      );
      await task.report({ ...progress });
      if (!isOpen) throw new TaskFailed('scans.ended', 'The scan was ended meanwhile.');
      after = page.at(-1)!.id;
      await task.giveWay();
    }
  }

  private async sumUp(
    { ctx, payload, signal }: RunningTask<ScanPayload>,
    dataset: VisibleDataset,
    config: ProfileConfig,
  ): Promise<StoredProfile> {
    const counted = new ProfileBuilder();
    const duplicates = new DuplicateBuilder(config.near_duplicate_threshold);
    for await (const page of this.store.read(ctx, payload.scanRunId, SUMMED_TOGETHER)) {
      for (const { document_id: id, facts, signature } of page) {
        counted.add(id, facts);
        const textHash = facts.text === null || facts.text.is_blank ? null : facts.text.hash;
        duplicates.add({ id, sha256: facts.sha256, textHash, signature });
      }
      await yieldToRequests(signal);
    }
    return {
      ...counted.build(),
      duplicates: await duplicates.build(() => yieldToRequests(signal)),
      sections: await this.sections.describe(ctx, dataset, signal),
    };
  }

  private async surveyRules(
    ctx: RunningTask<ScanPayload>['ctx'],
    dataset: VisibleDataset,
    config: ProfileConfig,
  ): Promise<SurveyRules> {
    const { policy } = await this.policies.current(ctx, dataset.id);
    return {
      searched: allTypesUnder(policy),
      fieldNames: new FieldNames(),
      versionsInForce: new Set(await this.policies.versionsInForce(ctx, dataset.id)),
      isOtherSpace: dataset.embeddingSpace !== this.embedder.descriptor.space,
      afterDays: config.stale_after_days,
      now: Date.now(),
    };
  }
}
