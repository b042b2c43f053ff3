import { constants, copyFile, open, stat, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from './embedded-postgres.errors.js';
import type { LogEvent, ServerUser } from './run-as-user.js';

const MAX_BYTES = 10 * 1024 * 1024;
const CHECK_EVERY_MS = 60_000;
const TAIL_BYTES = 4000;

/** The server's log in a home; its predecessor is `postgres.log.1`. */
export function serverLogOf(home: string): string {
  return join(home, 'postgres.log');
}

/** Opens the log for appending (so that it may be emptied while the server writes) and never through a link. */
export async function openServerLog(home: string, user: ServerUser): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
  const handle = await open(serverLogOf(home), flags, 0o600);
  if (user !== null) await handle.chown(user.uid, user.gid);
  return handle;
}

/** Moves the log to its predecessor when it has grown above 10 MiB; the server goes on writing to the emptied file. */
export async function rotateServerLog(home: string, maxBytes = MAX_BYTES): Promise<boolean> {
  const file = serverLogOf(home);
  if ((await sizeOf(file)) <= maxBytes) return false;
  await copyFile(file, `${file}.1`);
  await truncate(file);
  return true;
}

/**
 * Keeps the log small while this process lives; returns how to stop. Done here and not by PostgreSQL's collector, which
 * costs one more process and would keep every rotated file.
 */
export function keepServerLogSmall(home: string, log: LogEvent): () => void {
  const timer = setInterval(() => {
    rotateServerLog(home).catch((error: unknown) =>
      log('embedded_postgres.log_rotation_failed', { error: String(error) }),
    );
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** What the server wrote after `offset`, at most its last 4,000 bytes. */
export async function readServerLog(home: string, offset: number): Promise<string> {
  const handle = await open(serverLogOf(home));
  try {
    const { size } = await handle.stat();
    const start = Math.max(offset, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, size - start)), { position: start });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
