import { Injectable } from '@nestjs/common';
import type { ChunkSetId, DatasetId, DocumentId, TenantId } from '#libs/common';
import { result, statement, systemRowsOf, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { ChangedDocumentRow, DatasetChanges } from './retrieval-rows.js';

const SHOWN = `d.visible_chunk_set_id IS NOT NULL AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL AND d.quarantined_at IS NULL`;

/** A changed document with what is true of its dataset; of a dataset without any there is one row, with null. */
const FIND_CHANGES = statement(
  {
    seq: result.bigint,
    visible: result.integer,
    document_id: result.orNull(result.uuid<DocumentId>()),
    chunk_set_id: result.orNull(result.uuid<ChunkSetId>()),
    generation: result.orNull(result.bigint),
    changed_at: result.bigint,
    attempt: result.integer,
    language: result.orNull(result.text()),
  },
  `WITH s AS MATERIALIZED (
     SELECT id, content_seq AS seq, (SELECT count(*)::int FROM documents d WHERE d.dataset_id = datasets.id AND ${SHOWN}) AS visible
     FROM datasets WHERE id = $1)
   SELECT s.seq, s.visible, d.id AS document_id, CASE WHEN ${SHOWN} THEN d.visible_chunk_set_id END AS chunk_set_id,
     d.visible_generation AS generation, d.visibility_seq AS changed_at, d.attempt, d.language
   FROM s LEFT JOIN documents d ON d.dataset_id = s.id AND d.visibility_seq > $2`,
);
const LIST_TENANTS = statement({ id: result.uuid<TenantId>() }, `SELECT id FROM tenants`);
const LIST_LATEST_DATASETS = statement(
  { id: result.uuid<DatasetId>(), contentSeq: result.bigint },
  `SELECT id, content_seq AS "contentSeq" FROM datasets WHERE content_seq > 0 AND deleted_at IS NULL ORDER BY updated_at DESC, id LIMIT $1`,
);
const LIST_SUMMARIES = statement(
  { id: result.uuid<ChunkSetId>(), summary: result.orNull(result.text()) },
  `SELECT cs.id, encode(t.summary, 'base64') AS summary FROM chunk_sets cs LEFT JOIN chunk_set_terms t ON t.chunk_set_id = cs.id
   WHERE cs.id = ANY ($1::uuid[])`,
);

/** Reads what term statistics of a dataset are made of. */
@Injectable()
export class TermStatisticsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /**
   * The documents whose visible content changed after `after`, and what the dataset shows. One statement, so everything
   * belongs to one moment; a row for each document, because the driver reads rows as they arrive, and others get turns meanwhile. Undefined when there is no such dataset.
   */
  async findChanges(ctx: RequestContext, datasetId: DatasetId, after: bigint): Promise<DatasetChanges | undefined> {
    const rows = await this.query(ctx, FIND_CHANGES, [datasetId, after.toString()]);
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
  ): Promise<{ readonly id: DatasetId; readonly contentSeq: string }[]> {
    return this.query(ctx, LIST_LATEST_DATASETS, [limit]);
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
