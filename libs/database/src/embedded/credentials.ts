import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onFolder, systemCode } from './embedded-postgres.errors.js';

const CREDENTIALS_FILE = 'credentials.json';
const PASSWORD_BYTES = 24;

/** The passwords of the three logins of a cluster; safe inside a URL as they are. */
export interface ClusterCredentials {
  readonly postgres: string;
  readonly kb_owner: string;
  readonly kb_service: string;
}

/** Null when the home has no credentials yet. */
export async function readCredentials(home: string): Promise<ClusterCredentials | null> {
  const file = join(home, CREDENTIALS_FILE);
  return onFolder(file, async () => {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as ClusterCredentials;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      throw error;
    }
  });
}

/** Reads the credentials or makes them (file mode 0600, on the disk before it has its name, hence before any cluster uses them). */
export async function ensureCredentials(home: string): Promise<ClusterCredentials> {
  const known = await readCredentials(home);
  if (known !== null) return known;
  const file = join(home, CREDENTIALS_FILE);
  const made = { postgres: password(), kb_owner: password(), kb_service: password() };
  await onFolder(file, async () => {
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, JSON.stringify(made), { mode: 0o600, flush: true });
    await link(draft, file);
    await unlink(draft);
  });
  return made;
}

/** A `postgres://` URL of one login on the loopback address. */
export function loginUrl(
  credentials: ClusterCredentials,
  login: keyof ClusterCredentials,
  port: number,
  database: string,
): string {
  return `postgres://${login}:${credentials[login]}@127.0.0.1:${port}/${database}`;
}

function password(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
