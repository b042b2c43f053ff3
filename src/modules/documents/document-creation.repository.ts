import { Injectable } from '@nestjs/common';
import type { DocumentId, JsonObject } from '#libs/common';
import { Outbox, rowsOf, StoreIntents, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import { jobPayload } from '#libs/queue';
import type { DocumentRow } from './document.entity.js';
import { insertRevision, type RevisionFile } from './revision-writes.js';
import { appendEvents } from './document-events.js';

export interface NewDocument extends RevisionFile {
  readonly id: DocumentId;
  readonly datasetId: string;
  readonly policyVersion: number;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
}

/** Lower is served first within a tenant. */
export const TASK_PRIORITY = { upload: 0, reingest: 1 } as const;

/** Work that a document waits for. */
export interface NewIngestionTask {
  readonly documentId: string;
  readonly datasetId: string;
  readonly sizeBytes: number | string;
  readonly attempt: number;
  /** 0: an upload, a retry or a release; 1: a reingest. */
  readonly priority: (typeof TASK_PRIORITY)[keyof typeof TASK_PRIORITY];
}

/** Writes what an upload needs to be durable: row, revision, events, task and the promise of a job, in one transaction. */
@Injectable()
export class DocumentCreationRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly intents: StoreIntents,
  ) {
    super(unitOfWork);
  }

  /** Uploads of the same content or, where names are given, of the same name wait for each other until the transaction ends. */
  async lockUploads(
    ctx: TransactionContext,
    datasetId: string,
    contents: readonly string[],
    names: readonly string[],
  ): Promise<void> {
    // Contents before names and each in its order, so that two of these never wait for each other.
    const keys = [...[...new Set(contents)].sort(), ...[...new Set(names)].sort().map((name) => `name:${name}`)];
    await this.query(
      ctx,
      `SELECT pg_advisory_xact_lock(hashtextextended(k.key, 3)) FROM unnest($1::text[]) AS k(key)`,
      [keys.map((key) => `${datasetId}:${key}`)],
    );
  }

  /** A live document of the dataset with this content; `cancelled` and `failed` ones do not count. */
  async findDuplicate(ctx: TransactionContext, datasetId: string, sha256: string): Promise<DocumentRow | undefined> {
    return this.queryOne<DocumentRow>(
      ctx,
      `SELECT * FROM documents WHERE dataset_id = $1 AND sha256 = $2 AND deleted_at IS NULL
         AND status NOT IN ('cancelled', 'failed') ORDER BY created_at, id LIMIT 1`,
      [datasetId, sha256],
    );
  }

  async create(ctx: TransactionContext, document: NewDocument): Promise<DocumentRow> {
    return this.unitOfWork.run(ctx, async (manager) => {
      const [row] = await rowsOf<DocumentRow>(
        manager,
        `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, declared_media_type, size_bytes, sha256, status,
           current_stage, policy_version, revision_id, metadata, tags, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', 'parsing', $9, $10, $11, $12, $13) RETURNING *`,
        [
          document.id,
          ctx.tenantId,
          document.datasetId,
          document.name,
          document.mediaType,
          document.declaredMediaType,
          document.sizeBytes,
          document.sha256,
          document.policyVersion,
          document.revisionId,
          document.metadata,
          document.tags,
          document.createdBy,
        ],
      );
      await insertRevision(manager, ctx.tenantId, document.id, 1, document);
      await appendEvents(manager, ctx.tenantId, document.id, [
        { event: 'created', details: { size_bytes: document.sizeBytes, sha256: document.sha256 } },
        { event: 'queued', details: { attempt: 1 } },
      ]);
      await this.intents.forget(ctx, 'remove_blob', document.blobKey);
      await this.enqueue(ctx, {
        documentId: document.id,
        datasetId: document.datasetId,
        sizeBytes: document.sizeBytes,
        attempt: 1,
        priority: TASK_PRIORITY.upload,
      });
      return row!;
    });
  }

  /** The work that a pending document waits for: a task that outlives every queue, and the promise of a job. */
  async enqueue(ctx: TransactionContext, task: NewIngestionTask): Promise<void> {
    await this.enqueueAll(ctx, [task]);
  }

  /** The same for many documents, each named once. */
  async enqueueAll(ctx: TransactionContext, tasks: readonly NewIngestionTask[]): Promise<void> {
    if (tasks.length === 0) return;
    await this.unitOfWork.asSystem(ctx, (manager) =>
      manager.query(
        `INSERT INTO ingestion_tasks (document_id, tenant_id, dataset_id, size_bytes, attempt, priority, request_id)
         SELECT t.document_id, $1, t.dataset_id, t.size_bytes, t.attempt, t.priority, $7
         FROM unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::int[], $6::smallint[])
           AS t(document_id, dataset_id, size_bytes, attempt, priority)
         ON CONFLICT (document_id) DO UPDATE SET dataset_id = excluded.dataset_id, size_bytes = excluded.size_bytes,
           attempt = excluded.attempt, priority = excluded.priority, tries = 0, enqueued_at = now(), queued_at = now(),
           not_before = NULL, lease_owner = NULL, lease_expires_at = NULL, request_id = excluded.request_id`,
        [
          ctx.tenantId,
          tasks.map((task) => task.documentId),
          tasks.map((task) => task.datasetId),
          tasks.map((task) => task.sizeBytes),
          tasks.map((task) => task.attempt),
          tasks.map((task) => task.priority),
          ctx.requestId,
        ],
      ),
    );
    const jobs = tasks.map(({ documentId }) =>
      jobPayload('ingestion', { tenantId: ctx.tenantId, documentId, requestId: ctx.requestId }),
    );
    await this.outbox.add(ctx, 'ingestion', jobs);
  }
}
