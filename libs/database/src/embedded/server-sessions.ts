import pg from 'pg';
import { clientRowsOf } from '../client-rows.js';
import { result, statement } from '../statement.js';
import { loginUrl, type ClusterCredentials } from './credentials.js';
import { systemCode } from './embedded-postgres.errors.js';

const OWNER = 'kb_owner';
const SERVICE = 'kb_service';
export const DATABASE = 'kb';
/** SQLSTATE: the server lives but starts or shuts down. */
const CANNOT_CONNECT_NOW = '57P03';
/** SQLSTATE: invalid_password, invalid_authorization_specification. */
const REFUSED_LOGIN = ['28P01', '28000'];

const READ_FACTS = statement(
  { directory: result.text(), version: result.text(), connections: result.text() },
  `SELECT current_setting('data_directory') AS directory, current_setting('server_version') AS version,
          current_setting('max_connections') AS connections`,
);
const FIND_PRESENT = statement(
  { owner: result.boolean, service: result.boolean, database: result.boolean },
  `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS owner,
          EXISTS (SELECT FROM pg_roles WHERE rolname = $2) AS service,
          EXISTS (SELECT FROM pg_database WHERE datname = $3) AS database`,
);

/** What a server says about itself. */
export interface ServerFacts {
  readonly dataDirectory: string;
  readonly version: string;
  readonly maxConnections: number;
}

/** Runs `work` on one superuser connection, which is closed afterwards; every step has the deadline `ms`. */
export async function asSuperuser<T>(
  credentials: ClusterCredentials,
  port: number,
  ms: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: loginUrl(credentials, 'postgres', port, 'postgres'),
    connectionTimeoutMillis: ms,
    query_timeout: ms,
    application_name: 'knowledge-base embedded',
  });
  // Without a listener an error between two queries would end the process; the next query rejects in its place.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function readFacts(client: pg.Client): Promise<ServerFacts> {
  const [row] = await clientRowsOf(client, READ_FACTS);
  return { dataDirectory: row!.directory, version: row!.version, maxConnections: Number(row!.connections) };
}

/**
 * Makes what is missing of the two logins and the database; safe after a crash between any two steps.
 * `kb_owner` may make roles (migrations do) but is no superuser; `kb_service` inherits nothing and is bound by
 * row-level security.
 */
export async function ensureRolesAndDatabase(client: pg.Client, credentials: ClusterCredentials): Promise<void> {
  const [found] = await clientRowsOf(client, FIND_PRESENT, [OWNER, SERVICE, DATABASE]);
  const present = found!;
  const plain = 'LOGIN NOSUPERUSER NOCREATEDB NOREPLICATION NOBYPASSRLS';
  if (!present.owner) {
    await client.query(
      `CREATE ROLE ${OWNER} ${plain} CREATEROLE PASSWORD ${client.escapeLiteral(credentials.kb_owner)}`,
    );
  }
  if (!present.service) {
    const password = client.escapeLiteral(credentials.kb_service);
    await client.query(`CREATE ROLE ${SERVICE} ${plain} NOCREATEROLE NOINHERIT PASSWORD ${password}`);
  }
  if (!present.database) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
}

/** Why a connection failed, as far as the caller must tell cases apart. */
export function connectFailure(error: unknown): 'busy' | 'refused_login' | 'no_answer' {
  const code = systemCode(error) ?? '';
  if (code === CANNOT_CONNECT_NOW) return 'busy';
  return REFUSED_LOGIN.includes(code) ? 'refused_login' : 'no_answer';
}
