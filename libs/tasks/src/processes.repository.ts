import { Injectable } from '@nestjs/common';
import { columnsOf, result, rowsOf, SQL_NOW, statement, systemRowsOf, UnitOfWork } from '#libs/database';
import { ProcessEntity } from './process.entity.js';
import { TaskEntity } from './task.entity.js';

/** Waiting tasks of a kind, by the reason for which they wait. */
export interface WaitingTasks {
  readonly kind: string;
  /** `queued`, `worker_lost`, what a document's `waiting_reason` says, or the code that a task's last try met. */
  readonly reason: string;
  readonly tasks: number;
  /** Seconds since the oldest of them was created. */
  readonly oldestSeconds: number;
}

/** Background work of all processes and tenants together. */
export interface WorkOverview {
  /** Number of live workers. */
  readonly workers: number;
  readonly waiting: readonly WaitingTasks[];
}

/** Time without a sign of life after which a process counts as dead; processes record one every `SEEN_EVERY_MS`. */
const LIVE_SECONDS = 15;
export const SEEN_EVERY_MS = 4_000;

const SEEN = statement(
  {},
  `WITH gone AS (DELETE FROM processes WHERE seen_at < now() - interval '1 day')
   INSERT INTO processes (id, role, version) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
);
const LEFT = statement({}, `DELETE FROM processes WHERE id = $1`);
const COUNT_WORKERS = statement(
  { workers: result.integer },
  `SELECT count(*)::int AS workers FROM processes WHERE role <> 'api' AND seen_at > now() - interval '${LIVE_SECONDS} seconds'`,
);
const COUNT_WAITING = statement(
  { ...columnsOf(TaskEntity, 'kind'), reason: result.text(), tasks: result.integer, oldestSeconds: result.float },
  `SELECT kind, CASE WHEN lease_owner IS NOT NULL THEN 'worker_lost' ELSE coalesce(waiting_reason, error_code, 'queued') END AS reason,
     count(*)::int AS tasks, coalesce(extract(epoch FROM now() - min(queued_at)), 0)::float8 AS "oldestSeconds"
   FROM tasks WHERE status = 'open' AND (lease_owner IS NULL OR lease_expires_at < ${SQL_NOW})
     AND (not_before IS NULL OR waiting_reason IS NOT NULL OR error_code IS NOT NULL)
   GROUP BY 1, 2 ORDER BY 1, 2`,
);

/** Reads and writes the table `processes`, and counts the waiting work of all processes. */
@Injectable()
export class ProcessesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async noteSeen(process: Pick<ProcessEntity, 'id' | 'role' | 'version'>): Promise<void> {
    const { id, role, version } = process;
    await systemRowsOf(this.unitOfWork, SEEN, [id, role, version], { durable: false });
  }

  async noteLeft(id: string): Promise<void> {
    await systemRowsOf(this.unitOfWork, LEFT, [id], { durable: false });
  }

  /** The same number of statements whatever the number of tenants. What was promised for a later time does not wait. */
  async overview(): Promise<WorkOverview> {
    return this.unitOfWork.runAsSystem(async (manager) => {
      const [counted] = await rowsOf(manager, COUNT_WORKERS);
      const waiting = await rowsOf(manager, COUNT_WAITING);
      return { workers: counted?.workers ?? 0, waiting };
    });
  }
}
