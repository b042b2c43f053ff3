import { createReadStream } from 'node:fs';
import { copyFile, chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsValues } from '#libs/config';
import { KEY_FOLDER } from '#libs/secrets';
import type { KeysEntry } from './backup-manifest.js';
import { changed } from './stored-files.js';
import { hashOf } from './table-files.js';

const FOLDER = 'keys';
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/** Copies the keys of the data folder when that is wanted, and says in words what is in the backup and what is not. */
export async function writeKeys(settings: SettingsValues, folder: string, wanted: boolean): Promise<KeysEntry> {
  const outside = [
    ...(settings.authJwtKey === undefined ? [] : ['AUTH_JWT_KEY']),
    ...(settings.secretsKey === undefined ? [] : ['SECRETS_KEY']),
  ]
    .map((name) => ` ${name} is a setting and never in a backup: keep it yourself.`)
    .join('');
  const names = await listKeys(settings.dataDir);
  if (!wanted || names.length === 0) {
    const why = names.length > 0 ? '(--with-keys takes them)' : '(the data folder has none)';
    const follows =
      settings.authJwtKey === undefined
        ? ' Without them a restored service signs with a new key: access tokens end, while passwords, API keys and refresh tokens stay valid.'
        : '';
    const unread =
      settings.secretsKey === undefined
        ? ' Without the key of secrets the secrets of webhooks cannot be read: rotate each of them after the restore.'
        : '';
    return { included: false, note: `Keys are not in this backup ${why}.${follows}${unread}${outside}`, files: [] };
  }
  await mkdir(join(folder, FOLDER), { mode: 0o700 });
  const files: { name: string; sha256: string }[] = [];
  for (const name of names) {
    const path = join(folder, FOLDER, name);
    await copyKey(join(settings.dataDir, KEY_FOLDER, name), path);
    files.push({ name, sha256: await hashOf(createReadStream(path)) });
  }
  const note = `Keys are in this backup (${names.join(', ')}): those who read it can sign access tokens and read the secrets of webhooks.${outside}`;
  return { included: true, note, files };
}

export async function verifyKeys(folder: string, keys: KeysEntry): Promise<void> {
  for (const { name, sha256 } of keys.files) {
    if (!NAME.test(name) || (await hashOf(createReadStream(join(folder, FOLDER, name)))) !== sha256) {
      throw changed(`${FOLDER}/${name}`);
    }
  }
}

export async function restoreKeys(folder: string, keys: KeysEntry, dataDir: string): Promise<void> {
  if (keys.files.length === 0) return;
  await mkdir(join(dataDir, KEY_FOLDER), { recursive: true, mode: 0o700 });
  for (const { name } of keys.files) await copyKey(join(folder, FOLDER, name), join(dataDir, KEY_FOLDER, name));
}

async function copyKey(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o600);
}

async function listKeys(dataDir: string): Promise<string[]> {
  try {
    const entries = await readdir(join(dataDir, KEY_FOLDER), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && NAME.test(entry.name))
      .map(({ name }) => name)
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
