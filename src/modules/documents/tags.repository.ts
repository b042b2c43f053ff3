import { Injectable } from '@nestjs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../datasets/index.js';
import type { ListTagsQuery, TagFacet, TagPage } from './dto/tags.dto.js';

/** Tags of the documents of a dataset. */
@Injectable()
export class TagsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** The most frequent first, then by code points. @throws `datasets.not_found` */
  async list(ctx: RequestContext, datasetId: string, query: ListTagsQuery): Promise<TagPage> {
    const { id } = await this.access.requireVisible(ctx, datasetId);
    const pattern = query.q === undefined ? '%' : `%${query.q.replace(/[\\%_]/g, '\\$&')}%`;
    const { skip, limit } = query;
    const from = `FROM documents d, unnest(d.tags) AS t(tag)
      WHERE d.dataset_id = $1 AND d.deleted_at IS NULL AND t.tag ILIKE $2`;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const count = await this.queryOne<{ n: number }>(inner, `SELECT count(DISTINCT t.tag)::int AS n ${from}`, [
        id,
        pattern,
      ]);
      const items = await this.query<TagFacet>(
        inner,
        `SELECT t.tag, count(DISTINCT d.id)::int AS count ${from}
         GROUP BY t.tag ORDER BY count DESC, t.tag COLLATE "C" LIMIT $3 OFFSET $4`,
        [id, pattern, limit, skip],
      );
      return { items, total: count?.n ?? 0, skip, limit };
    });
  }
}
