import { Once, reasonOf } from '#libs/common';
import { accountErrors } from '../accounts.errors.js';

/** For everything that the issuer is asked. */
export const ISSUER_DEADLINE_MS = 5_000;
/** Of a document or of a set of keys. */
const MOST_BYTES = 1024 * 1024;
const RETRY_SECONDS = 5;

/** What an issuer says of itself (OpenID Connect Discovery 1.0, section 3). */
export interface IssuerDocument {
  /** Where its public keys are. */
  readonly keys: URL;
  /** Where people sign in; undefined for an issuer without such a page. */
  readonly authorization: URL | undefined;
  /** Where a code is exchanged for tokens. */
  readonly token: URL | undefined;
  /** Its answers to a sign-in name it (RFC 9207). */
  readonly namesItself: boolean;
  /** How clients with a secret may send it to `token`. */
  readonly secretMethods: readonly string[];
}

/** The discovery document of an issuer, fetched when it is needed first; a fetch that failed is tried again. */
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
      // What an issuer supports that says nothing (section 3).
      secretMethods: Array.isArray(methods) ? methods.map(String) : ['client_secret_basic'],
    };
  }
}

/** A JSON object of the issuer, within its deadline and a bound of bytes. @throws with the address where there is none */
export async function fetchJson(address: string | URL, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  const options = { ...init, signal: AbortSignal.timeout(ISSUER_DEADLINE_MS), redirect: 'error' } as const;
  const response = await fetch(address, options);
  if (!response.ok) {
    await response.body?.cancel();
    throw new IssuerAnswer(`${String(address)} answers ${response.status}`, response.status);
  }
  return JSON.parse(await readBounded(response, address)) as Record<string, unknown>;
}

/** The text of an answer, of which nothing is read beyond the bound. @throws with the address where it is longer */
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

/** An answer of the issuer that is none of success. */
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
