import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import {
  allColumnsOf,
  columnsOf,
  rowsOf,
  statement,
  statementFamily,
  TenantRepository,
  type TransactionContext,
  UnitOfWork,
} from '#libs/database';
import { removeTasks } from '#libs/tasks';
import { DatasetAccess, visibilityVariantsOf } from '../datasets/index.js';
import { DocumentEntity, TEXT_REVISION, type DocumentRow } from './document.entity.js';
import { DocumentRevisionEntity } from './document-revision.entity.js';
import { forgetSameNames } from './same-names.js';

/** Where a document lies that the caller sees. */
export interface DocumentPlace {
  readonly id: string;
  readonly dataset_id: DatasetId;
}

/** Numbers of visible changes (`bumpContent`) by dataset. */
export type ContentNumbers = ReadonlyMap<string, string>;

/** A new attempt begins at nothing; what is shown and what was computed stay. */
export const NEXT_ATTEMPT = `status = 'pending', attempt = d.attempt + 1, progress = 0, error = NULL, waiting_reason = NULL,
  provider_waiting_since = NULL,
  started_at = NULL, completed_at = NULL, updated_at = now()`;

/**
 * What is shown keeps its own version and revision while a later attempt has others. Documents that were ingested before the two
 * were told apart get theirs here.
 */
export const REMEMBER_SHOWN = `ingested_policy_version = CASE WHEN d.visible_generation IS NULL THEN d.ingested_policy_version
    ELSE coalesce(d.ingested_policy_version, d.policy_version) END,
  visible_revision = CASE WHEN d.visible_generation IS NULL THEN d.visible_revision ELSE coalesce(d.visible_revision, d.revision) END,
  visible_revision_id = CASE WHEN d.visible_generation IS NULL THEN d.visible_revision_id
    ELSE coalesce(d.visible_revision_id, d.revision_id) END`;

const LOCATE_VISIBLE = statementFamily(
  columnsOf(DocumentEntity, 'id', 'dataset_id'),
  (visible: string) =>
    `SELECT d.id, d.dataset_id FROM documents d JOIN datasets s ON s.id = d.dataset_id
     WHERE d.id = ANY ($1::uuid[]) AND d.deleted_at IS NULL AND s.deleted_at IS NULL AND (${visible})`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);
const LOCK = statement(
  allColumnsOf(DocumentEntity),
  `SELECT * FROM documents WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
);
const CANCEL = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents SET status = 'cancelled', error = NULL, waiting_reason = NULL, completed_at = now(), updated_at = now()
   WHERE id = ANY ($1::uuid[]) AND status IN ('pending', 'processing') AND visible_generation IS NULL RETURNING *`,
);
const GO_BACK_TO_SHOWN = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET status = 'completed', current_stage = 'completed', progress = 100, error = NULL, waiting_reason = NULL,
     policy_version = coalesce(d.ingested_policy_version, d.policy_version), revision = r.revision, revision_id = r.id,
     size_bytes = r.size_bytes, sha256 = r.sha256, updated_at = now(),
     declared_media_type = CASE WHEN r.id = d.revision_id THEN d.declared_media_type ELSE r.declared_media_type END,
     completed_at = coalesce((SELECT max(e.created_at) FROM document_events e
       WHERE e.document_id = d.id AND e.event = 'completed'), d.completed_at, now())
   FROM document_revisions r
   WHERE r.id = ${TEXT_REVISION} AND d.id = ANY ($1::uuid[])
     AND d.status IN ('pending', 'processing') AND d.visible_generation IS NOT NULL RETURNING d.*`,
);
const REMOVE_ABANDONED_REVISIONS = statement(
  columnsOf(DocumentRevisionEntity, 'blob_key'),
  `DELETE FROM document_revisions r USING documents d
   WHERE d.id = r.document_id AND d.id = ANY ($1::uuid[]) AND r.revision > d.revision RETURNING r.blob_key`,
);
const RETRY = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET ${NEXT_ATTEMPT} WHERE d.id = ANY ($1::uuid[]) AND d.status = 'failed' RETURNING d.*`,
);
const REINGEST = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET ${NEXT_ATTEMPT}, ${REMEMBER_SHOWN}, current_stage = 'parsing', policy_version = s.policy_version
   FROM datasets s WHERE s.id = d.dataset_id AND d.id = ANY ($1::uuid[]) AND d.status = 'completed' RETURNING d.*`,
);
const QUARANTINE = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET status = 'quarantined', quarantined_at = now(), waiting_reason = NULL, visibility_seq = n.seq,
     updated_at = now()
   FROM unnest($2::uuid[], $3::bigint[]) AS n(dataset_id, seq)
   WHERE n.dataset_id = d.dataset_id AND d.id = ANY ($1::uuid[])
     AND d.status IN ('pending', 'processing', 'completed', 'failed') RETURNING d.*`,
);
const RELEASE = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET ${NEXT_ATTEMPT}, ${REMEMBER_SHOWN}, current_stage = 'parsing', quarantined_at = NULL, visibility_seq = n.seq
   FROM unnest($2::uuid[], $3::bigint[]) AS n(dataset_id, seq)
   WHERE n.dataset_id = d.dataset_id AND d.id = ANY ($1::uuid[]) AND d.status = 'quarantined' RETURNING d.*`,
);
const DELETE = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET deleted_at = now(), visibility_seq = n.seq, updated_at = now()
   FROM unnest($2::uuid[], $3::bigint[]) AS n(dataset_id, seq)
   WHERE n.dataset_id = d.dataset_id AND d.id = ANY ($1::uuid[]) AND d.deleted_at IS NULL RETURNING d.*`,
);

