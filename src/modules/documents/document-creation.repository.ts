import { Injectable } from '@nestjs/common';
import type { AccountId, DocumentId, JsonObject, RevisionId } from '#libs/common';
import { Outbox, rowsOf, StoreIntents, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import { jobPayload } from '#libs/queue';
import type { DocumentRow } from './document.entity.js';
import { appendEvents } from './document-events.js';

export interface NewDocument {
  readonly id: DocumentId;
  readonly revisionId: RevisionId;
  readonly datasetId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly declaredMediaType: string | null;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly blobKey: string;
  readonly policyVersion: number;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
  readonly createdBy: AccountId;
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

  /** A live document of the dataset with this content; uploads of the same content wait for each other until the transaction ends. */
  async findDuplicate(ctx: TransactionContext, datasetId: string, sha256: string): Promise<DocumentRow | undefined> {
    await this.query(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 3))`, [`${datasetId}:${sha256}`]);
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
      await manager.query(
        `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256)
         VALUES ($1, $2, $3, 1, $4, $5, $6)`,
        [document.revisionId, ctx.tenantId, document.id, document.blobKey, document.sizeBytes, document.sha256],
      );
      await this.intents.forget(ctx, 'remove_blob', document.blobKey);
      await appendEvents(manager, ctx.tenantId, document.id, [
        { event: 'created', details: { size_bytes: document.sizeBytes, sha256: document.sha256 } },
        { event: 'queued', details: { attempt: 1 } },
      ]);
      await this.enqueue(ctx, document.id, 1);
      return row!;
    });
  }

  /** The work that a pending document waits for: a task that outlives every queue, and the promise of a job. */
  async enqueue(ctx: TransactionContext, documentId: DocumentId, attempt: number): Promise<void> {
    await this.unitOfWork.asSystem(ctx, (manager) =>
      manager.query(
        `INSERT INTO ingestion_tasks (document_id, tenant_id, attempt) VALUES ($1, $2, $3)
         ON CONFLICT (document_id) DO UPDATE SET attempt = excluded.attempt, tries = 0, enqueued_at = now(),
           lease_owner = NULL, lease_expires_at = NULL`,
        [documentId, ctx.tenantId, attempt],
      ),
    );
    const job = jobPayload('ingestion', { tenantId: ctx.tenantId, documentId, requestId: ctx.requestId });
    await this.outbox.add(ctx, 'ingestion', [job]);
  }
}
