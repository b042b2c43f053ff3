import { Injectable } from '@nestjs/common';
import { columnsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { RequestLedgerEntity } from './request-ledger.entity.js';

const REMOVE = statement(
  columnsOf(RequestLedgerEntity, 'id'),
  `DELETE FROM request_ledger WHERE id IN (
     SELECT id FROM request_ledger WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2)
   RETURNING id`,
);

/** Requests that the ledger no longer has to keep. */
@Injectable()
export class OldRequests extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Removes the oldest of those of more than `keptDays` ago, at most `limit`; resolves to how many. */
  async remove(ctx: RequestContext, keptDays: number, limit: number): Promise<number> {
    return (await this.query(ctx, REMOVE, [keptDays, limit])).length;
  }
}
