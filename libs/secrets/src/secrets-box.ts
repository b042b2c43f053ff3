import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretsKey, SecretsKeys } from './secrets-keys.js';

const FORMAT = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What was sealed cannot be opened: by none of the keys, for something else, or it was changed. The message holds no secret. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/**
 * Encrypts secrets that the service must be able to read again, for columns of the database: AES-256-GCM under a key that lies outside
 * the database. A sealed text is `v1.<key id>.<nonce>.<ciphertext and tag>`, the parts in base64url.
 */
export class SecretsBox {
  private readonly byId: ReadonlyMap<string, SecretsKey>;

  constructor(private readonly keys: SecretsKeys) {
    const all = [...keys.former, ...(keys.current === null ? [] : [keys.current])];
    this.byId = new Map(all.map((key) => [key.id, key]));
  }

  /** Whether there is a key to seal with; without one the setting SECRETS_KEY is missing. */
  get canSeal(): boolean {
    return this.keys.current !== null;
  }

  /**
   * Seals `secret`. `about` says what it is a secret of, such as `webhook:<id>`: opened for anything else it is broken, so a row that is
   * copied over another one is of no use.
   * @throws TypeError when there is no key: ask `canSeal` first
   */
  seal(secret: string, about: string): string {
    const { current } = this.keys;
    if (current === null) throw new TypeError('There is no key to seal with.');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(Buffer.from(about, 'utf8'));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [FORMAT, current.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /**
   * Sealed under the present key: `sealed` itself where it is so already, else its secret again.
   * @throws SealBroken where no key opens it; TypeError when there is no key to seal with
   */
  reseal(sealed: string, about: string): string {
    const secret = this.open(sealed, about);
    return sealed.split('.')[1] === this.keys.current?.id ? sealed : this.seal(secret, about);
  }

  /** The secret again. @throws SealBroken */
  open(sealed: string, about: string): string {
    const [format, id = '', nonce = '', text = ''] = sealed.split('.');
    const key = this.byId.get(id);
    if (format !== FORMAT) throw new SealBroken('The sealed text has another format.');
    if (key === undefined) {
      throw new SealBroken(
        `It was sealed with the key ${id}, which is neither SECRETS_KEY nor in SECRETS_FORMER_KEYS.`,
      );
    }
    const bytes = Buffer.from(text, 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key.key, Buffer.from(nonce, 'base64url'))
        .setAAD(Buffer.from(about, 'utf8'))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      throw new SealBroken('It was changed, or sealed for something else.');
    }
  }
}
