import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { accessAs, DatabaseSetupError } from './database.errors.js';
import { PreparedClient } from './prepared-client.js';
import { migrate, type MigrateOptions } from './migrate.js';
import type { PluginSchema } from './plugin-schemas.js';
import type { DatabaseRoles } from './roles.js';
import { result, statement } from './statement.js';

/** An entity as TypeORM keeps it: a class, which it types as Function. */
type EntityClass = Function;

const FIND_OWN_ROLE = statement(
  { rolname: result.text(), unsafe: result.boolean },
  `SELECT rolname::text, rolsuper OR rolbypassrls AS unsafe FROM pg_roles WHERE rolname = current_user`,
);
const COUNT_UNFORCED = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   WHERE c.relname = 'documents' AND a.attname = 'tenant_id' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
);

export interface OpenDatabaseOptions {
  /** Where the application logs in. */
  readonly url: string;
  /** The login that owns the tables; the same database. */
  readonly migrationUrl: string;
  readonly rolePrefix: string;
  readonly poolSize: number;
  readonly alsoMigrate?: MigrateOptions['also'];
  /** Default: none; the tables of a plugin that is not named must be empty. */
  readonly plugins?: readonly PluginSchema[];
  /** Called with every error of an idle pooled connection: a server that restarts must not end the process. */
  readonly onPoolError: (error: Error) => void;
}

/** The open database: the data source with the application's login, and the roles of its transactions. */
export class Database {
  constructor(
    readonly source: DataSource,
    readonly roles: DatabaseRoles,
    readonly url: string,
  ) {}

  async close(): Promise<void> {
    if (this.source.isInitialized) await this.source.destroy();
  }
}

/**
 * Runs the migrations, connects, and refuses a login to which row-level security would not apply.
 * @throws DatabaseSetupError that says what to change; DatabaseAccessError for everything else
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const roles = await migrate({
    migrationUrl: options.migrationUrl,
    serviceUrl: options.url,
    rolePrefix: options.rolePrefix,
    also: options.alsoMigrate ?? [],
    plugins: options.plugins ?? [],
  });
  const source = new DataSource({
    type: 'postgres',
    url: options.url,
    entities: loadedEntities(),
    poolSize: options.poolSize,
    poolErrorHandler: options.onPoolError,
    connectTimeoutMS: 5_000,
    applicationName: 'kb',
    // A server that hangs must not hang its callers; the longest statement of ours, removing a batch of documents, takes seconds.
    // In a pipeline statements that no one waits for between them share a round trip.
    extra: {
      keepAlive: true,
      idleTimeoutMillis: 30_000,
      query_timeout: 30_000,
      pipeline: true,
      Client: PreparedClient,
      onConnect: (client: PreparedClient) => client.prepareScope(),
    },
  });
  await accessAs('service', async () => {
    await source.initialize();
    await verifyIsolation(source, roles);
  });
  return new Database(source, roles, options.url);
}

async function verifyIsolation(source: DataSource, roles: DatabaseRoles): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await runner.startTransaction();
    if (roles.app !== null) await runner.query(`SET LOCAL ROLE "${roles.app}"`);
    const [role] = (await runner.query(FIND_OWN_ROLE.sql)) as NonNullable<typeof FIND_OWN_ROLE.row>[];
    const [open] = (await runner.query(COUNT_UNFORCED.sql)) as NonNullable<typeof COUNT_UNFORCED.row>[];
    if (role === undefined || role.unsafe || (open?.n ?? 1) > 0) {
      throw new DatabaseSetupError(
        `Row-level security does not bind the role "${role?.rolname ?? '?'}": it must be neither superuser nor BYPASSRLS, and the tables must force row-level security.`,
      );
    }
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/**
 * The classes with `@Entity` that this process has loaded, whichever module or package they come from. A repository imports its
 * entity, so what is there to be asked is there to be mapped, and no one keeps a list.
 */
function loadedEntities(): EntityClass[] {
  return getMetadataArgsStorage()
    .tables.map(({ target }) => target)
    .filter((target): target is EntityClass => typeof target === 'function');
}
