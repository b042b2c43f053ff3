import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { GovernanceRescan, StartRescanRequest } from './rescan.dto.js';
import { governanceErrors } from '../governance.errors.js';
import { GOVERNANCE_RESCAN } from './rescan.task.js';
import type { RescanFailure } from '../findings/rescan.entity.js';
import { RescansRepository, type RescanRow } from './rescans.repository.js';

/** Time in which a rescan may have no task; both are written in one transaction. */
const WITHOUT_TASK_MS = 60_000;
const LOST: RescanFailure = {
  code: 'governance.rescan_lost',
  message: 'The work on the rescan ended without a result. Start another one.',
};

/** Starts, reads and cancels rescans, which a worker carries out. */
@Injectable()
export class RescansService {
  constructor(
    private readonly rescans: RescansRepository,
    private readonly access: DatasetAccess,
    private readonly tasks: Tasks,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws `datasets.not_found`, `governance.rescan_running` */
  async start(ctx: RequestContext, { dataset_id: datasetId }: StartRescanRequest): Promise<GovernanceRescan> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.access.lockVisible(inner, datasetId);
      const open = await this.rescans.findOpen(inner, dataset.id);
      if (open !== undefined && isOpen(await this.settle(inner, open))) {
        throw governanceErrors.rescan_running({ rescanId: open.id });
      }
      const row = await this.rescans.insert(inner, dataset.id);
      const payload = { datasetId: dataset.id, rescanId: row.id };
      const taskId = await this.tasks.promise(inner, GOVERNANCE_RESCAN, payload, { subject: row.id });
      await this.rescans.keepTask(inner, row.id, taskId);
      const entry = { event: 'dataset.rescan_started', subject: `dataset:${dataset.id}` };
      await this.audit.append(inner, { ...entry, details: { rescan_id: row.id } });
      return this.describe(inner, row);
    });
  }

  /** @throws `governance.rescan_not_found` */
  async read(ctx: RequestContext, id: string): Promise<GovernanceRescan> {
    return this.describe(ctx, await this.require(ctx, id));
  }

  /**
   * Cancels a rescan; its worker stops soon. Cancelling again changes nothing. @throws `governance.rescan_not_found`,
   * `governance.rescan_ended`
   */
  async cancel(ctx: RequestContext, id: string): Promise<GovernanceRescan> {
    const row = await this.require(ctx, id);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const isEnded = await this.rescans.end(inner, row.id, 'cancelled');
      const after = await this.require(inner, row.id);
      if (!isEnded && after.status !== 'cancelled') throw governanceErrors.rescan_ended({ status: after.status });
      if (isEnded && row.task_id !== null) await this.tasks.cancel(inner, row.task_id);
      if (isEnded) {
        const entry = { event: 'dataset.rescan_cancelled', subject: `dataset:${row.dataset_id}` };
        await this.audit.append(inner, { ...entry, details: { rescan_id: row.id } });
      }
      return this.describe(inner, after);
    });
  }

  private async require(ctx: RequestContext, id: string): Promise<RescanRow> {
    const row = isUuid(id) ? await this.rescans.findVisible(ctx, id) : undefined;
    if (row === undefined) throw governanceErrors.rescan_not_found({});
    return this.settle(ctx, row);
  }

  /**
   * The rescan with its present status. Its task is checked too, because a task that failed outside of its handler does not update the
   * rescan.
   */
  private async settle(ctx: RequestContext, row: RescanRow): Promise<RescanRow> {
    if (!isOpen(row)) return row;
    const task = row.task_id === null ? undefined : await this.tasks.find(ctx, row.task_id);
    if (task === undefined && Date.now() - row.created_at.getTime() < WITHOUT_TASK_MS) return row;
    if (task?.status === 'pending' || task?.status === 'running') return row;
    if (task?.status === 'cancelled') await this.rescans.end(ctx, row.id, 'cancelled');
    else await this.rescans.end(ctx, row.id, 'failed', failureOf(task?.error ?? LOST));
    return (await this.rescans.findVisible(ctx, row.id)) ?? row;
  }

  private async describe(ctx: RequestContext, row: RescanRow): Promise<GovernanceRescan> {
    return {
      id: row.id,
      dataset_id: row.dataset_id,
      status: row.status,
      progress: { done: row.done, total: row.total },
      findings: await this.rescans.count(ctx, row.id),
      error: row.error,
      requested_by: row.requested_by,
      created_at: row.created_at.toISOString(),
      started_at: row.started_at?.toISOString() ?? null,
      ended_at: row.ended_at?.toISOString() ?? null,
    };
  }
}

function isOpen({ status }: Pick<RescanRow, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** Unexpected errors are written to the log and not shown to callers. */
function failureOf({ code, message }: RescanFailure): RescanFailure {
  return code === 'INTERNAL_ERROR' ? { code, message: LOST.message } : { code, message };
}
