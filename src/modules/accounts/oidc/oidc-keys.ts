import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { reasonOf } from '#libs/common';
import { accountErrors } from '../accounts.errors.js';

const DEADLINE_MS = 5_000;
const MOST_BYTES = 256 * 1024;
/** A key that is not known is asked for again, but not more often than this, whatever tokens name. */
const COOLDOWN_MS = 1_000;
/** A key that the issuer has withdrawn is forgotten after this at the latest. */
const MOST_AGE_MS = 10 * 60 * 1_000;
const RETRY_SECONDS = 5;

/** The public keys of an OpenID Connect issuer, found by discovery at the first token and fetched again when it signs with a new one. */
export class OidcKeys {
  private keys: Promise<JWTVerifyGetKey> | undefined;

  /** @param issuer exactly as its tokens and its discovery document name it */
  constructor(private readonly issuer: string) {}

  /** Finds the key of a token. @throws `accounts.issuer_unavailable` when the issuer does not answer */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.discover();
    return keys(header, token);
  };

  /** A discovery that failed is tried again with the next token. */
  private discover(): Promise<JWTVerifyGetKey> {
    this.keys ??= this.fetchAddress().then(
      (address) =>
        createRemoteJWKSet(address, {
          timeoutDuration: DEADLINE_MS,
          cooldownDuration: COOLDOWN_MS,
          cacheMaxAge: MOST_AGE_MS,
        }),
      (error: unknown) => {
        this.keys = undefined;
        throw issuerUnavailable(reasonOf(error), error);
      },
    );
    return this.keys;
  }

  private async fetchAddress(): Promise<URL> {
    const address = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(address, { signal: AbortSignal.timeout(DEADLINE_MS), redirect: 'error' });
    if (!response.ok) throw new Error(`${address} answers ${response.status}`);
    const text = await response.text();
    if (text.length > MOST_BYTES) throw new Error(`${address} is longer than ${MOST_BYTES} bytes`);
    const { issuer, jwks_uri: keys } = JSON.parse(text) as { issuer?: unknown; jwks_uri?: unknown };
    if (issuer !== this.issuer) throw new Error(`${address} is of the issuer ${JSON.stringify(issuer)}`);
    if (typeof keys !== 'string') throw new Error(`${address} names no jwks_uri`);
    return new URL(keys);
  }
}

export function issuerUnavailable(reason: string, cause: unknown): Error {
  return accountErrors.issuer_unavailable({ reason }, { retryAfter: RETRY_SECONDS, cause });
}
