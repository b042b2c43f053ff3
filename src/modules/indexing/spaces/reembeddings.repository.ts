import { Injectable } from '@nestjs/common';
import type { FindOptionsWhere } from 'typeorm';
import { newId, type DatasetId, type Page } from '#libs/common';
import { Settings } from '#libs/config';
import {
  allColumnsOf,
  Any,
  columnsOf,
  result,
  statement,
  TenantRepository,
  type TransactionContext,
  UnitOfWork,
} from '#libs/database';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { type DatasetEmbedding, DatasetEntity, showEmbedding } from '../../datasets/index.js';
import { DatasetSpaces } from '../../documents/index.js';
import type { ReembeddingParity } from './reembedding.dto.js';
import { REEMBEDDING } from './reembedding.task.js';
import { ReembeddingEntity } from './reembedding.entity.js';

/** A re-embedding as the repository returns it. */
export type ReembeddingRow = Omit<ReembeddingEntity, 'tenant_id' | 'requested_by'>;

/** The embedding of a dataset: its space, and its model as responses show it. */
export interface EmbeddingInSpace {
  readonly space: string;
  readonly embedding: DatasetEmbedding;
}

/** A space with former vectors of a dataset for which the time for a rollback is over. */
export interface OutlivedSpace {
  readonly id: string;
  readonly dataset_id: DatasetId;
  readonly from_space: string;
}

const LOCK_EMBEDDING = statement(
  { ...columnsOf(DatasetEntity, 'embedding'), space: result.text() },
  `SELECT embedding_space AS space, embedding FROM datasets WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);
const CONTENT_SEQ = statement(
  columnsOf(DatasetEntity, 'content_seq'),
  `SELECT content_seq FROM datasets WHERE id = $1`,
);
const LIST_DATASETS = statement(
  columnsOf(DatasetEntity, 'id', 'embedding_space'),
  `SELECT id, embedding_space FROM datasets WHERE deleted_at IS NULL ORDER BY id`,
);
const INSERT = statement(
  allColumnsOf(ReembeddingEntity),
  `INSERT INTO reembeddings (id, tenant_id, dataset_id, status, from_space, from_embedding, to_space, to_embedding, documents, requested_by)
   SELECT $1, $2, $3, 'pending', $4, $5, $6, $7,
     (SELECT count(*) FROM documents WHERE dataset_id = $3 AND visible_generation IS NOT NULL AND deleted_at IS NULL), $8
   RETURNING *`,
);
const BEGIN = statement(
  columnsOf(ReembeddingEntity, 'id'),
  `UPDATE reembeddings r SET status = 'running' FROM datasets d
   WHERE r.id = $1 AND r.dataset_id = $2 AND r.status IN ('pending', 'running') AND d.id = r.dataset_id AND d.deleted_at IS NULL RETURNING r.id`,
);
const COUNT_CHUNKS = statement({}, `UPDATE reembeddings SET chunks_embedded = chunks_embedded + $2 WHERE id = $1`);
const COUNT_DOCUMENTS = statement(
  columnsOf(ReembeddingEntity, 'id'),
  `UPDATE reembeddings r SET documents_done = $2, error = NULL,
     documents = (SELECT count(*) FROM documents WHERE dataset_id = r.dataset_id AND visible_generation IS NOT NULL AND deleted_at IS NULL)
   FROM datasets d WHERE r.id = $1 AND r.status = 'running' AND d.id = r.dataset_id AND d.deleted_at IS NULL RETURNING r.id`,
);
const COMPLETE = statement(
  columnsOf(ReembeddingEntity, 'id'),
  `UPDATE reembeddings SET status = 'completed', parity = $2, error = NULL, ended_at = now(),
     switched_at = CASE WHEN $3::boolean THEN now() END, from_space = $4, from_embedding = $5 WHERE id = $1 AND status = 'running' RETURNING id`,
);
const MARK_OUTLIVED = statement(
  {},
  `WITH held AS MATERIALIZED (
     SELECT d.id, d.embedding_space FROM datasets d WHERE d.deleted_at IS NULL AND EXISTS (
       SELECT 1 FROM reembeddings o WHERE o.dataset_id = d.id AND o.status = 'completed' AND o.former_dropped_at IS NULL AND o.switched_at < now() - make_interval(days => $1))
     ORDER BY d.id FOR NO KEY UPDATE)
   UPDATE reembeddings r SET former_dropped_at = now() FROM held d
   WHERE d.id = r.dataset_id AND r.status = 'completed' AND r.former_dropped_at IS NULL
     AND r.switched_at < now() - make_interval(days => $1) AND r.from_space <> d.embedding_space
     AND (r.from_space <> $2 OR d.embedding_space = ANY ($3::text[]))`,
);
const LIST_OUTLIVED = statement(
  { id: result.uuid(), dataset_id: result.uuid<DatasetId>(), from_space: result.text() },
  `SELECT DISTINCT ON (r.dataset_id, r.from_space) r.id, r.dataset_id, r.from_space FROM reembeddings r
   JOIN datasets d ON d.id = r.dataset_id AND d.deleted_at IS NULL
   JOIN dataset_spaces s ON s.dataset_id = r.dataset_id AND s.space = r.from_space AND NOT s.searched
   WHERE r.former_dropped_at IS NOT NULL AND r.from_space <> d.embedding_space AND (r.from_space <> $1 OR d.embedding_space = ANY ($2::text[]))
     AND NOT EXISTS (SELECT 1 FROM reembeddings o WHERE o.dataset_id = r.dataset_id AND o.former_dropped_at IS NULL
       AND (o.status IN ('pending', 'running') OR o.status = 'completed' AND o.switched_at IS NOT NULL)
       AND r.from_space IN (o.from_space, o.to_space))`,
);
const END = statement(
  columnsOf(ReembeddingEntity, 'id'),
  `UPDATE reembeddings SET status = $2, error = coalesce($3, error), ended_at = now()
   WHERE id = $1 AND status IN ('pending', 'running') RETURNING id`,
);
const MARK_ROLLED_BACK = statement(
  {},
  `UPDATE reembeddings SET status = 'rolled_back', ended_at = now() WHERE id = $1`,
);
const COUNT_INCOMPLETE = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM documents d
   WHERE d.dataset_id = $1 AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL AND d.visibility_seq > $3
     AND EXISTS (SELECT 1 FROM chunks c WHERE c.chunk_set_id = d.visible_chunk_set_id
       AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = c.id AND v.space = $2))`,
);

