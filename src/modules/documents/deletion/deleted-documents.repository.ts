import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId } from '#libs/common';
import { columnsOf, result, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { IdempotencyService } from '#libs/http';
import { removeTasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { documentErrors } from '../documents.errors.js';
import { StoreIntents } from '../intents/store-intents.repository.js';
import { DocumentRevisionEntity } from '../record/document-revision.entity.js';
import { DocumentEntity } from '../record/document.entity.js';

const OF_DATASET_BATCH = 200;
const UNTIL_BATCH = 100;
const DESCRIBED_BATCH = 1_000;
/** After this time, a worker that does not yet know that its document is deleted has written its last row or is dead. */
const LAST_WRITE_SECONDS = 120;

/** A document that was deleted, with the keys of its files. */
export interface DeletedDocument {
  readonly id: DocumentId;
  readonly keys: readonly string[];
}

const WITH_KEYS = { ...columnsOf(DocumentEntity, 'id'), keys: result.texts() };
const LIST_OF_DATASET = statement(
  WITH_KEYS,
  `SELECT d.id, ARRAY(SELECT r.blob_key FROM document_revisions r WHERE r.document_id = d.id
       UNION ALL SELECT f.key FROM generation_files f WHERE f.document_id = d.id) AS keys
   FROM documents d WHERE d.dataset_id = $1 AND d.deleted_at IS NOT NULL LIMIT ${OF_DATASET_BATCH}`,
);
const REMOVE_OF_DATASET = statement({}, `DELETE FROM documents WHERE id = ANY ($1::uuid[])`);
const LIST_UNTIL = statement(
  WITH_KEYS,
  `SELECT d.id, ARRAY(SELECT r.blob_key FROM document_revisions r WHERE r.document_id = d.id
       UNION ALL SELECT f.key FROM generation_files f WHERE f.document_id = d.id) AS keys
   FROM documents d WHERE d.dataset_id = $1 AND d.deleted_at <= $2 ORDER BY d.id LIMIT ${UNTIL_BATCH}`,
);
const LOCK_WRITTEN = statement(
  { ...columnsOf(DocumentEntity, 'id'), generation: result.present(result.bigint) },
  `SELECT id, fencing_token AS generation FROM documents
   WHERE id = ANY ($1::uuid[]) AND status = 'processing' AND fencing_token IS NOT NULL ORDER BY id FOR UPDATE`,
);
/** Archives that stay although one of their files is purged; their bytes are removed with it. */
const GUARD_ARCHIVES = statement(
  columnsOf(DocumentRevisionEntity, 'blob_key'),
  `UPDATE document_revisions r SET content_guard = 'purged' FROM documents a
   WHERE a.id = r.document_id AND a.deleted_at IS NULL
     AND a.id IN (SELECT d.archive_id FROM documents d WHERE d.id = ANY ($1::uuid[]) AND d.archive_id IS NOT NULL)
   RETURNING r.blob_key`,
);
const REMOVE = statement({}, `DELETE FROM documents WHERE id = ANY ($1::uuid[]) AND deleted_at IS NOT NULL`);

/** Documents without rows for which answers to repeated requests are still kept. */
const LIST_STILL_DESCRIBED = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT DISTINCT i.document_id AS id FROM idempotency_documents i
   WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = i.document_id) LIMIT ${DESCRIBED_BATCH}`,
);

/** Deleted documents whose rows still exist. */
@Injectable()
export class DeletedDocuments extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly intents: StoreIntents,
    private readonly idempotency: IdempotencyService,
  ) {
    super(unitOfWork);
  }

  /** A batch of documents of a dataset that was deleted as a whole; empty: there are no more. */
  async listOfDataset(ctx: RequestContext, datasetId: DatasetId): Promise<DeletedDocument[]> {
    return this.query(ctx, LIST_OF_DATASET, [datasetId]);
  }

  /** Removes the rows of documents of a dataset that was deleted as a whole, and the answers kept for repeated requests. */
  async removeOfDataset(ctx: RequestContext, ids: readonly DocumentId[]): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager, inner) => {
      await rowsOf(manager, REMOVE_OF_DATASET, [ids]);
      await this.forgetAnswers(inner, ids);
    });
  }

  /** A batch of documents of a dataset that were deleted before a given time, in the order of their ids; empty: there are no more. */
  async listUntil(ctx: RequestContext, datasetId: DatasetId, until: Date): Promise<DeletedDocument[]> {
    return this.query(ctx, LIST_UNTIL, [datasetId, until]);
  }

  /** Marks archives that contained one of the documents and are not deleted as `purged`; resolves to the keys of their files. */
  async guardArchives(ctx: RequestContext, ids: readonly DocumentId[]): Promise<string[]> {
    const rows = await this.query(ctx, GUARD_ARCHIVES, [ids]);
    return rows.map((row) => row.blob_key);
  }

  /** Removes the rows and the tasks of documents, and the answers kept for repeated requests. */
  async remove(ctx: RequestContext, datasetId: DatasetId, ids: readonly DocumentId[]): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager, inner) => {
      // A worker may be in the middle of a write, which it would undo itself unless it dies before.
      const written = await rowsOf(manager, LOCK_WRITTEN, [ids]);
      await this.intents.addAll(
        inner,
        'remove_generation',
        written.map(({ id, generation }) => ({
          subject: `${id}:${generation}`,
          payload: { documentId: id, datasetId, generation },
        })),
        LAST_WRITE_SECONDS,
      );
      await rowsOf(manager, REMOVE, [ids]);
      await this.forgetAnswers(inner, ids);
      await this.unitOfWork.asSystem(inner, (system) => removeTasks(system, ids));
    });
  }

  /**
   * Removes answers kept for documents whose rows were removed without them: by a process of an earlier version, or while an answer was
   * about to be stored.
   */
  async forgetRemoved(ctx: RequestContext): Promise<void> {
    for (;;) {
      const described = await this.query(ctx, LIST_STILL_DESCRIBED, []);
      if (described.length === 0) return;
      await this.forgetAnswers(
        ctx,
        described.map(({ id }) => id),
      );
    }
  }

  /** A repeated request with the same key is then answered `documents.not_found`, and its effect is not repeated. */
  private async forgetAnswers(ctx: RequestContext, ids: readonly DocumentId[]): Promise<void> {
    await this.idempotency.forgetDocuments(ctx, ids, documentErrors.not_found({}));
  }
}
