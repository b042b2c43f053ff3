import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '#libs/common';
import { SettingsError, type SettingsValues } from '#libs/config';

/** The key of the service's own access tokens, with the one algorithm that goes with it. */
export interface SigningKey {
  readonly algorithm: 'HS256' | 'EdDSA';
  readonly signWith: KeyObject;
  readonly verifyWith: KeyObject;
}

const KEY_FOLDER = 'auth';
const KEY_FILE = 'jwt-key.pem';

/** The key that `AUTH_JWT_KEY` gives, else the one kept in `DATA_DIR/auth/jwt-key.pem`, which the first start makes. @throws SettingsError */
export async function loadSigningKey(settings: Pick<SettingsValues, 'authJwtKey' | 'dataDir'>): Promise<SigningKey> {
  const { authJwtKey, dataDir } = settings;
  if (authJwtKey === undefined) {
    const path = join(dataDir, KEY_FOLDER, KEY_FILE);
    return edwardsKey(await readOrMakeKeyFile(path), `The key file ${path}`);
  }
  // A .env file or a secret store often keeps a PEM on one line, with \n for the line ends.
  if (authJwtKey.includes('PRIVATE KEY')) return edwardsKey(authJwtKey.replaceAll('\\n', '\n'), 'AUTH_JWT_KEY');
  if (authJwtKey.length < 32) throw new SettingsError(['AUTH_JWT_KEY: must have 32 characters or more.']);
  const secret = createSecretKey(Buffer.from(authJwtKey, 'utf8'));
  return { algorithm: 'HS256', signWith: secret, verifyWith: secret };
}

function edwardsKey(pem: string, source: string): SigningKey {
  const signWith = parsePrivateKey(pem, source);
  if (signWith.asymmetricKeyType !== 'ed25519') {
    throw new SettingsError([
      `${source}: holds a key of type ${signWith.asymmetricKeyType}; it must be an Ed25519 private key.`,
    ]);
  }
  return { algorithm: 'EdDSA', signWith, verifyWith: createPublicKey(signWith) };
}

function parsePrivateKey(pem: string, source: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError([`${source}: is not a private key in PEM without a passphrase (${reason}).`]);
  }
}

async function readOrMakeKeyFile(path: string): Promise<string> {
  const kept = await readKeyFile(path);
  if (kept !== undefined) return kept;
  const folder = join(path, '..');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${KEY_FILE}.${newId()}`);
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeFile(draft, pem, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // A link appears whole or not at all and never replaces: of two processes that start at once the first decides.
    await link(draft, path);
    return pem;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return await readFile(path, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}

async function readKeyFile(path: string): Promise<string | undefined> {
  try {
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
