import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyId } from '#libs/common';

const SECRET_BYTES = 32;
/** The id is a UUID without dashes, so that the first underscore after it ends it; 32 bytes are 43 characters of base64url. */
const FORMAT = /^kb_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** An API key as its owner gets it once, with the stored hash. */
export interface NewApiKeySecret {
  readonly key: string;
  readonly hash: string;
}

/** A new secret for the key with this id: `kb_<id>_<secret>`. */
export function makeApiKeySecret(id: ApiKeyId): NewApiKeySecret {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { key: `kb_${id.replaceAll('-', '')}_${secret}`, hash: hashApiKeySecret(secret) };
}

/** The parts of a key; null for text that is no key. */
export function parseApiKey(key: string): { readonly id: ApiKeyId; readonly secret: string } | null {
  const match = FORMAT.exec(key);
  if (match === null) return null;
  return { id: match.slice(1, 6).join('-') as ApiKeyId, secret: match[6]! };
}

/** SHA-256, hexadecimal. The secret has 256 random bits, so a slow hash would not make it harder to guess. */
export function hashApiKeySecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Whether the secret belongs to the hash; the duration does not reveal how much of it is right. */
export function matchesApiKeyHash(secret: string, hash: string): boolean {
  const given = Buffer.from(hashApiKeySecret(secret), 'hex');
  const kept = Buffer.from(hash, 'hex');
  return given.length === kept.length && timingSafeEqual(given, kept);
}
