import { Injectable } from '@nestjs/common';
import type { ChunkSetId, DatasetId, TenantId } from '#libs/common';
import { result, statement, systemRowsOf, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { ShownContentRepository } from '../../content/index.js';
import type { ChangedDocumentRow, DatasetChanges } from './retrieval-rows.js';

const LIST_TENANTS = statement({ id: result.uuid<TenantId>() }, `SELECT id FROM tenants`);
const LIST_LATEST_DATASETS = statement(
  { id: result.uuid<DatasetId>(), contentSeq: result.bigint, embeddingSpace: result.text() },
  `SELECT id, content_seq AS "contentSeq", embedding_space AS "embeddingSpace" FROM datasets WHERE content_seq > 0 AND deleted_at IS NULL ORDER BY updated_at DESC, id LIMIT $1`,
);
const LIST_SEQS = statement(
  { id: result.uuid<DatasetId>(), contentSeq: result.bigint },
  `SELECT id, content_seq AS "contentSeq" FROM datasets WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL`,
);
const LIST_SUMMARIES = statement(
  { id: result.uuid<ChunkSetId>(), summary: result.orNull(result.text()) },
  `SELECT cs.id, encode(t.summary, 'base64') AS summary FROM chunk_sets cs LEFT JOIN chunk_set_terms t ON t.chunk_set_id = cs.id
   WHERE cs.id = ANY ($1::uuid[])`,
);

/** Reads the data for the term statistics of a dataset. */
@Injectable()
export class TermStatisticsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly shown: ShownContentRepository,
  ) {
    super(unitOfWork);
  }

  /**
   * The documents whose visible content changed after `after`, and what the dataset shows. One statement, so everything
   * belongs to one moment; a row for each document, because the driver reads rows as they arrive, and others get turns meanwhile. Undefined when there is no such dataset.
   */
  async findChanges(ctx: RequestContext, datasetId: DatasetId, after: bigint): Promise<DatasetChanges | undefined> {
    const rows = await this.shown.findChanges(ctx, datasetId, after);
    const [first] = rows;
    if (first === undefined) return undefined;
    const changed = first.document_id === null ? [] : (rows as readonly ChangedDocumentRow[]);
    return { seq: BigInt(first.seq), visibleDocuments: first.visible, changed };
  }

  /** Ids of all tenants. In no order. */
  async listTenants(): Promise<TenantId[]> {
    const rows = await systemRowsOf(this.unitOfWork, LIST_TENANTS);
    return rows.map(({ id }) => id);
  }

  /** Up to `limit` datasets with content, the one that was changed last first. */
  async listLatestDatasets(
    ctx: RequestContext,
    limit: number,
  ): Promise<{ readonly id: DatasetId; readonly contentSeq: string; readonly embeddingSpace: string }[]> {
    return this.query(ctx, LIST_LATEST_DATASETS, [limit]);
  }

  /** `content_seq` of those datasets that there are. In no order. */
  async listSeqs(
    ctx: RequestContext,
    ids: readonly DatasetId[],
  ): Promise<{ readonly id: DatasetId; readonly contentSeq: string }[]> {
    return this.query(ctx, LIST_SEQS, [ids]);
  }

  /** The parts of the summaries of chunk sets; a set without chunks has none, a set that is gone is missing. */
  async listSummaries(
    ctx: RequestContext,
    setIds: readonly ChunkSetId[],
  ): Promise<ReadonlyMap<ChunkSetId, readonly Uint8Array[]>> {
    const rows = await this.query(ctx, LIST_SUMMARIES, [setIds]);
    const summaries = new Map<ChunkSetId, Uint8Array[]>();
    for (const { id, summary } of rows) {
      const parts = summaries.get(id) ?? [];
      if (summary !== null) parts.push(Buffer.from(summary, 'base64'));
      summaries.set(id, parts);
    }
    return summaries;
  }
}
