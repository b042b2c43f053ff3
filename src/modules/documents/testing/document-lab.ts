import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { AuditLog, rowsOf, type UnitOfWork } from '#libs/database';
import { eventsOver } from '../../../../libs/events/src/testing/events-over.js';
import type { TestMember } from '#libs/testing';
import { tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { plentyOfSpace } from '../../../../libs/storage-space/src/testing/plenty-of-space.js';
import { DatasetAccess, DatasetDeletionsRepository } from '../../datasets/index.js';
import { DatasetPurgesRepository } from '../deletion/dataset-purges.repository.js';
import { DatasetPurgesService } from '../deletion/dataset-purges.service.js';
import type { Attempt } from '../record/attempt.js';
import { DocumentCreationRepository } from '../record/document-creation.repository.js';
import type { DocumentRow, DocumentStatusName } from '../record/document.entity.js';
import { DocumentLifecycle } from '../record/document-lifecycle.repository.js';
import { WholeArchivesRepository } from '../record/whole-archives.repository.js';
import { DocumentMovesRepository } from '../record/document-moves.repository.js';
import { DocumentOperationsService } from '../changes/document-operations.service.js';
import { DocumentTransitions } from '../record/document-transitions.service.js';
import { SelectedDocuments } from '../changes/selected-documents.repository.js';
import { StoreIntents } from '../intents/store-intents.repository.js';

/** Properties of a document to create. */
export interface DocumentInState {
  readonly status: DocumentStatusName;
  /** Whether a generation is shown; default: only if the status is `completed` or `quarantined`. */
  readonly shown?: boolean;
  /** Policy version of its latest attempt. */
  readonly policyVersion?: number;
  /** Policy version of the shown generation; default: null, as for documents from before this column existed. */
  readonly ingestedPolicyVersion?: number;
  /** 2: a second revision is being ingested while the first one is shown. */
  readonly revision?: 1 | 2;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly createdAt?: string;
}

/** The services that move documents, over a database. */
export function createDocumentServices(unitOfWork: UnitOfWork) {
  const access = new DatasetAccess(unitOfWork);
  const intents = new StoreIntents(unitOfWork, tasksOver(unitOfWork));
  const events = eventsOver(unitOfWork);
  const creation = new DocumentCreationRepository(unitOfWork, tasksOver(unitOfWork), intents);
  const transitions = new DocumentTransitions(
    unitOfWork,
    new DocumentMovesRepository(unitOfWork, access),
    new WholeArchivesRepository(unitOfWork),
    creation,
    intents,
    events,
  );
  const audit = new AuditLog(unitOfWork);
  const selected = new SelectedDocuments(unitOfWork, access);
  const receipts = new DatasetDeletionsRepository(unitOfWork, tasksOver(unitOfWork));
  const purged = new DatasetPurgesRepository(unitOfWork, receipts, tasksOver(unitOfWork), events);
  const purges = new DatasetPurgesService(unitOfWork, purged, access, audit);
  return {
    access,
    audit,
    transitions,
    lifecycle: new DocumentLifecycle(unitOfWork, intents, events),
    operations: new DocumentOperationsService(transitions, selected, purges, plentyOfSpace(), audit, unitOfWork),
  };
}

/** Creates documents in the database with any status, and reads them afterwards. */
export class DocumentLab {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async addDataset(
    member: TestMember,
    more: { readonly acl?: 'only_me' | 'all_team_members'; readonly policyVersion?: number } = {},
  ): Promise<DatasetId> {
    const id = newId<DatasetId>();
    const { acl = 'all_team_members', policyVersion = 1 } = more;
    await this.unitOfWork.run(member.ctx, (manager) =>
      manager.query(
        `INSERT INTO datasets (id, tenant_id, name, name_key, acl, owner_id, policy_version, embedding_space, embedding)
         VALUES ($1, $2, $3, $3, $4, $5, $6, 'space', '{}')`,
        [id, member.tenantId, `Dataset ${id}`, acl, member.accountId, policyVersion],
      ),
    );
    return id;
  }

  async put(member: TestMember, datasetId: DatasetId, document: DocumentInState): Promise<DocumentId> {
    const id = newId<DocumentId>();
    const { status, revision = 1 } = document;
    const shown = document.shown ?? (status === 'completed' || status === 'quarantined');
    const revisions = Array.from({ length: revision }, () => newId());
    const token = status === 'processing' ? await this.nextToken() : null;
    const hasTask = status === 'pending' || status === 'processing';
    await this.unitOfWork.run(member.ctx, async (manager, ctx) => {
      await manager.query(
        `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, progress,
           policy_version, ingested_policy_version, revision, revision_id, visible_revision, visible_revision_id,
           visible_generation, visible_chunk_set_id, chunk_count, fencing_token, quarantined_at, error, tags, metadata, created_by,
           created_at)
         VALUES ($1, $2, $3, 'note.txt', 'text/plain', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
           $21, $22, $23, $24)`,
        [
          id,
          member.tenantId,
          datasetId,
          revision * 100,
          `sha-${revision}`,
          status,
          status === 'completed' ? 'completed' : 'chunking',
          status === 'completed' ? 100 : 40,
          document.policyVersion ?? 1,
          document.ingestedPolicyVersion ?? null,
          revision,
          revisions.at(-1),
          shown && revision === 2 ? 1 : null,
          shown && revision === 2 ? revisions[0] : null,
          shown ? 7 : null,
          shown ? newId() : null,
          shown ? 3 : 0,
          token,
          status === 'quarantined' ? new Date() : null,
          status === 'failed'
            ? { code: 'BROKEN_FILE', stage: 'chunking', retryable: true, message: 'It is broken.' }
            : null,
          document.tags ?? [],
          document.metadata ?? {},
          member.accountId,
          document.createdAt ?? new Date(),
        ],
      );
      for (const [index, revisionId] of revisions.entries()) {
        const n = index + 1;
        await manager.query(
          `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [revisionId, member.tenantId, id, n, `blob-${id}-${n}`, n * 100, `sha-${n}`],
        );
      }
      if (!hasTask) return;
      await this.unitOfWork.asSystem(ctx, (system) =>
        system.query(
          `INSERT INTO tasks (id, tenant_id, kind, group_id, payload, fencing_token, lease_owner, lease_expires_at)
           VALUES ($1, $2, 'ingestion', $3, '{"attempt": 1}', $4::bigint, CASE WHEN $4 IS NULL THEN NULL ELSE 'worker' END,
             CASE WHEN $4 IS NULL THEN NULL ELSE now() + interval '1 minute' END)`,
          [id, member.tenantId, datasetId, token],
        ),
      );
    });
    return id;
  }

  /** The attempt that is running on a `processing` document. */
  async attemptOf(member: TestMember, id: DocumentId): Promise<Attempt> {
    return { documentId: id, token: (await this.row(member, id)).fencing_token! };
  }

  /** The row, deleted or not. */
  async row(member: TestMember, id: DocumentId): Promise<DocumentRow & { readonly deleted_at: Date | null }> {
    const [row] = await this.rows<DocumentRow & { deleted_at: Date | null }>(
      member,
      `SELECT * FROM documents WHERE id = $1`,
      [id],
    );
    return row!;
  }

  async events(member: TestMember, id: DocumentId): Promise<{ event: string; details: Record<string, unknown> }[]> {
    return this.rows(member, `SELECT event, details FROM document_events WHERE document_id = $1 ORDER BY seq`, [id]);
  }

  async rows<Row>(member: TestMember, sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.run(member.ctx, (manager) => rowsOf<Row>(manager, sql, parameters));
  }

  async systemRows<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.runAsSystem((manager) => rowsOf<Row>(manager, sql, parameters));
  }

  async nextToken(): Promise<string> {
    const [row] = await this.systemRows<{ token: string }>(`SELECT nextval('fencing_tokens') AS token`);
    return row!.token;
  }
}
