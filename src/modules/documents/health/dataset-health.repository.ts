import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { SEARCHABLE } from '../record/document-list.repository.js';

/** Counts of a dataset's documents, without deleted ones. */
export interface HealthRow {
  readonly pending: number;
  readonly processing: number;
  readonly completed: number;
  readonly failed: number;
  readonly quarantined: number;
  readonly cancelled: number;
  readonly searchable: number;
  readonly without_text: number;
  readonly total: number;
  /** Chunks that a search can return. */
  readonly chunks: number;
  /** Completed documents without chunks. */
  readonly without_chunks: number;
  /** Number of documents with a shown generation, and of those among them whose policy version is not one of the given versions. */
  readonly shown: number;
  readonly stale_policy: number;
  /** Number of documents under one of the given versions that were ingested before the last re-embedding to another model. */
  readonly fitted_before: number;
  /** Number of rows that the vector store must hold, including those of quarantined documents. */
  readonly rows: number;
  readonly last_ingestion_at: Date | null;
}

const MEASURE = statement(
  {
    total: result.integer,
    pending: result.integer,
    processing: result.integer,
    completed: result.integer,
    failed: result.integer,
    quarantined: result.integer,
    cancelled: result.integer,
    searchable: result.integer,
    without_text: result.integer,
    without_chunks: result.integer,
    shown: result.integer,
    stale_policy: result.integer,
    fitted_before: result.integer,
    chunks: result.integer,
    rows: result.integer,
    last_ingestion_at: result.orNull(result.time),
  },
  `SELECT count(*)::int AS total,
     count(*) FILTER (WHERE status = 'pending')::int AS pending,
     count(*) FILTER (WHERE status = 'processing')::int AS processing,
     count(*) FILTER (WHERE status = 'completed')::int AS completed,
     count(*) FILTER (WHERE status = 'failed')::int AS failed,
     count(*) FILTER (WHERE status = 'quarantined')::int AS quarantined,
     count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
     count(*) FILTER (WHERE ${SEARCHABLE})::int AS searchable,
     count(*) FILTER (WHERE status = 'completed' AND NOT ${SEARCHABLE})::int AS without_text,
     count(*) FILTER (WHERE status = 'completed' AND chunk_count = 0 AND split_revision_id IS NULL)::int AS without_chunks,
     count(*) FILTER (WHERE visible_generation IS NOT NULL AND chunk_count > 0)::int AS shown,
     count(*) FILTER (WHERE visible_generation IS NOT NULL
       AND coalesce(ingested_policy_version, policy_version) <> ALL ($2::int[]))::int AS stale_policy,
     count(*) FILTER (WHERE visible_generation IS NOT NULL AND chunk_count > 0
       AND coalesce(ingested_policy_version, policy_version) = ANY ($2::int[])
       AND completed_at < (SELECT max(r.switched_at) FROM reembeddings r WHERE r.dataset_id = $1 AND r.status = 'completed'))::int AS fitted_before,
     coalesce(sum(chunk_count) FILTER (WHERE visible_generation IS NOT NULL AND quarantined_at IS NULL), 0)::int AS chunks,
     coalesce(sum(chunk_count) FILTER (WHERE visible_generation IS NOT NULL), 0)::int AS rows,
     max(completed_at) FILTER (WHERE status = 'completed') AS last_ingestion_at
   FROM documents d WHERE dataset_id = $1 AND deleted_at IS NULL`,
);

@Injectable()
export class DatasetHealthRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** `versionsInForce`: numbers of the versions with the same content as the policy in force. */
  async measure(ctx: RequestContext, datasetId: DatasetId, versionsInForce: readonly number[]): Promise<HealthRow> {
    const row = await this.queryOne(ctx, MEASURE, [datasetId, versionsInForce]);
    if (row === undefined) throw new Error('An aggregate without groups has one row.');
    return row;
  }
}
