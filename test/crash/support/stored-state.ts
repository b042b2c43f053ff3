import 'reflect-metadata';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { Client } from 'pg';
import type { DatasetId } from '#libs/common';
import { connectToRunningEmbeddedPostgres, startEmbeddedPostgres } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { StoredFile } from '#libs/object-storage';
import { indexRef, VectorStore, VectorStoreModule } from '#libs/vector-store';
import { until } from '#testing/until';
import { filesBelow } from '../../support/files-below.js';

interface DocumentFacts {
  readonly id: string;
  readonly status: string;
  readonly visible_generation: string | null;
  readonly chunk_count: number;
  /** An archive whose files are documents: it has no text of its own. */
  readonly is_split: boolean;
  /** Ids of the chunks of the visible set. */
  readonly chunks: readonly string[];
  readonly vectors: number;
  /** How many sets, and chunks of all sets, there are. */
  readonly sets: number;
  readonly all_chunks: number;
  readonly completions: number;
}

interface RevisionFacts {
  readonly document_id: string;
  readonly blob_key: string;
  readonly size_bytes: string;
}

interface Ledger {
  readonly datasets: readonly { id: DatasetId; tenant_id: RequestContext['tenantId']; embedding_space: string }[];
  readonly documents: readonly DocumentFacts[];
  readonly revisions: readonly RevisionFacts[];
  readonly intents: readonly { kind: string; subject: string }[];
  readonly tasks: readonly { id: string; kind: string }[];
}

/** Kinds of tasks that carry out intents: one may wait for a time when nothing is left for it. */
export const STORE_WORK = `'file_removal', 'generation_removal', 'metadata_sync'`;
const QUERY_DEADLINE_MS = 60_000;
const STALL_PAUSE_MS = 20;
const HOLD_DOCUMENT = `SELECT fencing_token::text AS token FROM documents WHERE id = $1 FOR UPDATE`;
const END_LEASE = `UPDATE tasks SET lease_expires_at = now() - interval '1 second' WHERE id = $1 AND fencing_token = $2`;
const MAKE_REMOVAL_DUE = `UPDATE store_intents SET due_at = now() WHERE kind = 'remove_generation' AND subject = $1`;
const BEGIN_REMOVALS = `UPDATE tasks SET not_before = now() WHERE kind = 'generation_removal' AND not_before > now()`;
const DOCUMENTS = `
  SELECT d.id, d.status, d.visible_generation::text, d.chunk_count, d.split_revision_id IS NOT NULL AS is_split,
    ARRAY(SELECT c.id::text FROM chunks c WHERE c.chunk_set_id = d.visible_chunk_set_id ORDER BY c.id) AS chunks,
    (SELECT count(*)::int FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id WHERE c.document_id = d.id) AS vectors,
    (SELECT count(*)::int FROM chunk_sets s WHERE s.document_id = d.id) AS sets,
    (SELECT count(*)::int FROM chunks c WHERE c.document_id = d.id) AS all_chunks,
    (SELECT count(*)::int FROM document_events e WHERE e.document_id = d.id AND e.event = 'completed') AS completions
  FROM documents d WHERE d.deleted_at IS NULL`;

/** Runs a query past row-level security on the database of a data folder, again and again until `isEnough`; the server must be running. */
export async function queryUntil<T>(
  dataDir: string,
  { sql, values, pauseMs }: { sql: string; values?: readonly unknown[]; pauseMs: number },
  isEnough: (rows: readonly T[]) => boolean,
): Promise<readonly T[]> {
  const urls = await connectToRunningEmbeddedPostgres(join(dataDir, 'postgres'));
  if (urls === null) throw new Error('No database server runs for this folder.');
  return withClient(urls.superuserUrl, async (client) => {
    const end = Date.now() + QUERY_DEADLINE_MS;
    const look = async (): Promise<readonly T[] | undefined> => {
      const found = await rows<T>(client, sql, values);
      return isEnough(found) || Date.now() > end ? found : undefined;
    };
    return until(look, { what: sql, withinMs: 2 * QUERY_DEADLINE_MS, everyMs: pauseMs });
  });
}

/**
 * Holds a document's row for so long, on which the next checkpoint of its worker waits, and lets the worker's lease run out
 * meanwhile. The removal of what it wrote is made due, as it is when an attempt takes long.
 */
export async function stallDocument(dataDir: string, documentId: string, ms: number): Promise<void> {
  const urls = await connectToRunningEmbeddedPostgres(join(dataDir, 'postgres'));
  if (urls === null) throw new Error('No database server runs for this folder.');
  await withClient(urls.superuserUrl, async (holder) => {
    await holder.query('BEGIN');
    const [row] = await rows<{ token: string }>(holder, HOLD_DOCUMENT, [documentId]);
    await withClient(urls.superuserUrl, async (client) => {
      for (const end = Date.now() + ms; Date.now() < end; await wait(STALL_PAUSE_MS)) {
        await client.query(END_LEASE, [documentId, row!.token]);
        await client.query(MAKE_REMOVAL_DUE, [`${documentId}:${row!.token}`]);
        await client.query(BEGIN_REMOVALS);
      }
    });
    await holder.query('COMMIT');
  });
}

/**
 * Compares everything that a stopped service has stored: documents, chunks, vector store, files. Each thing that does not fit
 * is one line; an empty answer means that nothing is lost, double or without an owner.
 */
export async function findDiscrepancies(dataDir: string, completionsOf: (id: string) => number): Promise<string[]> {
  const ledger = await readLedger(dataDir);
  const found = [...checkDocuments(ledger, completionsOf)];
  found.push(...(await checkVectors(dataDir, ledger)), ...(await checkFiles(dataDir, ledger)));
  return found;
}

