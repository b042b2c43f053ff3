import { Injectable } from '@nestjs/common';
import type { DocumentId, JsonObject } from '#libs/common';
import {
  allColumnsOf,
  result,
  rowsOf,
  statement,
  TenantRepository,
  type TransactionContext,
  UnitOfWork,
} from '#libs/database';
import { Tasks } from '#libs/tasks';
import { DocumentEntity, type DocumentRow } from './document.entity.js';
import { insertRevisions, type RevisionFile } from './revision-writes.repository.js';
import { appendEventsOfAll, type EventsOfDocument } from './document-events.repository.js';
import { StoreIntents } from '../intents/store-intents.repository.js';

export interface NewDocument extends RevisionFile {
  readonly id: DocumentId;
  readonly datasetId: string;
  readonly policyVersion: number;
  readonly path: string | null;
  /** Identifier of the newest other document with the same name; null: there is none. */
  readonly sameNameId: DocumentId | null;
  /** Identifier of the archive that contains the file; left out: none. */
  readonly archiveId?: DocumentId | null;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
  /** Identifier of the upload request. */
  readonly requestId: string;
}

/** The kind of a document's task; its id is that of the document. */
export const INGESTION_KIND = 'ingestion';

/** Lower is served first within a tenant. */
export const TASK_PRIORITY = { upload: 0, reingest: 1 } as const;

/** The ingestion that a document waits for. */
export interface NewIngestionTask {
  readonly documentId: string;
  readonly datasetId: string;
  readonly sizeBytes: number | string;
  readonly attempt: number;
  /** 0: an upload, a retry or a release; 1: a reingest. */
  readonly priority: (typeof TASK_PRIORITY)[keyof typeof TASK_PRIORITY];
  /** Identifier of the request; left out: that of the context. */
  readonly requestId?: string;
}

const INSERT_DOCUMENTS = statement(
  allColumnsOf(DocumentEntity),
  `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, declared_media_type, size_bytes, sha256, status,
    current_stage, policy_version, revision_id, metadata, tags, created_by, path, same_name_id, archive_id)
  SELECT n.id, $1, n.dataset_id, n.name, n.media_type, n.declared, n.size_bytes, n.sha256, 'pending', 'parsing',
    n.policy_version, n.revision_id, n.metadata, ARRAY(SELECT jsonb_array_elements_text(n.tags)), n.created_by,
    n.path, n.same_name_id, n.archive_id
  FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::int[], $10::uuid[],
    $11::jsonb[], $12::jsonb[], $13::uuid[], $14::text[], $15::uuid[], $16::uuid[]) AS n(id, dataset_id, name, media_type, declared, size_bytes, sha256,
    policy_version, revision_id, metadata, tags, created_by, path, same_name_id, archive_id)
  RETURNING *`,
);

function valuesOf(ctx: TransactionContext, documents: readonly NewDocument[]): unknown[] {
  return [
    ctx.tenantId,
    documents.map((one) => one.id),
    documents.map((one) => one.datasetId),
    documents.map((one) => one.name),
    documents.map((one) => one.mediaType),
    documents.map((one) => one.declaredMediaType),
    documents.map((one) => one.sizeBytes),
    documents.map((one) => one.sha256),
    documents.map((one) => one.policyVersion),
    documents.map((one) => one.revisionId),
    documents.map((one) => JSON.stringify(one.metadata)),
    documents.map((one) => JSON.stringify(one.tags)),
    documents.map((one) => one.createdBy),
    documents.map((one) => one.path),
    documents.map((one) => one.sameNameId),
    documents.map((one) => one.archiveId ?? null),
  ];
}

function eventsOfNew({ id, sizeBytes, sha256 }: NewDocument): EventsOfDocument {
  const created = { event: 'created', details: { size_bytes: sizeBytes, sha256 } } as const;
  return { id, events: [created, { event: 'queued', details: { attempt: 1 } }] };
}

