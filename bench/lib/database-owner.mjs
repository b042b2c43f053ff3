/** The database of a running service with a temporary folder, past row-level security: for benchmarks that change what lies in it. */
import { join } from 'node:path';
import { Client } from 'pg';
import { connectToRunningEmbeddedPostgres } from '#libs/database';

/** A connected client; the caller ends it. */
export async function ownerOf(folder) {
  const urls = await connectToRunningEmbeddedPostgres(join(folder, 'data/postgres'));
  const url = Object.assign(new URL(urls.superuserUrl), { pathname: '/kb' });
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return client;
}
