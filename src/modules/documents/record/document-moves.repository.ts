import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId, RevisionId } from '#libs/common';
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
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { DocumentEntity, TEXT_REVISION, type DocumentRow } from './document.entity.js';
import { DocumentRevisionEntity } from './document-revision.entity.js';
import { forgetSameNames } from './same-names.repository.js';

/** The dataset of a document that the caller can see. */
export interface DocumentPlace {
  readonly id: DocumentId;
  readonly dataset_id: DatasetId;
  readonly split_revision_id: RevisionId | null;
}

/** Numbers of visible changes (`bumpContent`) by dataset. */
export type ContentNumbers = ReadonlyMap<string, string>;

/** Assignments that begin another attempt; shown chunks and earlier results are kept. */
export const NEXT_ATTEMPT = `status = 'pending', attempt = d.attempt + 1, progress = 0, error = NULL, waiting_reason = NULL,
  provider_waiting_since = NULL,
  started_at = NULL, completed_at = NULL, updated_at = now()`;

/**
 * Assignments that keep the policy version and revision of the shown chunks while a later attempt has others. Documents ingested before the
 * two were separate get their values here.
 */
export const REMEMBER_SHOWN = `ingested_policy_version = CASE WHEN d.visible_generation IS NULL THEN d.ingested_policy_version
    ELSE coalesce(d.ingested_policy_version, d.policy_version) END,
  visible_revision = CASE WHEN d.visible_generation IS NULL THEN d.visible_revision ELSE coalesce(d.visible_revision, d.revision) END,
  visible_revision_id = CASE WHEN d.visible_generation IS NULL THEN d.visible_revision_id
    ELSE coalesce(d.visible_revision_id, d.revision_id) END`;

const LOCATE_VISIBLE = statementFamily(
  columnsOf(DocumentEntity, 'id', 'dataset_id', 'split_revision_id'),
  (visible: string) =>
    `SELECT d.id, d.dataset_id, d.split_revision_id FROM documents d JOIN datasets s ON s.id = d.dataset_id
     WHERE d.id = ANY ($1::uuid[]) AND d.deleted_at IS NULL AND s.deleted_at IS NULL AND (${visible})`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);
