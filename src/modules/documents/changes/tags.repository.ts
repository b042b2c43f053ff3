import { Injectable } from '@nestjs/common';
import { result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { ListTagsQuery, TagPage } from './tags.dto.js';

const FROM = `FROM documents d, unnest(d.tags) AS t(tag) WHERE d.dataset_id = $1 AND d.deleted_at IS NULL AND t.tag ILIKE $2`;
const COUNT = statement({ n: result.integer }, `SELECT count(DISTINCT t.tag)::int AS n ${FROM}`);
const LIST = statement(
  { tag: result.text(), count: result.integer },
  `SELECT t.tag, count(DISTINCT d.id)::int AS count ${FROM}
   GROUP BY t.tag ORDER BY count DESC, t.tag COLLATE "C" LIMIT $3 OFFSET $4`,
);

/** Tags of the documents of a dataset. */
@Injectable()
export class TagsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** The most frequent tags first, then in the order of code points. @throws `datasets.not_found` */
  async list(ctx: RequestContext, datasetId: string, query: ListTagsQuery): Promise<TagPage> {
    const { id } = await this.access.requireVisible(ctx, datasetId);
    const pattern = query.q === undefined ? '%' : `%${query.q.replace(/[\\%_]/g, '\\$&')}%`;
    const { skip, limit } = query;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const count = await this.queryOne(inner, COUNT, [id, pattern]);
      const items = await this.query(inner, LIST, [id, pattern, limit, skip]);
      return { items, total: count?.n ?? 0, skip, limit };
    });
  }
}
