import { Injectable } from '@nestjs/common';
import { newId, type TenantId } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import type { LostTask } from '#libs/tasks';
import { systemContext } from './system-context.js';

/** Says of documents whose worker died that they wait for another one. */
@Injectable()
export class LostDocuments extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Documents that somebody has taken meanwhile are left alone. */
  async note(lost: readonly LostTask[]): Promise<void> {
    const byTenant = new Map<TenantId, LostTask[]>();
    for (const task of lost) byTenant.set(task.tenantId, [...(byTenant.get(task.tenantId) ?? []), task]);
    for (const [tenantId, tasks] of byTenant) {
      await this.query(
        systemContext(tenantId, newId()),
        `UPDATE documents SET waiting_reason = 'worker_lost' WHERE id IN (
           SELECT d.id FROM unnest($1::uuid[], $2::bigint[]) AS l(id, token)
           JOIN documents d ON d.id = l.id AND d.fencing_token = l.token
           WHERE d.status = 'processing' AND d.deleted_at IS NULL ORDER BY d.id FOR UPDATE OF d SKIP LOCKED)`,
        [tasks.map((task) => task.id), tasks.map((task) => task.token)],
      );
    }
  }
}
