import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose';
import { reasonOf } from '#libs/common';
import { ISSUER_DEADLINE_MS, issuerUnavailable, readBounded, type OidcDiscovery } from './oidc-discovery.js';

/** Minimum time between two fetches because of unknown keys, whatever tokens name. */
const COOLDOWN_MS = 1_000;
/** Maximum time after which a key that the issuer has withdrawn is no longer accepted. */
const MOST_AGE_MS = 10 * 60 * 1_000;

/** The public keys of an OpenID Connect issuer, discovered at the first token and fetched again when a token is signed with a new key. */
export class OidcKeys {
  private keys: JWTVerifyGetKey | undefined;

  constructor(private readonly discovery: OidcDiscovery) {}

  /** Finds the key of a token. @throws `accounts.issuer_unavailable` when the issuer does not answer */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const { keys: address } = await this.discovery.read();
    this.keys ??= createRemoteJWKSet(address, {
      timeoutDuration: ISSUER_DEADLINE_MS,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: MOST_AGE_MS,
      [customFetch]: fetchKeys,
    });
    return this.keys(header, token);
  };
}

/** As `fetch`, with a maximum size. @throws `accounts.issuer_unavailable` for an answer beyond it */
const fetchKeys: FetchImplementation = async (address, options) => {
  const response = await fetch(address, options);
  const { status, headers } = response;
  if (status !== 200) {
    await response.body?.cancel();
    return new Response(null, { status, headers });
  }
  const text = await readBounded(response, address).catch((error: unknown) => {
    options.signal.throwIfAborted();
    throw issuerUnavailable(reasonOf(error), error);
  });
  return new Response(text, { status, headers });
};
