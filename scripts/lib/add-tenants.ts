/** Fills a running service on the embedded default with tenants, to see what grows with their number. */
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { connectToRunningEmbeddedPostgres } from '#libs/database';

const STORE = 'data/vectors';
const TABLE = '.lance';
interface Added {
  readonly tenant: string;
  readonly dataset: string;
}

/** Tables that are copied at once. */
const COPIES = 8;
/** Of a table that is being compacted. */
const MOST_TRIES = 100;

/**
 * Adds `count` tenants with a dataset each, a completed document in it, and a table of the vector store that is a copy of the first one
 * there: what a search of another tenant must never look at. Below the HTTP interface, because a password for each would take minutes.
 * `folder` is the one that holds `data`.
 */
export async function addTenants(folder: string, count: number): Promise<void> {
  const urls = await connectToRunningEmbeddedPostgres(join(folder, 'data/postgres'));
  const url = Object.assign(new URL(urls!.superuserUrl), { pathname: '/kb' });
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `CREATE TEMPORARY TABLE added ON COMMIT DROP AS
         SELECT n, gen_random_uuid() AS tenant, gen_random_uuid() AS dataset FROM generate_series(1, ${count}) n`,
    );
    await client.query(`INSERT INTO tenants (id, name) SELECT tenant, 'Tenant ' || n FROM added`);
    await client.query(
      `INSERT INTO datasets (id, tenant_id, name, name_key, acl, owner_id, policy_version, embedding_space, embedding)
         SELECT dataset, tenant, 'One', 'one', 'only_me', (SELECT id FROM accounts LIMIT 1), 1, 'space', '{}' FROM added`,
    );
    await client.query(
      `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, progress,
         policy_version, revision, revision_id, chunk_count, tags, metadata, created_by)
       SELECT gen_random_uuid(), tenant, dataset, 'note.txt', 'text/plain', 9, 'sha', 'completed', 'completed', 100, 1, 1,
         gen_random_uuid(), 0, '{}', '{}', (SELECT id FROM accounts LIMIT 1) FROM added`,
    );
    const { rows } = await client.query<Added>('SELECT tenant, dataset FROM added');
    await client.query('COMMIT');
    await copyTables(join(folder, STORE), rows);
  } finally {
    await client.end();
  }
}

async function copyTables(store: string, rows: readonly Added[]): Promise<void> {
  const first = (await readdir(store)).find((name) => name.endsWith(TABLE));
  if (first === undefined) throw new Error(`${store} holds no table: let a document be ingested first.`);
  const space = first.slice(0, -TABLE.length).split('_').slice(2).join('_');
  const still = `${store}-still`;
  await copyOfLiving(join(store, first), still);
  for (let at = 0; at < rows.length; at += COPIES)
    await Promise.all(
      rows
        .slice(at, at + COPIES)
        .map(({ tenant, dataset }) =>
          cp(still, join(store, `${tenant}_${dataset}_${space}${TABLE}`), { recursive: true }),
        ),
    );
  await rm(still, { recursive: true });
}

/** The service may be compacting the table after its document: files go while they are copied. */
async function copyOfLiving(table: string, target: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await cp(table, target, { recursive: true });
    } catch (error) {
      await rm(target, { recursive: true, force: true });
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === MOST_TRIES) throw error;
    }
  }
}
