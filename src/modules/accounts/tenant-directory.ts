import { Injectable } from '@nestjs/common';
import type { TenantId } from '#libs/common';
import { columnsOf, statement, UnitOfWork } from '#libs/database';
import { SystemRepository } from './system-repository.js';
import { TenantEntity } from './tenant.entity.js';

const LIST = statement(columnsOf(TenantEntity, 'id'), `SELECT id FROM tenants ORDER BY id`);

/** All tenants, for background work that goes over all of them. */
@Injectable()
export class TenantDirectory extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Their ids, in order. */
  async list(): Promise<TenantId[]> {
    const rows = await this.queryBeforeContext(LIST);
    return rows.map(({ id }) => id);
  }
}
