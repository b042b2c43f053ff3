import { Injectable } from '@nestjs/common';
import type { DocumentId, JsonObject } from '#libs/common';
import {
  allColumnsOf,
  columnsOf,
  rowsOf,
  statement,
  TenantRepository,
  type TransactionContext,
  UnitOfWork,
} from '#libs/database';
import { DocumentEntity, type DocumentRow } from './document.entity.js';
import { identityOf } from './document-path.js';
import { DocumentCreationRepository, TASK_PRIORITY } from './document-creation.repository.js';
import { appendEvents } from './document-events.repository.js';
import { NEXT_ATTEMPT, REMEMBER_SHOWN } from './document-moves.repository.js';
import { insertRevisions, type RevisionFile } from './revision-writes.repository.js';
import { DocumentRevisionEntity } from './document-revision.entity.js';
import { forgetSameNames } from './same-names.repository.js';
import { StoreIntents } from '../intents/store-intents.repository.js';

/** A file that becomes the next revision of a document. */
export interface NewRevision extends RevisionFile {
  readonly documentId: DocumentId;
  /** Null: the document keeps its value. */
  readonly path: string | null;
  /** Another document with the new name; null: there is none. If the name does not change, the warning about other documents stays. */
  readonly sameNameId: DocumentId | null;
  readonly policyVersion: number;
  /** Undefined: the document keeps its values. */
  readonly metadata: JsonObject | undefined;
  readonly tags: readonly string[] | undefined;
  /** Number of the visible change. */
  readonly contentSeq: string;
}

/**
 * An assignment for a property of the text: if nothing is shown it is reset, because the next revision has its own value; otherwise it is
 * kept.
 */
const UNLESS_SHOWN = (column: string, otherwise = 'NULL'): string =>
  `${column} = CASE WHEN d.visible_generation IS NULL THEN ${otherwise} ELSE d.${column} END`;

const FIND_NAMESAKES = statement(
  allColumnsOf(DocumentEntity),
  `SELECT DISTINCT ON (coalesce(path, name)) * FROM documents
   WHERE dataset_id = $1 AND deleted_at IS NULL AND archive_id IS NULL AND coalesce(path, name) = ANY ($2::text[])
     AND name_hash = ANY (ARRAY(SELECT hashtextextended(n.name, 0) FROM unnest($2::text[]) AS n(name)))
   ORDER BY coalesce(path, name), created_at DESC, id DESC`,
);
const LOCK = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT id FROM documents WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`,
);
const REVISE = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET ${NEXT_ATTEMPT}, ${REMEMBER_SHOWN}, current_stage = 'parsing',
     revision = (SELECT max(r.revision) + 1 FROM document_revisions r WHERE r.document_id = d.id), revision_id = $2, name = $3,
     path = coalesce($12::text, d.path),
     same_name_id = CASE WHEN coalesce($12::text, d.path, $3) = coalesce(d.path, d.name) THEN d.same_name_id ELSE $13::uuid END,
     declared_media_type = $5, size_bytes = $6, sha256 = $7, policy_version = $8,
     metadata = coalesce($9::jsonb, d.metadata), tags = coalesce($10::text[], d.tags), visibility_seq = $11,
     metadata_seq = d.metadata_seq + CASE WHEN d.name = $3 AND d.path IS NOT DISTINCT FROM coalesce($12::text, d.path) AND d.metadata = coalesce($9::jsonb, d.metadata)
       AND d.tags = coalesce($10::text[], d.tags) THEN 0 ELSE 1 END,
     ${UNLESS_SHOWN('media_type', '$4')}, ${UNLESS_SHOWN('charset')}, ${UNLESS_SHOWN('language')}, ${UNLESS_SHOWN('page_count')},
     ${UNLESS_SHOWN('fidelity', `'{}'`)}, ${UNLESS_SHOWN('warnings', `'[]'`)}
   WHERE d.id = $1 AND d.deleted_at IS NULL AND d.quarantined_at IS NULL RETURNING d.*`,
);
const DROP_REPLACED = statement(
  columnsOf(DocumentRevisionEntity, 'blob_key'),
  `DELETE FROM document_revisions r WHERE r.document_id = $1 AND r.id <> $2 AND r.id IS DISTINCT FROM $3
     AND NOT EXISTS (SELECT 1 FROM chunk_sets s WHERE s.id = $4 AND s.revision_id = r.id) RETURNING blob_key`,
);

/**
 * Revisions of documents. A document keeps the latest and the shown revision; when another one arrives, all others are removed with their
 * files and texts. So the predecessor of a completed revision is kept until the next upload.
 */
@Injectable()
export class DocumentRevisionsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly creation: DocumentCreationRepository,
    private readonly intents: StoreIntents,
  ) {
    super(unitOfWork);
  }

  /**
   * For each of these names (`identityOf`), the newest document of the dataset that is not deleted, whatever its status; files of archives
   * are left out.
   */
  async findNamesakes(
    ctx: TransactionContext,
    datasetId: string,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, DocumentRow>> {
    const rows = await this.query(ctx, FIND_NAMESAKES, [datasetId, names]);
    return new Map(rows.map((row) => [identityOf(row), row]));
  }

  /** Locks documents in the order of their ids. */
  async lock(ctx: TransactionContext, ids: readonly string[]): Promise<void> {
    await this.query(ctx, LOCK, [ids]);
  }

  /**
   * Adds a revision to a document and begins an attempt to ingest it; undefined when the document was deleted or quarantined meanwhile.
   */
  async revise(ctx: TransactionContext, revision: NewRevision): Promise<DocumentRow | undefined> {
    return this.unitOfWork.run(ctx, async (manager) => {
      const [row] = await rowsOf(manager, REVISE, [
        revision.documentId,
        revision.revisionId,
        revision.name,
        revision.mediaType,
        revision.declaredMediaType,
        revision.sizeBytes,
        revision.sha256,
        revision.policyVersion,
        revision.metadata ?? null,
        revision.tags ?? null,
        revision.contentSeq,
        revision.path,
        revision.sameNameId,
      ]);
      if (row === undefined) return undefined;
      await insertRevisions(manager, ctx.tenantId, [{ ...revision, revision: row.revision }]);
      await forgetSameNames(manager, [row.id]);
      await this.intents.forget(ctx, 'remove_blob', revision.blobKey);
      await this.dropReplaced(ctx, row);
      if (row.metadata_seq !== row.stored_metadata_seq) {
        const payload = { documentId: row.id, datasetId: row.dataset_id };
        await this.intents.add(ctx, 'update_metadata', row.id, payload);
      }
      await appendEvents(manager, ctx.tenantId, row.id, [
        { event: 'queued', details: { attempt: row.attempt, revision: row.revision } },
      ]);
      await this.creation.enqueue(ctx, {
        documentId: row.id,
        datasetId: row.dataset_id,
        sizeBytes: revision.sizeBytes,
        attempt: row.attempt,
        priority: TASK_PRIORITY.upload,
      });
      return row;
    });
  }

  /** Removes all revisions except the latest and the shown one, and records their files for removal. */
  private async dropReplaced(ctx: TransactionContext, row: DocumentRow): Promise<void> {
    const dropped = await this.query(ctx, DROP_REPLACED, [
      row.id,
      row.revision_id,
      row.visible_revision_id,
      row.visible_chunk_set_id,
    ]);
    const files = dropped.map(({ blob_key: subject }) => ({ subject, payload: { blobKey: subject } }));
    await this.intents.addAll(ctx, 'remove_blob', files);
  }
}
