import { createPostgresBackend, runMigrations, setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { Client, Pool } from 'pg';
import { quoted, type DatabaseRoles } from '#libs/database';

/** Schema that BullMQ keeps its tables in. */
export const QUEUE_SCHEMA = 'bullmq';

export interface QueueConnectionOptions {
  readonly databaseUrl: string;
  readonly roles: DatabaseRoles;
  readonly redisUrl: string | undefined;
}

/** The connection that every queue and worker of the process shares the settings of. */
export function queueConnection(options: QueueConnectionOptions): ConnectionOptions {
  if (options.redisUrl !== undefined) {
    setDefaultBackendFactory();
    return new Redis(options.redisUrl, { maxRetriesPerRequest: null, lazyConnect: false });
  }
  setDefaultBackendFactory(createPostgresBackend);
  const role = options.roles.system === null ? '' : `-c role=${options.roles.system}`;
  return {
    connectionString: options.databaseUrl,
    schema: QUEUE_SCHEMA,
    skipMigrations: true,
    max: 4,
    options: role,
    keepAlive: true,
  };
}

/** Brings BullMQ's own tables up to date and lets the system role use them; run under the migration lock. */
export async function migrateQueue(migrationUrl: string, roles: DatabaseRoles): Promise<void> {
  const pool = new Pool({ connectionString: migrationUrl, max: 1 });
  try {
    const client = await pool.connect();
    try {
      await runMigrations(client, QUEUE_SCHEMA);
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
  if (roles.system === null) return;
  const client = new Client({ connectionString: migrationUrl });
  await client.connect();
  try {
    const role = quoted(roles.system);
    await client.query(`GRANT USAGE, CREATE ON SCHEMA ${QUEUE_SCHEMA} TO ${role}`);
    await client.query(`GRANT ALL ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${role}`);
    await client.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${role}`);
    await client.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} TO ${role}`);
  } finally {
    await client.end();
  }
}
