import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { result, statement, TenantRepository, type TransactionContext, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';

/** The embedding spaces in which a dataset has rows in the vector store, or may have. */
const LIST = statement(
  { space: result.text() },
  `SELECT embedding_space AS space FROM datasets WHERE id = $1 UNION SELECT space FROM dataset_spaces WHERE dataset_id = $1`,
);

const CURRENT = statement({ space: result.text() }, `SELECT embedding_space AS space FROM datasets WHERE id = $1`);

const NOTE = statement(
  {},
  `INSERT INTO dataset_spaces (tenant_id, dataset_id, space, searched)
   SELECT tenant_id, id, $2, true FROM datasets WHERE id = $1 AND embedding_space <> $2
   ON CONFLICT (dataset_id, space) DO UPDATE SET searched = true WHERE NOT dataset_spaces.searched`,
);
const FORGET = statement({}, `DELETE FROM dataset_spaces WHERE dataset_id = $1 AND space = $2 AND NOT searched`);

const REMOVE = statement({}, `DELETE FROM dataset_spaces WHERE dataset_id = $1 AND space = $2`);
const STOP_SEARCHING = statement({}, `UPDATE dataset_spaces SET searched = false WHERE dataset_id = $1`);
const KEEP = statement(
  {},
  `INSERT INTO dataset_spaces (tenant_id, dataset_id, space, searched) VALUES ($1, $2, $3, $4)
   ON CONFLICT (dataset_id, space) DO UPDATE SET searched = EXCLUDED.searched`,
);

/** Knows in which indexes the chunks of a dataset lie: its own, and those of models that the installation had before or has since. */
@Injectable()
export class DatasetSpaces extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async list(ctx: RequestContext, datasetId: DatasetId): Promise<string[]> {
    return (await this.query(ctx, LIST, [datasetId])).map(({ space }) => space);
  }

  /** The space whose vectors searches of the dataset use; undefined when it is gone. In a transaction that holds its row it stays so. */
  async current(ctx: RequestContext, datasetId: DatasetId): Promise<string | undefined> {
    return (await this.queryOne(ctx, CURRENT, [datasetId]))?.space;
  }

  /** Records, before it happens, that rows are written into a space; nothing for the dataset's own. */
  async note(ctx: RequestContext, datasetId: DatasetId, space: string): Promise<void> {
    await this.query(ctx, NOTE, [datasetId, space]);
  }

  /** A space that is not searched any more holds nothing of the dataset from now on. */
  async forget(ctx: RequestContext, datasetId: DatasetId, space: string): Promise<void> {
    await this.query(ctx, FORGET, [datasetId, space]);
  }

  /**
   * Records that a dataset's own space is `to` from the commit on. What lay in the former one is kept and, unless `keepsSearching`
   * (chunks may be nowhere else), not searched any more. The dataset must be locked.
   */
  async replace(
    ctx: TransactionContext,
    datasetId: DatasetId,
    former: string,
    to: string,
    keepsSearching: boolean,
  ): Promise<void> {
    await this.query(ctx, REMOVE, [datasetId, to]);
    if (!keepsSearching) await this.query(ctx, STOP_SEARCHING, [datasetId]);
    await this.query(ctx, KEEP, [ctx.tenantId, datasetId, former, keepsSearching]);
  }
}
