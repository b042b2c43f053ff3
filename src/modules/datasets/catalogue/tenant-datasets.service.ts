import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { requireActingTenant } from '../../accounts/index.js';
import { DatasetContents } from '../record/dataset-contents.port.js';
import { contentsView } from '../record/dataset-views.js';
import type { TenantDatasetPage, TenantDatasetsQuery } from './tenant-datasets.dto.js';
import { TenantDatasetsRepository } from './tenant-datasets.repository.js';

/** Lists the datasets of a tenant for its administrators. */
@Injectable()
export class TenantDatasetsService {
  constructor(
    private readonly datasets: TenantDatasetsRepository,
    private readonly contents: DatasetContents,
  ) {}

  /** @throws `accounts.tenant_not_found` */
  async list(ctx: RequestContext, tenantId: string, query: TenantDatasetsQuery): Promise<TenantDatasetPage> {
    requireActingTenant(ctx, tenantId);
    const page = await this.datasets.list(ctx, query);
    const ids = page.items.map((row) => row.id);
    const summaries = await this.contents.summarize(ctx, ids);
    const sizes = await this.contents.sumBytes(ctx, ids);
    const items = page.items.map((row) => ({
      id: row.id,
      name: row.name,
      owner_id: row.owner_id,
      acl: row.acl,
      partial_member_list: [...row.partial_member_list],
      ...contentsView(summaries.get(row.id)),
      size_bytes: sizes.get(row.id) ?? 0,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }));
    return { ...page, items };
  }
}
