import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId } from '#libs/common';
import { columnsOf, result, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import {
  VISIBLE_DOCUMENT,
  VISIBLE_DOCUMENT_COLUMNS,
  type VisibleDocument,
} from '../rows/visible-documents.repository.js';
import { DocumentEntity, DocumentRevisionEntity, type StoreIntentKind } from '../../documents/index.js';
import { DatasetEntity } from '../../datasets/index.js';

/** A document that waits for ingestion. */
export interface OpenDocument {
  readonly id: DocumentId;
  readonly dataset_id: DatasetId;
  readonly size_bytes: string;
  readonly attempt: number;
}

/** A revision with the key of its file. */
export interface RevisionFile {
  readonly id: string;
  readonly blob_key: string;
}

const FIRST = '00000000-0000-0000-0000-000000000000';
const LIST_DOCUMENTS = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT id FROM documents WHERE id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2`,
);
/** Longer than any transaction that creates a document or its task. */
const QUIET_SECONDS = 120;

const LIST_OPEN = statement(
  columnsOf(DocumentEntity, 'id', 'dataset_id', 'size_bytes', 'attempt'),
  `SELECT id, dataset_id, size_bytes, attempt FROM documents
   WHERE id > $1 AND status IN ('pending', 'processing') AND deleted_at IS NULL AND quarantined_at IS NULL
     AND split_revision_id IS DISTINCT FROM revision_id
     AND updated_at < now() - make_interval(secs => $3) ORDER BY id LIMIT $2`,
);
const FIND_WITH_TASK = statement({ id: result.uuid() }, `SELECT id FROM tasks WHERE id = ANY($1::uuid[])`);
const LIST_DATASETS = statement(
  columnsOf(DatasetEntity, 'id', 'embedding_space'),
  `SELECT id, embedding_space FROM datasets WHERE deleted_at IS NULL ORDER BY id`,
);
const LIST_VISIBLE = statement(
  VISIBLE_DOCUMENT,
  `SELECT ${VISIBLE_DOCUMENT_COLUMNS}
   FROM documents d WHERE d.dataset_id = $1 AND d.id > $2 AND d.visible_generation IS NOT NULL AND d.chunk_count > 0 AND d.deleted_at IS NULL
   ORDER BY d.id LIMIT $3`,
);
const FIND_KEPT_GENERATIONS = statement(
  { ...columnsOf(DocumentEntity, 'id'), visible: result.orNull(result.text()), written: result.orNull(result.text()) },
  `SELECT id, visible_generation::text AS visible, CASE WHEN status = 'processing' THEN fencing_token::text END AS written
   FROM documents WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL`,
);
const FIND_INTENDED = statement(
  { subject: result.text() },
  `SELECT subject FROM store_intents WHERE tenant_id = $1 AND kind = $2 AND subject = ANY($3::text[])`,
);
const FIND_OWNED = statement(
  { key: result.text() },
  `SELECT blob_key AS key FROM document_revisions WHERE blob_key = ANY($1::text[])
   UNION ALL SELECT key FROM generation_files WHERE key = ANY($1::text[])`,
);
const LIST_REVISION_FILES = statement(
  columnsOf(DocumentRevisionEntity, 'id', 'blob_key'),
  `SELECT id, blob_key FROM document_revisions WHERE id > $1 ORDER BY id LIMIT $2`,
);

/** Queries of the reconciler. */
@Injectable()
export class ReconcilerRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /**
   * Documents that wait for ingestion and have not changed for a while, without archives that wait for their files, in the order of their
   * ids.
   */
  async listOpen(ctx: RequestContext, after: string, limit: number): Promise<OpenDocument[]> {
    return this.query(ctx, LIST_OPEN, [after === '' ? FIRST : after, limit, QUIET_SECONDS]);
  }

  /** The ids of those documents that have a task. */
  async findWithTask(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.unitOfWork.runAsSystem((manager) => rowsOf(manager, FIND_WITH_TASK, [ids]));
    return new Set(rows.map((row) => row.id));
  }

  async listDatasets(ctx: RequestContext): Promise<{ id: DatasetId; embedding_space: string }[]> {
    return this.query(ctx, LIST_DATASETS);
  }

  /** Documents that are not deleted, in the order of their ids. */
  async listDocuments(ctx: RequestContext, after: string, limit: number): Promise<DocumentId[]> {
    const rows = await this.query(ctx, LIST_DOCUMENTS, [after === '' ? FIRST : after, limit]);
    return rows.map(({ id }) => id);
  }

  /** Documents with shown chunks, in the order of their ids. */
  async listVisible(
    ctx: RequestContext,
    datasetId: DatasetId,
    after: string,
    limit: number,
  ): Promise<VisibleDocument[]> {
    return this.query(ctx, LIST_VISIBLE, [datasetId, after === '' ? FIRST : after, limit]);
  }

  /** `document:generation` for each generation of the given documents that is shown or still being written. */
  async findKeptGenerations(ctx: RequestContext, documentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.query(ctx, FIND_KEPT_GENERATIONS, [documentIds]);
    return new Set(rows.flatMap(({ id, visible, written }) => [`${id}:${visible}`, `${id}:${written}`]));
  }

  /** The subjects for which a removal is recorded. */
  async findIntended(
    ctx: RequestContext,
    kind: StoreIntentKind,
    subjects: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const rows = await this.unitOfWork.runAsSystem((manager) =>
      rowsOf(manager, FIND_INTENDED, [ctx.tenantId, kind, subjects]),
    );
    return new Set(rows.map((row) => row.subject));
  }

  /** The keys that are files of revisions. */
  async findOwned(ctx: RequestContext, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.query(ctx, FIND_OWNED, [keys]);
    return new Set(rows.map((row) => row.key));
  }

  async listRevisionFiles(ctx: RequestContext, after: string, limit: number): Promise<RevisionFile[]> {
    return this.query(ctx, LIST_REVISION_FILES, [after === '' ? FIRST : after, limit]);
  }
}