/** Moves of datasets between embedding spaces; each is inserted together with its task. */
@Injectable()
export class ReembeddingsRepository extends TenantRepository {
  private readonly keepDays: number;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly tasks: Tasks,
    private readonly spaces: DatasetSpaces,
    settings: Settings,
  ) {
    super(unitOfWork);
    this.keepDays = settings.values.formerVectorsDays;
  }

  /** Undefined for a re-embedding of another dataset. */
  async find(ctx: RequestContext, datasetId: DatasetId, id: string): Promise<ReembeddingRow | undefined> {
    return this.findOne(ctx, { id, dataset_id: datasetId });
  }

  /** The re-embedding that is pending or running. */
  async findOpen(ctx: RequestContext, datasetId: DatasetId): Promise<ReembeddingRow | undefined> {
    return this.findOne(ctx, { dataset_id: datasetId, status: Any(['pending', 'running']) });
  }

  async list(ctx: RequestContext, datasetId: DatasetId, skip: number, limit: number): Promise<Page<ReembeddingRow>> {
    return this.withRepository(ctx, ReembeddingEntity, async (rows) => {
      const [items, total] = await rows.findAndCount({
        where: { dataset_id: datasetId },
        order: { created_at: 'DESC', id: 'ASC' },
        skip,
        take: limit,
      });
      return { items, total, skip, limit };
    });
  }

  /** Datasets of the tenant that are not deleted, with the space that their chunks are embedded into. */
  async listDatasets(ctx: RequestContext): Promise<Pick<DatasetEntity, 'id' | 'embedding_space'>[]> {
    return this.query(ctx, LIST_DATASETS);
  }

  /** Number of the latest visible change of a dataset; 0 for a removed one. */
  async contentSeq(ctx: RequestContext, datasetId: DatasetId): Promise<string> {
    const row = await this.queryOne(ctx, CONTENT_SEQ, [datasetId]);
    return row?.content_seq ?? '0';
  }

  /** The space of a dataset now, with its row locked. */
  async lockEmbedding(ctx: TransactionContext, datasetId: DatasetId): Promise<EmbeddingInSpace | undefined> {
    return this.queryOne(ctx, LOCK_EMBEDDING, [datasetId]);
  }

  /** Inserts a re-embedding in the transaction that has locked the dataset. */
  async insert(
    ctx: TransactionContext,
    datasetId: DatasetId,
    from: EmbeddingInSpace,
    to: EmbeddingInSpace,
  ): Promise<ReembeddingRow> {
    const requestedBy = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    const row = await this.queryOne(ctx, INSERT, [
      newId(),
      ctx.tenantId,
      datasetId,
      from.space,
      JSON.stringify(from.embedding),
      to.space,
      JSON.stringify(to.embedding),
      requestedBy,
    ]);
    return row!;
  }

  /** Enqueues the task of a re-embedding, in the transaction that inserts it. */
  async promise(ctx: TransactionContext, { id, dataset_id: datasetId }: ReembeddingRow): Promise<void> {
    await this.tasks.promise(ctx, REEMBEDDING, { datasetId, reembeddingId: id });
  }

  /** Marks it as `running`; false when it has ended or its dataset was removed. */
  async begin(ctx: RequestContext, datasetId: DatasetId, id: string): Promise<boolean> {
    return (await this.query(ctx, BEGIN, [id, datasetId])).length > 0;
  }

  async countChunks(ctx: RequestContext, id: string, chunks: number): Promise<void> {
    await this.query(ctx, COUNT_CHUNKS, [id, chunks]);
  }

  /** Records the number of completed documents; false when the re-embedding has ended or its dataset was removed. */
  async countDocuments(ctx: RequestContext, id: string, done: number): Promise<boolean> {
    const rows = await this.query(ctx, COUNT_DOCUMENTS, [id, done]);
    return rows.length > 0;
  }

  async keepParity(ctx: RequestContext, id: string, parity: ReembeddingParity): Promise<void> {
    await this.withRepository(ctx, ReembeddingEntity, (rows) => rows.update({ id }, { parity }));
  }

  /** Records why the latest try failed; the re-embedding continues. */
  async noteError(ctx: RequestContext, id: string, error: string): Promise<void> {
    await this.withRepository(ctx, ReembeddingEntity, (rows) => rows.update({ id, status: 'running' }, { error }));
  }

  /** `running` → `completed`; false when it is no longer running. `from`: the dataset's embedding until now. */
  async complete(
    ctx: TransactionContext,
    id: string,
    parity: ReembeddingParity | null,
    from: EmbeddingInSpace,
    isSwitch: boolean,
  ): Promise<boolean> {
    const ended = await this.query(ctx, COMPLETE, [
      id,
      parity === null ? null : JSON.stringify(parity),
      isSwitch,
      from.space,
      JSON.stringify(from.embedding),
    ]);
    return ended.length > 0;
  }

  /**
   * Spaces of all datasets with former vectors for which the time for a rollback is over. They are marked first, so that a rollback
   * meanwhile is refused; a space that is marked and still recorded has yet to be cleaned. `own`: the space of the installation; `spaces`:
   * those of its installed models. A space to which the installation or the dataset has returned is left alone.
   */
  async claimOutlived(ctx: RequestContext, own: string, spaces: readonly string[]): Promise<OutlivedSpace[]> {
    await this.query(ctx, MARK_OUTLIVED, [this.keepDays, own, spaces]);
    return this.query(ctx, LIST_OUTLIVED, [own, spaces]);
  }

  /** Ends a pending or running re-embedding; false when it has already ended. */
  async end(
    ctx: RequestContext,
    id: string,
    status: 'failed' | 'rolled_back',
    error: string | null = null,
  ): Promise<boolean> {
    const rows = await this.query(ctx, END, [id, status, error]);
    return rows.length > 0;
  }

  /** Marks a completed or failed re-embedding as `rolled_back`. */
  async markRolledBack(ctx: TransactionContext, id: string): Promise<void> {
    await this.query(ctx, MARK_ROLLED_BACK, [id]);
  }

  /**
   * Switches searches to the vectors of another space, effective from the commit on. Rows in the former space are kept and, unless
   * `keepsSearching` (chunks may be nowhere else), no longer searched. The dataset must be locked.
   */
  async switchSpace(
    ctx: TransactionContext,
    datasetId: DatasetId,
    former: string,
    to: EmbeddingInSpace,
    keepsSearching: boolean,
  ): Promise<void> {
    await this.unitOfWork.run(ctx, (manager) => showEmbedding(manager, datasetId, to.space, to.embedding));
    await this.spaces.replace(ctx, datasetId, former, to.space, keepsSearching);
  }

  /**
   * Number of searchable documents of the dataset that have chunks without a vector in the space; only documents that changed after `since`
   * count.
   */
  async countIncomplete(ctx: RequestContext, datasetId: DatasetId, space: string, since = '-1'): Promise<number> {
    const row = await this.queryOne(ctx, COUNT_INCOMPLETE, [datasetId, space, since]);
    return row?.n ?? 0;
  }

  private async findOne(
    ctx: RequestContext,
    where: FindOptionsWhere<ReembeddingEntity>,
  ): Promise<ReembeddingRow | undefined> {
    return (await this.withRepository(ctx, ReembeddingEntity, (rows) => rows.findOneBy(where))) ?? undefined;
  }
}
