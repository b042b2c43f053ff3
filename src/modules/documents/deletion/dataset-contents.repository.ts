import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import {
  columnsOf,
  result,
  rowsOf,
  statement,
  TenantRepository,
  type TransactionContext,
  UnitOfWork,
} from '#libs/database';
import { DOCUMENT_DELETED } from '../documents.events.js';
import { DomainEvents } from '#libs/events';
import { removeTasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity } from '../record/document.entity.js';
import { SEARCHABLE } from '../record/document-list.repository.js';
import { deletedOf } from '../record/event-payloads.js';
import { DatasetContents, type ContentCount, type ContentSummary } from '../../datasets/index.js';

/** Maximum number of events per statement. */
const EVENTS_TOGETHER = 1_000;

const COUNT_CONTENTS = statement(
  { documents: result.integer, chunks: result.integer, blobs: result.integer },
  `SELECT count(*) FILTER (WHERE d.deleted_at IS NULL)::int AS documents,
     (SELECT count(*)::int FROM chunks c JOIN documents x ON x.id = c.document_id WHERE x.dataset_id = $1) AS chunks,
     (SELECT count(*)::int FROM document_revisions r JOIN documents x ON x.id = r.document_id WHERE x.dataset_id = $1) AS blobs
   FROM documents d WHERE d.dataset_id = $1`,
);
const HIDE = statement(
  columnsOf(DocumentEntity, 'id', 'dataset_id', 'revision', 'attempt', 'policy_version', 'status'),
  `UPDATE documents SET deleted_at = now(), updated_at = now() WHERE dataset_id = $1 AND deleted_at IS NULL
   RETURNING id, dataset_id, revision, attempt, policy_version, status`,
);
const NOTE_DELETED = statement(
  {},
  `INSERT INTO document_events (tenant_id, document_id, event) SELECT $1, unnest($2::uuid[]), 'deleted'`,
);
const SUM_BYTES = statement(
  { ...columnsOf(DocumentEntity, 'dataset_id'), bytes: result.float },
  `SELECT d.dataset_id, sum(r.size_bytes)::float8 AS bytes FROM documents d JOIN document_revisions r ON r.document_id = d.id
   WHERE d.dataset_id = ANY($1::uuid[]) AND d.deleted_at IS NULL GROUP BY d.dataset_id`,
);
const SUMMARIZE = statement(
  {
    ...columnsOf(DocumentEntity, 'dataset_id'),
    total: result.integer,
    pending: result.integer,
    processing: result.integer,
    completed: result.integer,
    failed: result.integer,
    quarantined: result.integer,
    cancelled: result.integer,
    searchable: result.integer,
    without_text: result.integer,
    chunks: result.integer,
  },
  `SELECT dataset_id, count(*)::int AS total,
     count(*) FILTER (WHERE status = 'pending')::int AS pending,
     count(*) FILTER (WHERE status = 'processing')::int AS processing,
     count(*) FILTER (WHERE status = 'completed')::int AS completed,
     count(*) FILTER (WHERE status = 'failed')::int AS failed,
     count(*) FILTER (WHERE status = 'quarantined')::int AS quarantined,
     count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
     count(*) FILTER (WHERE ${SEARCHABLE})::int AS searchable,
     count(*) FILTER (WHERE status = 'completed' AND NOT ${SEARCHABLE})::int AS without_text,
     coalesce(sum(chunk_count) FILTER (WHERE visible_generation IS NOT NULL AND quarantined_at IS NULL), 0)::int AS chunks
   FROM documents d WHERE dataset_id = ANY($1::uuid[]) AND deleted_at IS NULL GROUP BY dataset_id`,
);

/** Implements what datasets need to know and do about their documents. */
@Injectable()
export class DatasetContentsRepository extends TenantRepository implements DatasetContents {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly events: DomainEvents,
  ) {
    super(unitOfWork);
  }

  async countContents(ctx: RequestContext, datasetId: DatasetId): Promise<ContentCount> {
    const row = await this.queryOne(ctx, COUNT_CONTENTS, [datasetId]);
    return row ?? { documents: 0, chunks: 0, blobs: 0 };
  }

  async hide(ctx: TransactionContext, datasetId: DatasetId): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager) => {
      const rows = await rowsOf(manager, HIDE, [datasetId]);
      await rowsOf(manager, NOTE_DELETED, [ctx.tenantId, rows.map((row) => row.id)]);
      for (let from = 0; from < rows.length; from += EVENTS_TOGETHER) {
        const some = rows.slice(from, from + EVENTS_TOGETHER).map((row) => deletedOf(row, true));
        await this.events.publish(ctx, DOCUMENT_DELETED, some);
      }
      const ids = rows.map((row) => row.id);
      await this.unitOfWork.asSystem(ctx, (system) => removeTasks(system, ids));
    });
  }

  async sumBytes(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<Map<DatasetId, number>> {
    if (datasetIds.length === 0) return new Map();
    const rows = await this.query(
      ctx,
      // A double is exact for whole numbers up to 8 PiB.
      SUM_BYTES,
      [datasetIds],
    );
    return new Map(rows.map((row) => [row.dataset_id, row.bytes]));
  }

  async summarize(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<Map<DatasetId, ContentSummary>> {
    if (datasetIds.length === 0) return new Map();
    const rows = await this.query(ctx, SUMMARIZE, [datasetIds]);
    return new Map(rows.map(({ dataset_id: id, chunks, ...counts }) => [id, { counts, chunkCount: chunks }]));
  }
}