const LOCK_UPLOADS = statement(
  { pg_advisory_xact_lock: result.nothing },
  `SELECT pg_advisory_xact_lock(hashtextextended(k.key, 3)) FROM unnest($1::text[]) AS k(key)`,
);
const FIND_DUPLICATES = statement(
  allColumnsOf(DocumentEntity),
  `SELECT DISTINCT ON (sha256) * FROM documents WHERE dataset_id = $1 AND sha256 = ANY ($2::text[]) AND deleted_at IS NULL
     AND archive_id IS NULL AND status NOT IN ('cancelled', 'failed') ORDER BY sha256, created_at, id`,
);

/** Writes all rows of an upload in one transaction: document, revision, events and task. */
@Injectable()
export class DocumentCreationRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly tasks: Tasks,
    private readonly intents: StoreIntents,
  ) {
    super(unitOfWork);
  }

  /** Takes locks so that uploads with one of these contents or names (`identityOf`) wait for each other until the transaction ends. */
  async lockUploads(
    ctx: TransactionContext,
    datasetId: string,
    contents: readonly string[],
    names: readonly string[],
  ): Promise<void> {
    // Contents before names, and both sorted, so that two transactions never deadlock.
    const keys = [...[...new Set(contents)].sort(), ...[...new Set(names)].sort().map((name) => `name:${name}`)];
    await this.query(ctx, LOCK_UPLOADS, [keys.map((key) => `${datasetId}:${key}`)]);
  }

  /** A document of the dataset with this content that is not deleted, `cancelled` or `failed` and not a file of an archive. */
  async findDuplicate(ctx: TransactionContext, datasetId: string, sha256: string): Promise<DocumentRow | undefined> {
    return (await this.findDuplicates(ctx, datasetId, [sha256])).get(sha256);
  }

  /** The same for several contents: the oldest such document for each. */
  async findDuplicates(
    ctx: TransactionContext,
    datasetId: string,
    contents: readonly string[],
  ): Promise<ReadonlyMap<string, DocumentRow>> {
    if (contents.length === 0) return new Map();
    const rows = await this.query(ctx, FIND_DUPLICATES, [datasetId, contents]);
    return new Map(rows.map((row) => [row.sha256, row]));
  }

  /** The rows of new documents of one dataset, by their ids. */
  async createAll(
    ctx: TransactionContext,
    documents: readonly NewDocument[],
  ): Promise<ReadonlyMap<string, DocumentRow>> {
    if (documents.length === 0) return new Map();
    return this.unitOfWork.run(ctx, async (manager) => {
      const rows = await rowsOf(manager, INSERT_DOCUMENTS, valuesOf(ctx, documents));
      await insertRevisions(
        manager,
        ctx.tenantId,
        documents.map((one) => ({ ...one, documentId: one.id, revision: 1 })),
      );
      await appendEventsOfAll(manager, ctx.tenantId, documents.map(eventsOfNew));
      await this.intents.forgetAll(
        ctx,
        'remove_blob',
        documents.map(({ blobKey }) => blobKey),
      );
      await this.enqueueAll(
        ctx,
        documents.map(({ id, datasetId, sizeBytes, requestId }) => {
          return { documentId: id, datasetId, sizeBytes, attempt: 1, priority: TASK_PRIORITY.upload, requestId };
        }),
      );
      return new Map(rows.map((row) => [row.id, row]));
    });
  }

  /** Enqueues the ingestion of a pending document as a task in the database. */
  async enqueue(ctx: TransactionContext, task: NewIngestionTask): Promise<void> {
    await this.enqueueAll(ctx, [task]);
  }

  /** The same for many documents, each given once. */
  async enqueueAll(ctx: TransactionContext, tasks: readonly NewIngestionTask[]): Promise<void> {
    await this.tasks.put(
      ctx,
      INGESTION_KIND,
      tasks.map(({ documentId, datasetId, sizeBytes, attempt, priority, requestId = ctx.requestId }) => ({
        id: documentId,
        groupId: datasetId,
        sizeBytes,
        priority,
        payload: { attempt },
        requestId,
      })),
    );
  }
}
