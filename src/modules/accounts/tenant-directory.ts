import { Injectable } from '@nestjs/common';
import type { TenantId } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { SystemRepository } from './system-repository.js';

/** All tenants, for background work that goes over all of them. */
@Injectable()
export class TenantDirectory extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Their ids, in order. */
  async list(): Promise<TenantId[]> {
    const rows = await this.queryBeforeContext<{ id: TenantId }>(`SELECT id FROM tenants ORDER BY id`);
    return rows.map(({ id }) => id);
  }
}
