import { result, statement, type Database } from '#libs/database';

const PING = statement({ alive: result.boolean }, `SELECT true AS alive`);

/** Rejects when the database does not answer. Reads no table, so it needs no tenant. */
export async function pingDatabase({ source }: Pick<Database, 'source'>): Promise<void> {
  await source.query(PING.sql);
}
