import { Injectable } from '@nestjs/common';
import { newId } from '#libs/common';
import { rowsOf, TenantRepository, UnitOfWork } from '#libs/database';
import { MaintenanceTasksRepository } from './maintenance-tasks.repository.js';
import { systemContext } from './system-context.js';

/** So long the ledger of requests is kept. */
const KEPT_DAYS = 30;
/** Rows that one statement removes. */
const BATCH = 1_000;

/** Removes what is too old from the ledger of requests, tenant by tenant, because no role sees more than one tenant's. */
@Injectable()
export class ExpiredRequests extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly maintenance: MaintenanceTasksRepository,
  ) {
    super(unitOfWork);
  }

  async forget(): Promise<void> {
    for (const tenantId of await this.maintenance.listTenants()) {
      const ctx = systemContext(tenantId, newId());
      for (let removed = BATCH; removed === BATCH;) removed = await this.unitOfWork.run(ctx, removeBatch);
    }
  }
}

async function removeBatch(manager: Parameters<typeof rowsOf>[0]): Promise<number> {
  const rows = await rowsOf<{ id: string }>(
    manager,
    `DELETE FROM request_ledger WHERE id IN (
       SELECT id FROM request_ledger WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2)
     RETURNING id`,
    [KEPT_DAYS, BATCH],
  );
  return rows.length;
}
