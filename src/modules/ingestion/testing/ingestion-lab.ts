import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Client } from 'pg';
import { Embedder } from '#libs/ai';
import { newId, type DatasetId, type DocumentId, type RevisionId } from '#libs/common';
import { rowsOf } from '#libs/database';
import { DocumentParser } from '#libs/parsing';
import { objectKey, ObjectStorage } from '#libs/object-storage';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { indexRef, VectorStore } from '#libs/vector-store';
import { until } from '#testing/until';
import { loadServiceSettings } from '../../../app/adapters.js';
import { WorkerModule } from '../../../app/worker.module.js';
import { DocumentCreationRepository, DocumentTransitions } from '../../documents/index.js';
import { IngestionPolicies, DEFAULT_POLICY, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { GenerationCleaner, type UnwantedGeneration } from '../../indexing/index.js';
import { IngestionRunner } from '../run/ingestion-runner.service.js';

const PATIENCE_MS = 60_000;

export interface LabFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Media type that the upload detects; default: `text/plain`. */
  readonly mediaType?: string;
}

export interface LabOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Wraps the built-in model. */
  readonly embedder?: (builtIn: Embedder) => Embedder;
  /** An additional module beside the worker graph. */
  readonly beside?: Type;
  /** Statements of the database's owner, as a migration of that module would run them. */
  readonly tables?: string;
  /** Makes the database; default: an empty one. */
  readonly database?: () => Promise<TestDatabase>;
}

/** The worker graph over its own database, store and folder. Its loops are stopped, so nothing happens unless a test starts it. */
export class IngestionLab {
  private constructor(
    readonly db: TestDatabase,
    readonly owner: TestMember,
    private readonly folder: string,
    private readonly app: TestingModule,
  ) {}

  static async open({ settings = {}, embedder, beside, tables, database }: LabOptions = {}): Promise<IngestionLab> {
    const folder = await mkdtemp(join(tmpdir(), 'kb-ingestion-'));
    const db = await (database ?? createTestDatabase)();
    if (tables !== undefined) await runAsOwner(db.url, tables);
    const values = loadServiceSettings({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...settings });
    const graph = WorkerModule.standalone({ ...values, role: 'worker' }, db.database);
    const module = Test.createTestingModule({ imports: [graph, ...(beside === undefined ? [] : [beside])] });
    if (embedder !== undefined) {
      const { createModels } = await import('#libs/ai');
      const models = await createModels(BUILTIN_MODELS);
      module.overrideProvider(Embedder).useValue(embedder(models.embedder));
    }
    const app = await module.compile();
    const lab = new IngestionLab(db, await createTestMember(db.unitOfWork, 'owner'), folder, app);
    await lab.startParser();
    return lab;
  }

  /** Starts the first parser, which takes seconds from the sources, longer than small documents wait for each other. */
  private async startParser(): Promise<void> {
    const path = join(this.folder, 'first.txt');
    await writeFile(path, 'first');
    await this.get(DocumentParser).parse({ path, fileName: 'first.txt', workDirectory: this.folder });
  }

  /** Starts all loops, as in a service. */
  async start(): Promise<void> {
    await this.app.init();
  }

