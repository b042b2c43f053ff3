import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { DatabaseSnapshot, TableShape } from '#libs/database';
import type { TableEntry, TablePart } from './backup-manifest.js';
import type { BackupRoom } from './backup-room.js';

const FOLDER = 'tables';

export function tableFile(folder: string, name: string): string {
  return join(folder, FOLDER, `${name}.copy`);
}

/** Writes every table of the snapshot into a file of its own, tenant by tenant. */
export async function writeTables(snapshot: DatabaseSnapshot, folder: string, room: BackupRoom): Promise<TableEntry[]> {
  await mkdir(join(folder, FOLDER), { mode: 0o700 });
  const entries: TableEntry[] = [];
  for (const table of snapshot.tables) entries.push(await writeTable(snapshot, table, folder, room));
  return entries;
}

async function writeTable(
  snapshot: DatabaseSnapshot,
  table: TableShape,
  folder: string,
  room: BackupRoom,
): Promise<TableEntry> {
  const file = await open(tableFile(folder, table.name), 'wx', 0o600);
  const hash = createHash('sha256');
  const parts: TablePart[] = [];
  try {
    for (const tenant of table.ofTenants ? snapshot.tenants : [null]) {
      const rows = await snapshot.copyRows(table, tenant);
      const bytes = await append(rows, file, hash, room);
      if (rows.rows > 0) parts.push({ tenant, rows: rows.rows, bytes });
    }
    await file.sync();
  } finally {
    await file.close();
  }
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return { name: table.name, columns: table.columns, rows, sha256: hash.digest('hex'), parts };
}

async function append(rows: Readable, file: FileHandle, hash: Hash, room: BackupRoom): Promise<number> {
  let bytes = 0;
  for await (const piece of rows as AsyncIterable<Buffer>) {
    hash.update(piece);
    await file.writeFile(piece);
    bytes += piece.length;
    await room.wrote(piece.length);
  }
  return bytes;
}

/** The parts of a table's file, in their order; each stream is to be read to its end before the next. */
export function* readParts(folder: string, table: TableEntry): Generator<{ tenant: string | null; rows: Readable }> {
  let start = 0;
  for (const { tenant, bytes } of table.parts) {
    yield { tenant, rows: createReadStream(tableFile(folder, table.name), { start, end: start + bytes - 1 }) };
    start += bytes;
  }
}

/** SHA-256 of all that the streams give, in hexadecimal. */
export async function hashOf(...streams: readonly Readable[]): Promise<string> {
  const hash = createHash('sha256');
  for (const stream of streams) {
    for await (const piece of stream as AsyncIterable<Buffer>) hash.update(piece);
  }
  return hash.digest('hex');
}
