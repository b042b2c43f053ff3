import type { JsonObject } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { TaskFailed, TaskHandler, type RunningTask } from '#libs/tasks';
import { DatasetAccess, type VisibleDataset } from '../../datasets/index.js';
import { identityOf } from '../../documents/index.js';
import { IngestionPolicies, type IngestionPolicy } from '../../ingestion-policy/index.js';
import type { ScanPayload } from '../runs/scan-payload.js';
import { ScanRunsRepository } from '../runs/scan-runs.repository.js';
import { FileExamination } from './file-examination.service.js';
import type { FileReport } from './file-report.js';
import { PrecheckFilesRepository, type ListedPrecheckFile, type PrecheckFile } from './precheck-files.repository.js';
import { PRECHECK_SCAN } from './precheck-scan.task.js';
import { PrecheckSamples } from './precheck-samples.service.js';

const MOST_KEPT = 50;

/** Looks at each file once and tells of it in the transaction that keeps its report; a try goes on with those that have none. */
@TaskHandler(PRECHECK_SCAN)
export class PrecheckScan implements TaskHandler<ScanPayload> {
  constructor(
    private readonly runs: ScanRunsRepository,
    private readonly files: PrecheckFilesRepository,
    private readonly examination: FileExamination,
    private readonly samples: PrecheckSamples,
    private readonly access: DatasetAccess,
    private readonly policies: IngestionPolicies,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async run(task: RunningTask<ScanPayload>): Promise<JsonObject> {
    const { ctx, payload } = task;
    const [dataset] = await this.access.listVisible(ctx, [payload.datasetId]);
    if (dataset === undefined)
      throw new TaskFailed('datasets.not_found', 'The dataset is deleted, or no longer visible.');
    if ((await this.runs.begin(ctx, dataset.id, payload.scanRunId)) === undefined) return {};
    const { policy } = await this.policies.current(ctx, dataset.id);
    await this.lookAtAll(task, dataset, policy);
    await this.complete(task);
    return {};
  }

  private async lookAtAll(
    task: RunningTask<ScanPayload>,
    dataset: VisibleDataset,
    policy: IngestionPolicy,
  ): Promise<void> {
    const { ctx, signal } = task;
    const { scanRunId } = task.payload;
    const all = await this.files.list(ctx, scanRunId);
    let done = all.filter(({ report }) => report !== null).length;
    const met = new MetFiles();
    if (done === 0) await this.tellStart(task, all.length);
    for (const file of all) {
      const among = met.meet(file);
      if (file.report !== null) continue;
      signal.throwIfAborted();
      const report = await this.examination.examine(ctx, dataset, file, policy, { ...among, signal });
      done += 1;
      const progress = { done, total: all.length };
      if (report !== undefined) await this.keep(task, file, report, progress);
      await task.report(progress);
      await task.giveWay();
    }
  }

  private async tellStart({ ctx, payload }: RunningTask<ScanPayload>, total: number): Promise<void> {
    const { scanRunId } = payload;
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      if (!(await this.runs.advance(inner, scanRunId, { done: 0, total }))) return;
      if ((await this.files.listEvents(inner, scanRunId, 0, 1)).length > 0) return;
      await this.files.tell(inner, scanRunId, [
        { event: 'scan.started', data: { scan_run_id: scanRunId, files: total } },
      ]);
    });
  }

  private async keep(
    { ctx, payload: { scanRunId } }: RunningTask<ScanPayload>,
    file: PrecheckFile,
    report: FileReport,
    progress: { readonly done: number; readonly total: number },
  ): Promise<void> {
    const isOpen = await this.unitOfWork.run(ctx, async (_manager, inner) => {
      if (!(await this.runs.advance(inner, scanRunId, progress))) return false;
      if (!(await this.files.keep(inner, file, report))) return true;
      const { position } = file;
      const findings = report.checks.filter(({ status }) => status !== 'pass');
      await this.files.tell(inner, scanRunId, [
        {
          event: 'scan.file',
          data: { position, verdict: report.verdict, prediction: report.prediction && { ...report.prediction } },
        },
        ...findings.map((check) => ({ event: 'scan.finding', data: { position, ...check } })),
        { event: 'scan.progress', data: { ...progress } },
      ]);
      return true;
    });
    if (!isOpen) throw new TaskFailed('scans.ended', 'The scan was ended meanwhile.');
  }

  /** Samples are gone before the scan says that it has completed. */
  private async complete({ ctx, payload: { scanRunId } }: RunningTask<ScanPayload>): Promise<void> {
    const files = await this.files.list(ctx, scanRunId);
    const verdicts = { pass: 0, warn: 0, fail: 0 };
    for (const { report } of files) if (report !== null) verdicts[report.verdict] += 1;
    await this.samples.remove(ctx, scanRunId);
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.files.forgetSamples(inner, scanRunId);
      if (!(await this.runs.complete(inner, scanRunId, { verdicts }, MOST_KEPT))) return;
      await this.files.tell(inner, scanRunId, [
        { event: 'scan.completed', data: { scan_run_id: scanRunId, verdicts } },
      ]);
    });
  }
}

/** The files that a scan has met. */
class MetFiles {
  private readonly contents = new Set<string>();
  /** The first content of each name. */
  private readonly names = new Map<string, string>();

  /** Whether the same file, or one of its name with another content, came before this one. */
  meet({ sha256, shown_name: name, path }: ListedPrecheckFile): { isRepeated: boolean; isNamesake: boolean } {
    const called = identityOf({ path, name: name ?? '' });
    const former = this.names.get(called);
    const met = { isRepeated: this.contents.has(sha256), isNamesake: former !== undefined && former !== sha256 };
    this.contents.add(sha256);
    if (former === undefined) this.names.set(called, sha256);
    return met;
  }
}