  async close(): Promise<void> {
    await this.get(IngestionRunner).stop();
    await this.app.close();
    await this.db.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  get<T>(token: Type<T> | (abstract new (...parameters: never[]) => T)): T {
    return this.app.get<T>(token, { strict: false });
  }

  async addDataset(member = this.owner): Promise<DatasetId> {
    const id = newId<DatasetId>();
    const { space } = this.get(Embedder).descriptor;
    await this.db.unitOfWork.run(member.ctx, async (manager, inner) => {
      await manager.query(
        `INSERT INTO datasets (id, tenant_id, name, name_key, acl, owner_id, embedding_space, embedding)
         VALUES ($1, $2, $3, $3, 'all_team_members', $4, $5, '{}')`,
        [id, member.tenantId, `Dataset ${id}`, member.accountId, space],
      );
      await manager.query(
        `INSERT INTO policy_versions (tenant_id, dataset_id, version, fingerprint, policy) VALUES ($1, $2, 1, 'v1', $3)`,
        [inner.tenantId, id, JSON.stringify(DEFAULT_POLICY)],
      );
    });
    return id;
  }

  /** Makes the next version of a dataset's policy the current one. */
  async changePolicy(datasetId: DatasetId, policy: IngestionPolicy): Promise<void> {
    const { version } = await this.get(IngestionPolicies).current(this.owner.ctx, datasetId);
    await this.query(
      `INSERT INTO policy_versions (tenant_id, dataset_id, version, fingerprint, policy) VALUES ($1, $2, $3, $4, $5)`,
      [this.owner.tenantId, datasetId, version + 1, `v${version + 1}`, JSON.stringify(policy)],
    );
    await this.query(`UPDATE datasets SET policy_version = $2 WHERE id = $1`, [datasetId, version + 1]);
  }

  /** Stores and records files like an upload; they stay pending. */
  async upload(datasetId: DatasetId, files: readonly LabFile[], member = this.owner): Promise<DocumentId[]> {
    const ids: DocumentId[] = [];
    for (const { name, content, mediaType = 'text/plain' } of files) {
      const id = newId<DocumentId>();
      const revisionId = newId<RevisionId>();
      const bytes = Buffer.from(content as string);
      const blobKey = objectKey(member.tenantId, id, revisionId);
      await this.get(ObjectStorage).put(blobKey, Readable.from([bytes]), { maxBytes: bytes.length });
      await this.db.unitOfWork.run(member.ctx, (_manager, inner) =>
        this.get(DocumentCreationRepository).createAll(inner, [
          {
            id,
            revisionId,
            datasetId,
            name,
            mediaType,
            declaredMediaType: null,
            sizeBytes: bytes.length,
            sha256: createHash('sha256').update(bytes).digest('hex'),
            blobKey,
            policyVersion: 1,
            metadata: {},
            tags: [],
            createdBy: member.accountId,
            path: null,
            sameNameId: null,
            requestId: inner.requestId,
          },
        ]),
      );
      ids.push(id);
    }
    return ids;
  }

  async reingest(ids: readonly DocumentId[]): Promise<void> {
    await this.get(DocumentTransitions).reingest(this.owner.ctx, ids);
  }

  /** Reports that there is work, like the loop that finds lost documents. */
  wake(): void {
    this.get(IngestionRunner).wake(Date.now());
  }

  /** Wakes the worker and waits until no task can be taken or is running and the worker rests. */
  async work(): Promise<void> {
    this.wake();
    await this.until(
      `SELECT 1 FROM tasks WHERE kind = 'ingestion' AND (lease_owner IS NOT NULL OR not_before IS NULL)`,
      (n) => n === 0,
    );
    // A run that ends claims again; it must not take what the test does next.
    await this.get(IngestionRunner).settled();
  }

  /** Waits until a system statement returns a matching number of rows. */
  async until(sql: string, fits: (rows: number) => boolean, parameters: readonly unknown[] = []): Promise<void> {
    await until(async () => fits((await this.system(sql, parameters)).length), { what: sql, withinMs: PATIENCE_MS });
  }

  /** Runs a statement as the tenant. */
  query<Row>(sql: string, parameters: readonly unknown[] = [], member = this.owner): Promise<Row[]> {
    return this.db.unitOfWork.run(member.ctx, (manager) => rowsOf<Row>(manager, sql, parameters));
  }

  /** Runs a statement as the system. */
  system<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.db.unitOfWork.runAsSystem((manager) => rowsOf<Row>(manager, sql, parameters));
  }

  /** Carries out the recorded removals of a dataset, due or not. */
  async clean(datasetId: DatasetId): Promise<void> {
    const intents = await this.system<{ payload: UnwantedGeneration }>(
      `DELETE FROM store_intents WHERE kind = 'remove_generation' AND payload ->> 'datasetId' = $1 RETURNING payload`,
      [datasetId],
    );
    const targets = intents.map(({ payload }) => payload);
    await this.get(GenerationCleaner).remove(this.owner.ctx, datasetId, targets);
  }

  /** The rows of the vector store, as `document:generation` → number of chunks. */
  async stored(datasetId: DatasetId): Promise<Record<string, number>> {
    const index = indexRef(this.owner.ctx, datasetId, this.get(Embedder).descriptor.space);
    const found: Record<string, number> = {};
    for await (const { documentId, generation } of this.get(VectorStore).listIds(index, { all: true })) {
      const key = `${documentId}:${generation}`;
      found[key] = (found[key] ?? 0) + 1;
    }
    return found;
  }

  /** The events of a document's timeline, oldest first. */
  async timeline(id: DocumentId): Promise<{ event: string; stage: string | null; details: Record<string, unknown> }[]> {
    return this.query(`SELECT event, stage, details FROM document_events WHERE document_id = $1 ORDER BY seq`, [id]);
  }
}

async function runAsOwner(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
