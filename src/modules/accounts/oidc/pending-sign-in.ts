import { createHash, randomBytes } from 'node:crypto';

/** Data that a browser stores while a person signs in at the issuer. */
export interface PendingSignIn {
  /** Returned with the answer, to prove that it belongs to this request. */
  readonly state: string;
  /** Returned in the ID token, to prove that it was made for this sign-in. */
  readonly nonce: string;
  /** Proves to the issuer that the code is exchanged by the client that requested it (RFC 7636). */
  readonly verifier: string;
  /** Path of a page of the console, below the address of the service. */
  readonly returnTo: string;
}

const MOST_PATH = 512;

export function beginSignIn(returnTo: string | undefined): PendingSignIn {
  const [state, nonce, verifier] = [randomText(), randomText(), randomText()];
  return { state, nonce, verifier, returnTo: localPath(returnTo) };
}

/** The hash of the verifier, which the issuer gets with the request. */
export function challengeOf({ verifier }: PendingSignIn): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}

/** The value of the cookie. */
export function formatPending({ state, nonce, verifier, returnTo }: PendingSignIn): string {
  return [state, nonce, verifier, Buffer.from(returnTo, 'utf8').toString('base64url')].join('.');
}

/** Undefined for text that was not written by `formatPending`. */
export function parsePending(text: string | undefined): PendingSignIn | undefined {
  const parts = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})\.([\w-]+)$/.exec(text ?? '');
  if (parts === null) return undefined;
  const [, state, nonce, verifier, path] = parts as unknown as [string, string, string, string, string];
  return { state, nonce, verifier, returnTo: localPath(Buffer.from(path, 'base64url').toString('utf8')) };
}

/** The path, if no browser can interpret it as another host; otherwise the start page. */
export function localPath(path: string | undefined): string {
  if (path === undefined || path.length > MOST_PATH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) return '/';
  return path.includes('\\') ? '/' : path;
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}
