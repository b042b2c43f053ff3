import { Injectable } from '@nestjs/common';
import { isUuid, type DatasetId, type JsonObject } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { Tasks, type TaskDefinition } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import type { ScanFailure, ScanKind } from './scan-run.entity.js';
import { ScanRunsRepository, type ScanRunRow } from './scan-runs.repository.js';
import type { ScanPayload } from './scan-payload.js';
import { scanErrors } from '../scans.errors.js';

/** Time in which a scan may have no task; both are written in one transaction. */
const WITHOUT_TASK_MS = 60_000;
const LOST: ScanFailure = {
  code: 'scans.lost',
  message: 'The work on the scan ended without a result. Start another one.',
};

/** Scans and their tasks: a scan ends when its task has ended without completing it. */
@Injectable()
export class ScanLedger {
  constructor(
    private readonly runs: ScanRunsRepository,
    private readonly tasks: Tasks,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Inserts a scan and enqueues its task, in the transaction that has locked the dataset.
   * @throws `scans.already_running`
   */
  async open(
    ctx: TransactionContext,
    definition: TaskDefinition<ScanPayload>,
    scan: { readonly datasetId: DatasetId; readonly kind: ScanKind; readonly config: JsonObject },
  ): Promise<ScanRunRow> {
    const { datasetId, kind, config } = scan;
    const open = await this.findOpen(ctx, datasetId, kind);
    if (open !== undefined) throw scanErrors.already_running({ kind, scanRunId: open.id });
    const row = await this.runs.insert(ctx, datasetId, kind, config);
    const taskId = await this.tasks.promise(ctx, definition, { datasetId, scanRunId: row.id }, { subject: row.id });
    await this.runs.keepTask(ctx, row.id, taskId);
    await this.audit.append(ctx, {
      event: 'dataset.scan_started',
      subject: `dataset:${datasetId}`,
      details: { scan_run_id: row.id, kind },
    });
    return row;
  }

  /** The pending or running scan. */
  async findOpen(ctx: RequestContext, datasetId: DatasetId, kind: ScanKind): Promise<ScanRunRow | undefined> {
    const row = await this.runs.findOpen(ctx, datasetId, kind);
    if (row === undefined) return undefined;
    const settled = await this.settle(ctx, row);
    return isOpen(settled) ? settled : undefined;
  }

  /** @throws `scans.not_found` */
  async require(ctx: RequestContext, datasetId: DatasetId, kind: ScanKind, id: string): Promise<ScanRunRow> {
    const row = isUuid(id) ? await this.runs.find(ctx, datasetId, kind, id) : undefined;
    if (row === undefined) throw scanErrors.not_found({});
    return this.settle(ctx, row);
  }

  /** Cancels a scan; its worker stops soon. Cancelling again changes nothing. @throws `scans.not_found`, `scans.ended` */
  async cancel(ctx: RequestContext, datasetId: DatasetId, kind: ScanKind, id: string): Promise<ScanRunRow> {
    const row = await this.require(ctx, datasetId, kind, id);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      if (!(await this.runs.end(inner, row.id, 'cancelled'))) {
        const ended = await this.require(inner, datasetId, kind, id);
        if (ended.status === 'cancelled') return ended;
        throw scanErrors.ended({ status: ended.status });
      }
      if (row.task_id !== null) await this.tasks.cancel(inner, row.task_id);
      await this.audit.append(inner, {
        event: 'dataset.scan_cancelled',
        subject: `dataset:${datasetId}`,
        details: { scan_run_id: row.id, kind },
      });
      return (await this.runs.find(inner, datasetId, kind, row.id))!;
    });
  }

  /**
   * The scan with its present status. Its task is checked too, because a task that failed outside of its handler does not update the scan.
   */
  async settle(ctx: RequestContext, row: ScanRunRow): Promise<ScanRunRow> {
    if (!isOpen(row)) return row;
    const task = row.task_id === null ? undefined : await this.tasks.find(ctx, row.task_id);
    if (task === undefined && Date.now() - row.created_at.getTime() < WITHOUT_TASK_MS) return row;
    if (task !== undefined && (task.status === 'pending' || task.status === 'running')) return row;
    if (task?.status === 'cancelled') await this.runs.end(ctx, row.id, 'cancelled');
    else await this.runs.end(ctx, row.id, 'failed', failureOf(task?.error ?? LOST));
    return (await this.runs.find(ctx, row.dataset_id, row.kind, row.id)) ?? row;
  }
}

export function isOpen({ status }: Pick<ScanRunRow, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** Unexpected errors are written to the log and not shown to callers. */
function failureOf({ code, message }: ScanFailure): ScanFailure {
  return code === 'INTERNAL_ERROR' ? { code, message: LOST.message } : { code, message };
}
