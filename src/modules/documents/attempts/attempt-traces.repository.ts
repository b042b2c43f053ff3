import { Injectable } from '@nestjs/common';
import type { DocumentId } from '#libs/common';
import { columnsOf, statement, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity } from '../record/document.entity.js';

/** Metadata of a document that was written to the vector store: its change number, and the state of the document at that time. */
export interface StoredMetadata {
  readonly id: string;
  readonly metadata_seq: string;
  readonly stored_metadata_seq: string;
  readonly visible_generation: string;
}

const LOST = statement(
  {},
  `UPDATE documents SET waiting_reason = 'worker_lost' WHERE id IN (
     SELECT d.id FROM unnest($1::uuid[], $2::bigint[]) AS l(id, token)
     JOIN documents d ON d.id = l.id AND d.fencing_token = l.token
     WHERE d.status = 'processing' AND d.deleted_at IS NULL ORDER BY d.id FOR UPDATE OF d SKIP LOCKED)`,
);
const WAIT_FOR_SPACE = statement(
  {},
  `UPDATE documents SET waiting_reason = 'storage_low' WHERE id IN (
     SELECT id FROM documents WHERE id = ANY ($1::uuid[]) AND status = 'pending' AND waiting_reason IS NULL AND deleted_at IS NULL
     ORDER BY id FOR UPDATE SKIP LOCKED)`,
);
const HAVE_SPACE = statement(
  {},
  `UPDATE documents SET waiting_reason = NULL WHERE id IN (
     SELECT id FROM documents WHERE id = ANY ($1::uuid[]) AND status = 'pending' AND waiting_reason = 'storage_low'
     ORDER BY id FOR UPDATE SKIP LOCKED)`,
);
const DISTRUST = statement(
  {},
  `UPDATE documents SET stored_metadata_seq = -1 WHERE id = $1 AND visible_generation IS NOT NULL AND deleted_at IS NULL`,
);
const MARK_STORED = statement(
  columnsOf(DocumentEntity, 'id'),
  `WITH held AS MATERIALIZED (SELECT id FROM documents WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE)
   UPDATE documents d SET stored_metadata_seq = w.seq
   FROM held, unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[]) AS w(id, seq, stored, generation)
   WHERE d.id = held.id AND d.id = w.id AND d.stored_metadata_seq = w.stored AND d.visible_generation = w.generation
     AND d.status <> 'processing' RETURNING d.id`,
);

/** Notes that workers leave on documents besides their attempts: that a worker was lost, and which metadata the vector store has. */
@Injectable()
export class AttemptTraces extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /**
   * Sets the waiting reason `worker_lost` of documents whose worker died; documents that another worker has taken meanwhile are left alone.
   */
  async noteLost(ctx: RequestContext, lost: readonly { readonly id: string; readonly token: string }[]): Promise<void> {
    await this.query(ctx, LOST, [lost.map(({ id }) => id), lost.map(({ token }) => token)]);
  }

  /** Sets or clears the waiting reason `storage_low` of documents that have no other waiting reason. */
  async noteSpace(ctx: RequestContext, documentIds: readonly string[], isLow: boolean): Promise<void> {
    await this.query(ctx, isLow ? WAIT_FOR_SPACE : HAVE_SPACE, [documentIds]);
  }

  /** Records that the vector store may hold other metadata of a shown document than was recorded before. */
  async distrust(ctx: TransactionContext, documentId: DocumentId): Promise<void> {
    await this.query(ctx, DISTRUST, [documentId]);
  }

  /**
   * Records that the vector store holds the metadata that the rows had when they were read, unless an attempt has begun since, which may
   * have written other metadata. Resolves to the documents for which it was recorded.
   */
  async markStored(ctx: RequestContext, rows: readonly StoredMetadata[]): Promise<ReadonlySet<string>> {
    const done = await this.query(ctx, MARK_STORED, [
      rows.map(({ id }) => id),
      rows.map((row) => row.metadata_seq),
      rows.map((row) => row.stored_metadata_seq),
      rows.map((row) => row.visible_generation),
    ]);
    return new Set(done.map(({ id }) => id));
  }
}
