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

/** Connection settings shared by every queue and worker of the process. */
export function queueConnection(options: QueueConnectionOptions): ConnectionOptions {
  if (options.redisUrl !== undefined) {
    setDefaultBackendFactory();
    const client = new Redis(options.redisUrl, { maxRetriesPerRequest: null, lazyConnect: false });
    // The queues listen as well, and report; until they do, an error without a listener would be printed as it is.
    return client.on('error', () => undefined);
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

/** Migrates BullMQ's own tables and grants the system role access to them; runs under the migration lock. */
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
    await client.query(grantOwnObjects(role));
  } finally {
    await client.end();
  }
}

/** BullMQ makes a sequence for each queue at run time, owned by the system role: only what the migration login owns is its to grant. */
function grantOwnObjects(role: string): string {
  return `DO $$
    DECLARE item record;
    BEGIN
      FOR item IN SELECT format('%I.%I', '${QUEUE_SCHEMA}', relname) AS name, relkind FROM pg_class
        WHERE relnamespace = '${QUEUE_SCHEMA}'::regnamespace AND relkind IN ('r', 'p', 'v', 'S') AND relowner = current_user::regrole
      LOOP
        EXECUTE format('GRANT ALL ON %s %s TO ${role}', CASE item.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, item.name);
      END LOOP;
      FOR item IN SELECT oid::regprocedure AS name FROM pg_proc
        WHERE pronamespace = '${QUEUE_SCHEMA}'::regnamespace AND proowner = current_user::regrole
      LOOP
        EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO ${role}', item.name);
      END LOOP;
    END $$`;
}
