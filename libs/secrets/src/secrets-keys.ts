import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { SettingsError, type SettingsValues } from '#libs/config';
import { KEY_FOLDER, readKeyFile, readOrMakeKeyFile } from './key-file.js';

const KEY_FILE = 'secrets-key';
const MIN_CHARACTERS = 32;

/** A key of AES-256, and the name by which what it sealed says so. */
export interface SecretsKey {
  /** Derived from the key, the same in every process; tells nothing about it. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The key that seals, and those that still open. */
export interface SecretsKeys {
  /** Null when the installation has none: nothing can be sealed. */
  readonly current: SecretsKey | null;
  readonly former: readonly SecretsKey[];
}

/**
 * The key that `SECRETS_KEY` gives, else the one kept in `DATA_DIR/auth/secrets-key`, which the first start with the embedded
 * database makes. With `DATABASE_URL` there may be several processes, so no key is made: without `SECRETS_KEY` there is none.
 * @throws SettingsError for a key that is too short
 */
export async function loadSecretsKeys(
  settings: Pick<SettingsValues, 'secretsKey' | 'secretsFormerKeys' | 'databaseUrl' | 'dataDir'>,
): Promise<SecretsKeys> {
  const { secretsKey, secretsFormerKeys, databaseUrl, dataDir } = settings;
  const path = join(dataDir, KEY_FOLDER, KEY_FILE);
  const former = secretsFormerKeys.map((text, index) => toKey(text, `SECRETS_FORMER_KEYS, key ${index + 1}`));
  if (secretsKey === undefined && databaseUrl === undefined) {
    const made = await readOrMakeKeyFile(path, () => randomBytes(32).toString('base64'));
    return { current: toKey(made, `The key file ${path}`), former };
  }
  // Installations that began with a key file and were given SECRETS_KEY later still read what the file sealed.
  const kept = await readKeyFile(path);
  return {
    current: secretsKey === undefined ? null : toKey(secretsKey, 'SECRETS_KEY'),
    former: kept === undefined ? former : [...former, toKey(kept, `The key file ${path}`)],
  };
}

function toKey(text: string, source: string): SecretsKey {
  const material = text.trim();
  if (material.length < MIN_CHARACTERS) {
    throw new SettingsError([`${source}: must have ${MIN_CHARACTERS} characters or more.`]);
  }
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', material, '', `knowledge-base secrets ${purpose}`, bytes));
  return { id: derive('key id', 9).toString('base64url'), key: createSecretKey(derive('aes-256-gcm', 32)) };
}
