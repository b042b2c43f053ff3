import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { DatabaseRestore, TableShape } from '#libs/database';
import type { BackupManifest, TableEntry } from './backup-manifest.js';
import { BackupError } from './backup.errors.js';
import { changed } from './stored-files.js';
import { hashOf, readParts, tableFile } from './table-files.js';

/** Reads every table of the backup. @throws BackupError for the first whose rows are not those that were written */
export async function verifyTables(folder: string, { tables }: BackupManifest): Promise<void> {
  for (const { name, sha256 } of tables) {
    if ((await hashOf(createReadStream(tableFile(folder, name)))) !== sha256) throw changed(`tables/${name}.copy`);
  }
}

/** Fills the tables and compares what is there then with the backup, row by row. */
export async function loadTables(restore: DatabaseRestore, folder: string, manifest: BackupManifest): Promise<void> {
  const entries = new Map(manifest.tables.map((entry) => [entry.name, entry]));
  const names = restore.tables.map(({ name }) => name).toSorted();
  if (names.join() !== [...entries.keys()].toSorted().join()) {
    throw new BackupError(
      'The tables of the backup are not those that its migrations make. Restore with the version, and the plugins, that wrote it.',
    );
  }
  for (const table of restore.tables) {
    const entry = entries.get(table.name)!;
    await restore.loadTable({ ...table, columns: entry.columns }, readParts(folder, entry));
    await compare(restore, table, entry);
  }
  await restore.setSequences(manifest.sequences);
}

async function compare(restore: DatabaseRestore, table: TableShape, entry: TableEntry): Promise<void> {
  const hash = createHash('sha256');
  for (const { tenant } of entry.parts) {
    for await (const piece of (await restore.copyRows(table, tenant)) as AsyncIterable<Buffer>) hash.update(piece);
  }
  if (hash.digest('hex') !== entry.sha256) {
    throw new BackupError(
      `The rows of ${table.name} are not those of the backup after they were loaded; nothing was kept.`,
    );
  }
}
