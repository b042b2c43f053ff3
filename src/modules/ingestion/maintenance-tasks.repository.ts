import { Injectable } from '@nestjs/common';
import { newId, NOWHERE_TENANT, type JsonObject, type TenantId } from '#libs/common';
import { rowsOf, UnitOfWork } from '#libs/database';

export type MaintenanceKind =
  'reconcile' | 'delete_dataset' | 'purge_dataset' | 'reindex' | 'reembed' | 'reembed_dataset';

export interface MaintenanceTask {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly kind: MaintenanceKind;
  readonly payload: JsonObject;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly progress: JsonObject;
  readonly error: string | null;
}

const COLUMNS = `id, tenant_id AS "tenantId", kind, payload, status, progress, error`;

/** Long work of all tenants that is done in the background and can be begun again at any time. */
@Injectable()
export class MaintenanceTasksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async find(id: string): Promise<MaintenanceTask | undefined> {
    const rows = await this.unitOfWork.runAsSystem((manager) =>
      rowsOf<MaintenanceTask>(manager, `SELECT ${COLUMNS} FROM maintenance_tasks WHERE id = $1`, [id]),
    );
    return rows[0];
  }

  async add(task: {
    readonly id: string;
    readonly tenantId: TenantId;
    readonly kind: MaintenanceKind;
    readonly payload: JsonObject;
  }): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.query(`INSERT INTO maintenance_tasks (id, tenant_id, kind, payload) VALUES ($1, $2, $3, $4)`, [
        task.id,
        task.tenantId,
        task.kind,
        task.payload,
      ]),
    );
  }

  async report(
    id: string,
    status: MaintenanceTask['status'],
    progress: JsonObject,
    error: string | null = null,
  ): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.query(
        `UPDATE maintenance_tasks SET status = $2, progress = $3, error = $4, updated_at = now() WHERE id = $1`,
        [id, status, progress, error],
      ),
    );
  }

  /** The task of this kind that was completed last. */
  async findLatestCompleted(kind: MaintenanceKind): Promise<MaintenanceTask | undefined> {
    const rows = await this.unitOfWork.runAsSystem((manager) =>
      rowsOf<MaintenanceTask>(
        manager,
        `SELECT ${COLUMNS} FROM maintenance_tasks WHERE kind = $1 AND status = 'completed' ORDER BY updated_at DESC LIMIT 1`,
        [kind],
      ),
    );
    return rows[0];
  }

  /** Adds a task of the service's own, unless one of its kind was added within `seconds`; undefined then. */
  async addRegular(kind: MaintenanceKind, seconds: number): Promise<string | undefined> {
    const rows = await this.unitOfWork.runAsSystem(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 7))`, [kind]);
      return rowsOf<{ id: string }>(
        manager,
        `INSERT INTO maintenance_tasks (id, tenant_id, kind, payload) SELECT $1, $2, $3, '{}'
         WHERE NOT EXISTS (SELECT 1 FROM maintenance_tasks WHERE kind = $3 AND created_at > now() - make_interval(secs => $4))
         RETURNING id`,
        [newId(), NOWHERE_TENANT, kind, seconds],
      );
    });
    return rows[0]?.id;
  }

  /** Gives open tasks that nobody has touched for `quietSeconds` to `promise`; they count as touched when it resolves. */
  async takeStranded(
    limit: number,
    quietSeconds: number,
    promise: (tasks: readonly { readonly id: string; readonly tenantId: TenantId }[]) => Promise<void>,
  ): Promise<void> {
    await this.unitOfWork.runAsSystem(async (manager) => {
      const tasks = await rowsOf<{ id: string; tenantId: TenantId }>(
        manager,
        `UPDATE maintenance_tasks SET updated_at = now() WHERE id IN (
           SELECT id FROM maintenance_tasks WHERE status IN ('pending', 'running') AND updated_at < now() - make_interval(secs => $2)
           ORDER BY updated_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING id, tenant_id AS "tenantId"`,
        [limit, quietSeconds],
      );
      await promise(tasks);
    });
  }

  /** Has every open task promised anew at the next look: right only for a process that knows itself to be the only worker. */
  async releaseAll(): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE maintenance_tasks SET updated_at = '-infinity' WHERE status IN ('pending', 'running')`),
    );
  }

  /** Forgets finished tasks of more than a week ago. */
  async forgetFinished(): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.query(
        `DELETE FROM maintenance_tasks WHERE status = 'completed' AND updated_at < now() - interval '7 days'`,
      ),
    );
  }

  /** Ids of all tenants, for work that goes over all of them. */
  async listTenants(): Promise<TenantId[]> {
    const rows = await this.unitOfWork.runAsSystem((manager) =>
      rowsOf<{ id: TenantId }>(manager, `SELECT id FROM tenants ORDER BY id`),
    );
    return rows.map((row) => row.id);
  }
}