const LIST_PARTS = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT id FROM documents WHERE archive_id = ANY ($1::uuid[]) AND deleted_at IS NULL`,
);
const LOCK = statement(
  allColumnsOf(DocumentEntity),
  `SELECT * FROM documents WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
);
/** An archive that is to be split again or become one text (`BECOME_WHOLE`): its files are those of an earlier revision. */
const IS_TO_BE_SPLIT_ANEW = `d.split_revision_id IS NOT NULL AND d.split_revision_id <> d.revision_id`;
/** Files of archives that were never completed; nothing of them is shown afterwards. */
const WITHDRAW_PARTS = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET status = 'cancelled', visible_generation = NULL, visible_chunk_set_id = NULL, visible_revision = NULL,
     visible_revision_id = NULL, chunk_count = 0, token_count = 0, visibility_seq = n.seq, completed_at = now(), updated_at = now()
   FROM unnest($2::uuid[], $3::bigint[]) AS n(dataset_id, seq)
   WHERE n.dataset_id = d.dataset_id AND d.archive_id = ANY ($1::uuid[]) AND d.status = 'completed' AND d.deleted_at IS NULL
   RETURNING d.*`,
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
     split_revision_id = CASE WHEN d.split_revision_id IS NULL THEN NULL ELSE r.id END,
     completed_at = coalesce((SELECT max(e.created_at) FROM document_events e
       WHERE e.document_id = d.id AND e.event = 'completed'), d.completed_at, now())
   FROM document_revisions r
   WHERE r.id = ${TEXT_REVISION} AND d.id = ANY ($1::uuid[])
     AND d.status IN ('pending', 'processing') AND (d.visible_generation IS NOT NULL OR ${IS_TO_BE_SPLIT_ANEW}) RETURNING d.*`,
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
   FROM datasets s WHERE s.id = d.dataset_id AND d.id = ANY ($1::uuid[])
     AND (d.status = 'completed' OR (d.status = 'failed' AND d.archive_id IS NOT NULL))
     AND d.split_revision_id IS DISTINCT FROM d.revision_id RETURNING d.*`,
);
const ADOPT_POLICY = statement(
  {},
  `UPDATE documents d SET policy_version = s.policy_version FROM datasets s WHERE s.id = d.dataset_id AND d.id = ANY ($1::uuid[])`,
);
/** A released archive that was already split waits for its files, not for a worker. */
const AWAIT_PARTS = statement(
  {},
  `UPDATE documents d SET status = 'processing' WHERE d.id = ANY ($1::uuid[]) AND d.status = 'pending' AND d.split_revision_id = d.revision_id`,
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

/** The moves as guarded updates. Each resolves to the rows that it moved; the caller must have locked them. */
@Injectable()
export class DocumentMovesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** Those of the documents that exist in datasets that the caller can see, in no particular order. */
  async locateVisible(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentPlace[]> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    return this.query(ctx, LOCATE_VISIBLE.of(visible.sql), [ids, ...visible.parameters]);
  }

  /** The files of archives, in no particular order. */
  async listParts(ctx: TransactionContext, archiveIds: readonly string[]): Promise<DocumentId[]> {
    if (archiveIds.length === 0) return [];
    return (await this.query(ctx, LIST_PARTS, [archiveIds])).map(({ id }) => id);
  }

  /** Locks the documents in the order of their ids; documents deleted meanwhile are left out. */
  async lock(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, LOCK, [ids]);
  }

  /** `pending`, `processing` → `cancelled`, for documents that show nothing. */
  async cancel(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, CANCEL, [ids]);
  }

  /** `completed` → `cancelled`, and nothing is shown any more: files of archives that are cancelled before they were ever completed. */
  async withdrawParts(
    ctx: TransactionContext,
    archiveIds: readonly string[],
    numbers: ContentNumbers,
  ): Promise<DocumentRow[]> {
    if (archiveIds.length === 0) return [];
    return this.query(ctx, WITHDRAW_PARTS, [archiveIds, [...numbers.keys()], [...numbers.values()]]);
  }

  /** Sets the policy version of archives whose files are ingested under the dataset's present policy. */
  async adoptPolicy(ctx: TransactionContext, archiveIds: readonly string[]): Promise<void> {
    if (archiveIds.length > 0) await this.query(ctx, ADOPT_POLICY, [archiveIds]);
  }

  /** Sets released split archives to `processing`: they wait for their files. */
  async awaitParts(ctx: TransactionContext, archiveIds: readonly string[]): Promise<void> {
    if (archiveIds.length > 0) await this.query(ctx, AWAIT_PARTS, [archiveIds]);
  }

  /**
   * `pending`, `processing` → `completed` with the shown generation: policy version, revision and times become those of that generation
   * again.
   */
  async goBackToShown(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, GO_BACK_TO_SHOWN, [ids]);
  }

  /** Removes the revisions that are newer than the shown one; resolves to the keys of their files. */
  async removeAbandonedRevisions(ctx: TransactionContext, ids: readonly string[]): Promise<string[]> {
    const rows = await this.query(ctx, REMOVE_ABANDONED_REVISIONS, [ids]);
    return rows.map((row) => row.blob_key);
  }

  /** `failed` → `pending`, under the same policy version. */
  async retry(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, RETRY, [ids]);
  }

  /**
   * `completed`, or `failed` files of archives → `pending`, under the dataset's present policy version; split archives are left alone.
   */
  async reingest(ctx: TransactionContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, REINGEST, [ids]);
  }

  /** Every status except `cancelled` and `quarantined` → `quarantined`. */
  async quarantine(ctx: TransactionContext, ids: readonly string[], numbers: ContentNumbers): Promise<DocumentRow[]> {
    return this.query(ctx, QUARANTINE, [ids, [...numbers.keys()], [...numbers.values()]]);
  }

  /** `quarantined` → `pending`; the chunks shown before the quarantine are searchable again at once. */
  async release(ctx: TransactionContext, ids: readonly string[], numbers: ContentNumbers): Promise<DocumentRow[]> {
    return this.query(ctx, RELEASE, [ids, [...numbers.keys()], [...numbers.values()]]);
  }

  /** Removes documents from all lists and searches; a purge removes their data. */
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

  /** Stops the work on documents: a worker that ingests one loses its lease, and its next guarded write fails. */
  async endTasks(ctx: TransactionContext, ids: readonly string[]): Promise<void> {
    await this.unitOfWork.asSystem(ctx, (manager) => removeTasks(manager, ids));
  }
}
