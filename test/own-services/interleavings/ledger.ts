import { join } from 'node:path';
import { Client } from 'pg';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import { indexRef } from '#libs/vector-store';
import { filesBelow } from '../../support/files-below.js';
import { checkingContext, withVectorStore } from '../../crash/support/stored-state.js';

/** Kinds of tasks that carry out intents: one may wait for a time when nothing is left for it. */
const STORE_WORK = `'file_removal', 'generation_removal', 'metadata_sync'`;

interface Progress {
  readonly id: string;
  readonly attempt: number;
  readonly progress: number;
}

interface VisibleGeneration {
  readonly dataset_id: string;
  readonly tenant_id: string;
  readonly embedding_space: string;
  readonly key: string | null;
}

/** Each gives the documents that break a rule at the moment of one statement; none may at any moment. */
const RULES: Readonly<Record<string, string>> = {
  'a task exists exactly while there is work': `SELECT coalesce(d.id, t.id) AS id FROM documents d FULL JOIN (SELECT id FROM tasks WHERE kind = 'ingestion') t ON t.id = d.id
    WHERE (d.id IS NOT NULL AND d.deleted_at IS NULL AND d.status IN ('pending', 'processing')) <> (t.id IS NOT NULL)`,
  'quarantined means out of sight, with a reason': `SELECT d.id FROM documents d
    WHERE (d.status = 'quarantined') <> (d.quarantined_at IS NOT NULL)
      OR (d.status = 'quarantined') <> EXISTS (SELECT 1 FROM quarantines q WHERE q.document_id = d.id AND q.released_at IS NULL)`,
  'what is shown is a finished set of a revision that is there': `SELECT d.id FROM documents d
    WHERE d.visible_generation IS NOT NULL AND d.deleted_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM chunk_sets s JOIN document_revisions r ON r.id = s.revision_id
      WHERE s.id = d.visible_chunk_set_id AND s.complete AND s.chunk_count = d.chunk_count AND r.id = d.visible_revision_id)`,
  'completed shows something, cancelled shows nothing': `SELECT id FROM documents
    WHERE (status = 'completed' AND visible_generation IS NULL) OR (status = 'cancelled' AND visible_generation IS NOT NULL)`,
  'progress is 100 only at the end': `SELECT id FROM documents WHERE (progress >= 100) <> (current_stage = 'completed')`,
  'the latest revision is there': `SELECT d.id FROM documents d
    WHERE NOT EXISTS (SELECT 1 FROM document_revisions r WHERE r.id = d.revision_id AND r.revision = d.revision)`,
};

/** The database and the files of a service, looked at from outside. */
export class Ledger {
  private readonly seen = new Map<string, Progress>();
  private isOpen = true;

  private constructor(
    private readonly dataDir: string,
    private readonly client: Client,
  ) {}

  /** Of a service that runs on this folder. */
  static async open(dataDir: string): Promise<Ledger> {
    const urls = await connectToRunningEmbeddedPostgres(join(dataDir, 'postgres'));
    if (urls === null) throw new Error('No database server runs for this folder.');
    const url = new URL(urls.superuserUrl);
    url.pathname = '/kb';
    const client = new Client({ connectionString: url.href });
    await client.connect();
    return new Ledger(dataDir, client);
  }

  /** May be called twice. */
  async close(): Promise<void> {
    if (this.isOpen) await this.client.end();
    this.isOpen = false;
  }

  /** What breaks a rule now, or fell since the last look within an attempt. */
  async findBreaches(): Promise<string[]> {
    const found: string[] = [];
    for (const [rule, sql] of Object.entries(RULES)) {
      for (const { id } of await this.rows<{ id: string }>(sql)) found.push(`${rule}: ${await this.tell(id)}`);
    }
    for (const now of await this.rows<Progress>(
      `SELECT id, attempt, progress FROM documents WHERE deleted_at IS NULL`,
    )) {
      const before = this.seen.get(now.id);
      this.seen.set(now.id, now);
      if (before === undefined || now.attempt > before.attempt) continue;
      if (now.attempt < before.attempt || now.progress < before.progress)
        found.push(`progress fell: ${await this.tell(now.id)}`);
    }
    return found;
  }

  /** Documents of the dataset that show something, each with the number of its quarantines: `id:number`. */
  async listShown(datasetId: string): Promise<string[]> {
    const shown = await this.rows<{ key: string }>(
      `SELECT d.id || ':' || (SELECT count(*) FROM document_events e WHERE e.document_id = d.id AND e.event = 'quarantined') AS key
       FROM documents d WHERE d.dataset_id = $1 AND d.visible_generation IS NOT NULL AND d.chunk_count > 0
         AND d.quarantined_at IS NULL AND d.deleted_at IS NULL`,
      [datasetId],
    );
    return shown.map(({ key }) => key);
  }

