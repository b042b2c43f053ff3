import { Once, reasonOf } from '#libs/common';
import { accountErrors } from '../accounts.errors.js';

/** Deadline of each request to the issuer. */
export const ISSUER_DEADLINE_MS = 5_000;
/** Maximum size of a document or key set in bytes. */
const MOST_BYTES = 1024 * 1024;
const RETRY_SECONDS = 5;

/** The metadata of an issuer (OpenID Connect Discovery 1.0, section 3). */
export interface IssuerDocument {
  /** Address of its public keys. */
  readonly keys: URL;
  /** Address of the sign-in page; undefined: none. */
  readonly authorization: URL | undefined;
  /** Address at which a code is exchanged for tokens. */
  readonly token: URL | undefined;
  /** Whether its answers to a sign-in contain `iss` (RFC 9207). */
  readonly namesItself: boolean;
  /** Methods by which clients may send their secret to `token`. */
  readonly secretMethods: readonly string[];
}

/** The discovery document of an issuer, fetched at the first use; a failed fetch is repeated at the next use. */
export class OidcDiscovery {
  private readonly document = new Once(() => this.fetch());

  /** @param issuer exactly as its tokens and its discovery document name it */
  constructor(readonly issuer: string) {}

  /** @throws `accounts.issuer_unavailable` when the issuer does not answer */
  async read(): Promise<IssuerDocument> {
    try {
      return await this.document.read();
    } catch (error) {
      throw issuerUnavailable(reasonOf(error), error);
    }
  }

  private async fetch(): Promise<IssuerDocument> {
    const address = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = await fetchJson(address, {});
    if (found['issuer'] !== this.issuer) {
      throw new Error(`${address} is of the issuer ${JSON.stringify(found['issuer'])}`);
    }
    const keys = addressOf(found['jwks_uri']);
    if (keys === undefined) throw new Error(`${address} names no jwks_uri`);
    const methods: unknown = found['token_endpoint_auth_methods_supported'];
    return {
      keys,
      authorization: addressOf(found['authorization_endpoint']),
      token: addressOf(found['token_endpoint']),
      namesItself: found['authorization_response_iss_parameter_supported'] === true,
      // The default if an issuer does not name methods (section 3).
      secretMethods: Array.isArray(methods) ? methods.map(String) : ['client_secret_basic'],
    };
  }
}

/** A JSON object from the issuer, within a deadline and a maximum size. @throws with the address otherwise */
export async function fetchJson(address: string | URL, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  const options = { ...init, signal: AbortSignal.timeout(ISSUER_DEADLINE_MS), redirect: 'error' } as const;
  const response = await fetch(address, options);
  if (!response.ok) {
    await response.body?.cancel();
    throw new IssuerAnswer(`${String(address)} answers ${response.status}`, response.status);
  }
  return JSON.parse(await readBounded(response, address)) as Record<string, unknown>;
}

/** The text of an answer, read only up to the maximum size. @throws with the address if it is longer */
export async function readBounded(response: Response, address: string | URL): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  if (response.body === null) return '';
  for await (const piece of response.body as ReadableStream<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`${String(address)} is longer than ${MOST_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** An error answer of the issuer. */
export class IssuerAnswer extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export function issuerUnavailable(reason: string, cause: unknown): Error {
  return accountErrors.issuer_unavailable({ reason }, { retryAfter: RETRY_SECONDS, cause });
}

function addressOf(value: unknown): URL | undefined {
  const address = typeof value === 'string' ? URL.parse(value) : null;
  return address !== null && /^https?:$/.test(address.protocol) ? address : undefined;
}