/** The moves as guarded updates. Each gives the rows that it moved; the callers have locked them. */
@Injectable()
export class DocumentMovesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** Those of the documents that are there and in datasets that the caller sees. In no order. */
  async locateVisible(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentPlace[]> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    return this.query(ctx, LOCATE_VISIBLE.of(visible.sql), [ids, ...visible.parameters]);
  }

  /** Locks the documents in the order of their ids; what was deleted meanwhile is left out. */
  async lock(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, LOCK, [ids]);
  }

  /** `pending`, `processing` → `cancelled`, where nothing is shown. */
  async cancel(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, CANCEL, [ids]);
  }

  /** `pending`, `processing` → `completed` on what is shown: version, revision and times are those of the shown generation again. */
  async goBackToShown(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, GO_BACK_TO_SHOWN, [ids]);
  }

  /** Removes the revisions that are newer than what is shown; gives where their files lie. */
  async removeAbandonedRevisions(ctx: TransactionContext, ids: readonly string[]): Promise<string[]> {
    const rows = await this.query(ctx, REMOVE_ABANDONED_REVISIONS, [ids]);
    return rows.map((row) => row.blob_key);
  }

  /** `failed` → `pending`, under the same policy version. */
  async retry(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, RETRY, [ids]);
  }

  /** `completed` → `pending`, under the dataset's present policy version. */
  async reingest(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, REINGEST, [ids]);
  }

  /** Everything but `cancelled` and `quarantined` → `quarantined`. */
  async quarantine(ctx: TransactionContext, ids: readonly string[], numbers: ContentNumbers): Promise<DocumentRow[]> {
    return this.query(ctx, QUARANTINE, [ids, [...numbers.keys()], [...numbers.values()]]);
  }

  /** `quarantined` → `pending`; what it showed before it shows again at once. */
  async release(ctx: TransactionContext, ids: readonly string[], numbers: ContentNumbers): Promise<DocumentRow[]> {
    return this.query(ctx, RELEASE, [ids, [...numbers.keys()], [...numbers.values()]]);
  }

  /** Takes documents out of every list and search; their storage is cleaned by a purge. */
  async delete(ctx: TransactionContext, ids: readonly string[], numbers: ContentNumbers): Promise<DocumentRow[]> {
    return this.unitOfWork.run(ctx, async (manager) => {
      const rows = await rowsOf(manager, DELETE, [ids, [...numbers.keys()], [...numbers.values()]]);
      await forgetSameNames(
        manager,
        rows.map(({ id }) => id),
      );
      return rows;
    });
  }

  /** Ends the work on documents: a worker that is at it loses its lease, and its next guarded write fails. */
  async endTasks(ctx: TransactionContext, ids: readonly string[]): Promise<void> {
    await this.unitOfWork.asSystem(ctx, (manager) => removeTasks(manager, ids));
  }
}