  /** Documents that still have work before them. */
  async countUnfinished(): Promise<number> {
    const sql = `SELECT count(*)::int AS n FROM documents WHERE status IN ('pending', 'processing') AND deleted_at IS NULL`;
    return (await this.rows<{ n: number }>(sql))[0]!.n;
  }

  /** Removals that wait; they are made due, because nothing writes any more that could come late. */
  async countIntents(): Promise<number> {
    await this.client.query(`UPDATE store_intents SET due_at = now()`);
    await this.client.query(`UPDATE tasks SET not_before = now() WHERE not_before > now() AND kind IN (${STORE_WORK})`);
    return (await this.rows<{ n: number }>(`SELECT count(*)::int AS n FROM store_intents`))[0]!.n;
  }

  /** Rows that belong to no document, and documents that were deleted and purged all the same are there. */
  async findOrphanRows(): Promise<string[]> {
    const rows = await this.rows<{ what: string }>(
      `SELECT 'deleted document ' || id AS what FROM documents WHERE deleted_at IS NOT NULL
       UNION ALL SELECT 'chunk ' || c.id FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM chunk_sets s WHERE s.id = c.chunk_set_id)
       UNION ALL SELECT 'hidden set of a completed document ' || d.id FROM documents d JOIN chunk_sets s ON s.document_id = d.id
         WHERE d.status = 'completed' AND d.visible_chunk_set_id <> s.id
       UNION ALL SELECT 'task ' || id FROM tasks WHERE status = 'open' AND kind NOT IN (${STORE_WORK})`,
    );
    return rows.map(({ what }) => what);
  }

  /** Generations that should be in the store, with the indexes to look into; read while the database runs. */
  readGenerations(): Promise<VisibleGeneration[]> {
    return this.rows(
      `SELECT s.id AS dataset_id, s.tenant_id, s.embedding_space, d.id || ':' || d.visible_generation AS key
       FROM datasets s LEFT JOIN documents d ON d.dataset_id = s.id AND d.deleted_at IS NULL AND d.chunk_count > 0`,
    );
  }

  /** Files without a revision and revisions without a file. */
  async findFileBreaches(): Promise<string[]> {
    const keys = new Set(
      (await this.rows<{ key: string }>(`SELECT blob_key AS key FROM document_revisions`)).map(({ key }) => key),
    );
    const root = join(this.dataDir, 'files');
    const files = await filesBelow(root);
    const kept = new Set(files.filter((path) => !path.startsWith('.tmp')));
    return [
      ...[...kept].filter((path) => !keys.has(path)).map((path) => `file ${path} is nobody's`),
      ...[...keys].filter((key) => !kept.has(key)).map((key) => `file ${key} is missing`),
    ];
  }

  private async tell(id: string): Promise<string> {
    const [row] = await this.rows(
      `SELECT d.id, d.status, d.current_stage, d.progress, d.attempt, d.deleted_at IS NOT NULL AS deleted, d.visible_generation,
         ARRAY(SELECT e.event FROM document_events e WHERE e.document_id = d.id ORDER BY e.seq DESC LIMIT 6) AS latest
       FROM documents d WHERE d.id = $1`,
      [id],
    );
    return JSON.stringify(row ?? id);
  }

  private async rows<T>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.client.query<T & Record<string, unknown>>(sql, [...values])).rows;
  }
}

/** Generations that the store of a stopped service holds and no one shows, or shows and the store does not hold. */
export async function findStoreBreaches(dataDir: string, expected: readonly VisibleGeneration[]): Promise<string[]> {
  const shown = new Set(expected.flatMap(({ key }) => (key === null ? [] : [key])));
  const datasets = new Map(expected.map((row) => [row.dataset_id, row]));
  const stored = new Set<string>();
  await withVectorStore(dataDir, async (store) => {
    for (const [id, row] of datasets) {
      const index = indexRef(checkingContext(row.tenant_id as never), id as never, row.embedding_space);
      for await (const found of store.listIds(index, { all: true }))
        stored.add(`${found.documentId}:${found.generation}`);
    }
  });
  return [
    ...[...stored].filter((key) => !shown.has(key)).map((key) => `generation ${key} is nobody's`),
    ...[...shown].filter((key) => !stored.has(key)).map((key) => `generation ${key} is missing`),
  ];
}
