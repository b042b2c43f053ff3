import { Injectable } from '@nestjs/common';
import type { TenantId } from '#libs/common';
import { columnsOf, statement, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { SystemRepository } from '../record/system.repository.js';
import { TenantEntity } from '../record/tenant.entity.js';

const LIST = statement(columnsOf(TenantEntity, 'id'), `SELECT id FROM tenants ORDER BY id`);

const FIND_RELEASE_RULE = statement(
  columnsOf(TenantEntity, 'release_needs_two'),
  `SELECT release_needs_two FROM tenants WHERE id = $1`,
);

/** Tenants and their rules, for modules that depend on accounts and for background work. */
@Injectable()
export class TenantDirectory extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The ids of all tenants, in order. */
  async list(): Promise<TenantId[]> {
    const rows = await this.queryBeforeContext(LIST);
    return rows.map(({ id }) => id);
  }

  /** Whether a release from quarantine needs two accounts in the tenant of the context. */
  async releaseNeedsTwo(ctx: RequestContext): Promise<boolean> {
    return (await this.queryOne(ctx, FIND_RELEASE_RULE, [ctx.tenantId]))?.release_needs_two ?? false;
  }
}
