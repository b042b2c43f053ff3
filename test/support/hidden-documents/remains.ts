import { join } from 'node:path';
import { Client } from 'pg';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import type { ServiceProcess } from '../service-process.js';

/**
 * Puts off by a day whatever the service records from now on to be removed, so that what is deleted or superseded is still stored when it is
 * looked for: what hides it is then a condition of a statement, and not that it is gone.
 */
export async function keepRemains(service: Pick<ServiceProcess, 'folder'>): Promise<void> {
  await withDatabase(service, (client) =>
    client.query(`
      CREATE FUNCTION put_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.due_at := NEW.due_at + interval '1 day'; RETURN NEW; END $$;
      CREATE TRIGGER put_off BEFORE INSERT ON store_intents FOR EACH ROW EXECUTE FUNCTION put_off()`),
  );
}

/** A connection to the database of a running service, with all rights. */
export async function withDatabase<Result>(
  { folder }: Pick<ServiceProcess, 'folder'>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const urls = await connectToRunningEmbeddedPostgres(join(folder, 'data/postgres'));
  const url = Object.assign(new URL(urls!.superuserUrl), { pathname: '/kb' });
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
