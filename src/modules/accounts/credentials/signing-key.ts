import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { join } from 'node:path';
import { SettingsError, type SettingsValues } from '#libs/config';
import { KEY_FOLDER, readOrMakeKeyFile } from '#libs/secrets';

/** A key that verifies access tokens, with its only algorithm. */
export interface VerificationKey {
  /** Name of the key in the header of its tokens: a digest of the key, the same in every process. */
  readonly kid: string;
  readonly algorithm: 'HS256' | 'EdDSA';
  readonly verifyWith: KeyObject;
}

/** The key of the service's own access tokens. */
export interface SigningKey extends VerificationKey {
  readonly signWith: KeyObject;
}

/** The key that signs, and former keys that still verify. */
export interface TokenKeys {
  readonly signing: SigningKey;
  readonly former: readonly VerificationKey[];
}

const KEY_FILE = 'jwt-key.pem';
const KID_LENGTH = 16;

/**
 * The key in `AUTH_JWT_KEY`, or else the one stored in `DATA_DIR/auth/jwt-key.pem`, which the first start creates. @throws SettingsError
 */
export async function loadSigningKey(settings: Pick<SettingsValues, 'authJwtKey' | 'dataDir'>): Promise<SigningKey> {
  const { authJwtKey, dataDir } = settings;
  if (authJwtKey === undefined) {
    const path = join(dataDir, KEY_FOLDER, KEY_FILE);
    return edwardsKey(await readOrMakeKeyFile(path, makeKey), `The key file ${path}`);
  }
  if (authJwtKey.includes('PRIVATE KEY')) return edwardsKey(linesOf(authJwtKey), 'AUTH_JWT_KEY');
  return sharedKey(authJwtKey, 'AUTH_JWT_KEY');
}

/** The signing key with those of `AUTH_JWT_FORMER_KEYS`: secrets, and Ed25519 keys in PEM, private or public. @throws SettingsError */
export async function loadTokenKeys(
  settings: Pick<SettingsValues, 'authJwtKey' | 'authJwtFormerKeys' | 'dataDir'>,
): Promise<TokenKeys> {
  const former = settings.authJwtFormerKeys.map((text, index) =>
    formerKey(text, `AUTH_JWT_FORMER_KEYS, key ${index + 1}`),
  );
  return { signing: await loadSigningKey(settings), former };
}

function formerKey(text: string, source: string): VerificationKey {
  if (text.includes('PUBLIC KEY')) return edwardsPublicKey(parseKey(createPublicKey, linesOf(text), source), source);
  return text.includes('PRIVATE KEY') ? edwardsKey(linesOf(text), source) : sharedKey(text, source);
}

/** A .env file or a secret store often keeps a PEM on one line, with \n for the line ends. */
function linesOf(pem: string): string {
  return pem.replaceAll('\\n', '\n');
}

function sharedKey(text: string, source: string): SigningKey {
  if (text.length < 32) throw new SettingsError([`${source}: must have at least 32 characters.`]);
  const secret = createSecretKey(Buffer.from(text, 'utf8'));
  const kid = createHmac('sha256', secret).update('kid').digest('base64url').slice(0, KID_LENGTH);
  return { kid, algorithm: 'HS256', signWith: secret, verifyWith: secret };
}

function edwardsKey(pem: string, source: string): SigningKey {
  const signWith = parseKey(createPrivateKey, pem, source);
  return { ...edwardsPublicKey(signWith, source), signWith };
}

function edwardsPublicKey(key: KeyObject, source: string): VerificationKey {
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new SettingsError([`${source}: contains a key of type ${key.asymmetricKeyType}; it must be an Ed25519 key.`]);
  }
  const verifyWith = key.type === 'public' ? key : createPublicKey(key);
  const der = verifyWith.export({ type: 'spki', format: 'der' });
  const kid = createHash('sha256').update(der).digest('base64url').slice(0, KID_LENGTH);
  return { kid, algorithm: 'EdDSA', verifyWith };
}

function parseKey(parse: (pem: string) => KeyObject, pem: string, source: string): KeyObject {
  try {
    return parse(pem);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError([`${source}: is not a key in PEM without a passphrase (${reason}).`]);
  }
}

function makeKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
