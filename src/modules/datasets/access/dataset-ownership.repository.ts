import { Injectable } from '@nestjs/common';
import type { AccountId } from '#libs/common';
import { AuditLog, columnsOf, IsNull, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetOwnershipPort } from '../../accounts/index.js';
import { DatasetEntity } from '../record/dataset.entity.js';

const TRANSFER = statement(
  columnsOf(DatasetEntity, 'id'),
  `UPDATE datasets SET owner_id = $2, version = version + 1, updated_at = now()
   WHERE owner_id = $1 AND deleted_at IS NULL RETURNING id`,
);

@Injectable()
export class DatasetOwnershipRepository extends TenantRepository implements DatasetOwnershipPort {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {
    super(unitOfWork);
  }

  /** Number of datasets that the account owns, without deleted ones. */
  async countOwned(ctx: RequestContext, accountId: AccountId): Promise<number> {
    return this.withRepository(ctx, DatasetEntity, (rows) =>
      rows.countBy({ owner_id: accountId, deleted_at: IsNull() }),
    );
  }

  /** Transfers all datasets of one account to another; `acl` and the list of members stay unchanged. */
  async transfer(ctx: RequestContext, from: AccountId, to: AccountId): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const moved = await this.query(inner, TRANSFER, [from, to]);
      if (moved.length === 0) return;
      await this.audit.append(inner, {
        event: 'dataset.ownership_transferred',
        subject: `account:${from}`,
        details: { to, dataset_ids: moved.map((row) => row.id).sort() },
      });
    });
  }
}