function readLedger(dataDir: string): Promise<Ledger> {
  return withDatabase(dataDir, async (client) => ({
    datasets: await rows(client, `SELECT id, tenant_id, embedding_space FROM datasets WHERE deleted_at IS NULL`),
    documents: await rows(client, DOCUMENTS),
    revisions: await rows(client, `SELECT document_id, blob_key, size_bytes FROM document_revisions`),
    intents: await rows(client, `SELECT kind, subject FROM store_intents`),
    tasks: await rows(client, `SELECT id, kind FROM tasks WHERE status = 'open' AND kind NOT IN (${STORE_WORK})`),
  }));
}

function* checkDocuments(
  { documents, revisions, tasks }: Ledger,
  completionsOf: (id: string) => number,
): Generator<string> {
  for (const { id, kind } of tasks) yield `${kind} ${id}: a task is left`;
  for (const row of documents) {
    const about = `document ${row.id} (${row.status})`;
    if (row.status !== 'completed') yield `${about}: has not completed`;
    if (row.completions !== completionsOf(row.id)) yield `${about}: ${row.completions} times completed`;
    if (row.chunks.length !== row.chunk_count) yield `${about}: ${row.chunks.length} of ${row.chunk_count} chunks`;
    if (row.vectors !== row.chunk_count) yield `${about}: ${row.vectors} vectors for ${row.chunk_count} chunks`;
    if (row.sets !== (row.is_split ? 0 : 1)) yield `${about}: ${row.sets} chunk sets`;
    if (row.all_chunks !== row.chunk_count) yield `${about}: ${row.all_chunks} chunks in all, ${row.chunk_count} shown`;
    const own = revisions.filter((revision) => revision.document_id === row.id).length;
    if (own !== 1) yield `${about}: ${own} revisions`;
  }
}

async function checkVectors(dataDir: string, ledger: Ledger): Promise<string[]> {
  const stored = await readVectors(dataDir, ledger);
  const found: string[] = [];
  for (const { id, visible_generation: generation, chunks } of ledger.documents) {
    const key = `${id}:${generation}`;
    const ids = stored.get(key) ?? [];
    stored.delete(key);
    if (ids.toSorted().join() !== chunks.toSorted().join()) {
      found.push(
        `document ${id}: ${ids.length} rows in the store (${new Set(ids).size} different), ${chunks.length} chunks`,
      );
    }
  }
  for (const [key, ids] of stored) found.push(`generation ${key}: ${ids.length} rows of no visible document`);
  return found;
}

/** Ids of the rows of each `document:generation`. */
function readVectors(dataDir: string, { datasets }: Ledger): Promise<Map<string, string[]>> {
  return withVectorStore(dataDir, async (store) => {
    const stored = new Map<string, string[]>();
    for (const { id, tenant_id: tenantId, embedding_space: space } of datasets) {
      const index = indexRef(checkingContext(tenantId), id, space);
      for await (const row of store.listIds(index, { all: true })) {
        const key = `${row.documentId}:${row.generation}`;
        const ids = stored.get(key);
        if (ids === undefined) stored.set(key, [row.chunkId]);
        else ids.push(row.chunkId);
      }
    }
    return stored;
  });
}

/** The vector store of a stopped service. */
export async function withVectorStore<T>(dataDir: string, work: (store: VectorStore) => Promise<T>): Promise<T> {
  const module = VectorStoreModule.forRoot({ kind: 'embedded', directory: join(dataDir, 'vectors') });
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  try {
    return await work(app.get(VectorStore));
  } finally {
    await app.close();
  }
}

/** The database of a stopped service, past row-level security. */
export async function withDatabase<T>(dataDir: string, work: (client: Client) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDirectory: join(dataDir, 'postgres'), log: () => undefined });
  try {
    return await withClient(server.superuserUrl, work);
  } finally {
    await server.stop();
  }
}

export function checkingContext(tenantId: RequestContext['tenantId']): RequestContext {
  return { tenantId, principal: { kind: 'system', permissions: new Set() }, requestId: 'check' };
}

/** Bytes of a file as it is read, packed or not. */
async function lengthOf(path: string): Promise<number> {
  const file = await StoredFile.open(path);
  try {
    return file.sizeBytes;
  } finally {
    await file.close();
  }
}

async function checkFiles(dataDir: string, { revisions, intents }: Ledger): Promise<string[]> {
  const root = join(dataDir, 'files');
  const intended = new Set(intents.filter(({ kind }) => kind === 'remove_blob').map(({ subject }) => subject));
  const files = await listFiles(root);
  const found: string[] = [];
  for (const { document_id: id, blob_key: key, size_bytes: size } of revisions) {
    const bytes = files.has(key) ? await lengthOf(join(root, key)) : undefined;
    if (bytes !== Number(size)) found.push(`document ${id}: its file has ${bytes ?? 'no'} of ${size} bytes`);
    files.delete(key);
  }
  for (const key of files) if (!intended.has(key)) found.push(`file ${key}: nobody's, and not to be removed`);
  return found;
}

async function listFiles(root: string): Promise<Set<string>> {
  const paths = await filesBelow(root);
  return new Set(paths.filter((path) => !path.startsWith('.tmp')));
}

async function withClient<T>(superuserUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const url = new URL(superuserUrl);
  url.pathname = '/kb';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function rows<T>(client: Client, sql: string, values: readonly unknown[] = []): Promise<T[]> {
  return (await client.query<T & Record<string, unknown>>(sql, [...values])).rows;
}
