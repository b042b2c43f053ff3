import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '#libs/common';
import type { SequenceState } from '#libs/database';
import { BackupError } from './backup.errors.js';

/** Of the folder's layout and of this file. */
export const BACKUP_FORMAT = 1;
const MANIFEST_FILE = 'manifest.json';
const MODE = 0o600;

/** Rows of one tenant inside a table's file; those of a table without row-level security have no tenant. */
export interface TablePart {
  readonly tenant: string | null;
  readonly rows: number;
  readonly bytes: number;
}

export interface TableEntry {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of the file, which holds the rows in the order of tenant and primary key. */
  readonly sha256: string;
  readonly parts: readonly TablePart[];
}

export interface FilesEntry {
  /** Of the files that are in the backup. */
  readonly count: number;
  readonly bytes: number;
  /** Of `files.jsonl`, which lists every file that the rows name. */
  readonly sha256: string;
  /** Keys of files that the rows name and the storage did not have. */
  readonly missing: readonly string[];
  /** Files whose content is not what the rows say, with the hash of what was there. */
  readonly damaged: readonly { readonly key: string; readonly sha256: string }[];
}

export interface KeysEntry {
  readonly included: boolean;
  readonly note: string;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

/** What a backup holds. It is written last: a folder without it is no backup. */
export interface BackupManifest {
  readonly format: number;
  readonly version: string;
  readonly created_at: string;
  readonly migration: string;
  readonly migrations: readonly string[];
  readonly postgresql: string;
  readonly tables: readonly TableEntry[];
  readonly sequences: readonly SequenceState[];
  readonly files: FilesEntry;
  readonly keys: KeysEntry;
}

/** With the hash of all the rest, which names the backup. */
export type SealedManifest = BackupManifest & { readonly sha256: string };

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<SealedManifest> {
  const sealed = { ...manifest, sha256: sealOf(manifest) };
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(sealed, null, 2)}\n`, {
    mode: MODE,
    flag: 'wx',
    flush: true,
  });
  return sealed;
}

/** @throws BackupError when there is none, or it has been changed */
export async function readManifest(folder: string): Promise<SealedManifest> {
  const path = join(folder, MANIFEST_FILE);
  const sealed = parse(await readText(path, folder), path);
  if (sealed.format !== BACKUP_FORMAT) {
    throw new BackupError(
      `${path} is of format ${sealed.format}; this version reads format ${BACKUP_FORMAT}. Restore with the version that wrote it (${sealed.version}) or a newer one.`,
    );
  }
  const { sha256, ...manifest } = sealed;
  if (sealOf(manifest) !== sha256) {
    throw new BackupError(`${path} does not fit its own checksum: it has been changed or damaged. Use another backup.`);
  }
  return sealed;
}

async function readText(path: string, folder: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BackupError(
      `${folder} holds no manifest.json: it is no backup, or one that did not come to its end. Name the folder of a whole backup.`,
    );
  }
}

function parse(text: string, path: string): SealedManifest {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && 'format' in value) return value as SealedManifest;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new BackupError(`${path} is no manifest of a backup: it has been changed or damaged. Use another backup.`);
}

function sealOf(manifest: BackupManifest): string {
  return createHash('sha256').update(canonicalJson(manifest)).digest('hex');
}
