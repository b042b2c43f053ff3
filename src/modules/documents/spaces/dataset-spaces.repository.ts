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

/**
 * The embedding spaces in which chunks of a dataset are stored: its own, and those of models that the installation had before or has since.
 */
@Injectable()
export class DatasetSpaces extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async list(ctx: RequestContext, datasetId: DatasetId): Promise<string[]> {
    return (await this.query(ctx, LIST, [datasetId])).map(({ space }) => space);
  }

  /**
   * The space whose vectors searches of the dataset use; undefined when the dataset is deleted. It does not change within a transaction
   * that locks the dataset's row.
   */
  async current(ctx: RequestContext, datasetId: DatasetId): Promise<string | undefined> {
    return (await this.queryOne(ctx, CURRENT, [datasetId]))?.space;
  }

  /** Records that rows will be written into a space, before they are; does nothing for the dataset's own space. */
  async note(ctx: RequestContext, datasetId: DatasetId, space: string): Promise<void> {
    await this.query(ctx, NOTE, [datasetId, space]);
  }

  /** Removes the record of a space that is no longer searched, because it holds nothing of the dataset. */
  async forget(ctx: RequestContext, datasetId: DatasetId, space: string): Promise<void> {
    await this.query(ctx, FORGET, [datasetId, space]);
  }

  /**
   * Sets a dataset's own space to `to`, effective from the commit on. Rows in the former space are kept but, unless `keepsSearching`
   * (chunks may be nowhere else), no longer searched. The dataset must be locked.
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
