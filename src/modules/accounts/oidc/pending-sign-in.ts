import { createHash, randomBytes } from 'node:crypto';

/** What a browser keeps while someone is at the issuer. */
export interface PendingSignIn {
  /** Comes back with the answer, so that it is known to be one to this question. */
  readonly state: string;
  /** Comes back in the ID token, so that it is known to be made for this sign-in. */
  readonly nonce: string;
  /** Proves to the issuer that who exchanges the code is who has asked for it (RFC 7636). */
  readonly verifier: string;
  /** Path of a page of the console, below the address of the service. */
  readonly returnTo: string;
}

const MOST_PATH = 512;

export function beginSignIn(returnTo: string | undefined): PendingSignIn {
  const [state, nonce, verifier] = [randomText(), randomText(), randomText()];
  return { state, nonce, verifier, returnTo: localPath(returnTo) };
}

/** What the issuer learns of the verifier beforehand: its hash. */
export function challengeOf({ verifier }: PendingSignIn): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}

/** As text of a cookie. */
export function formatPending({ state, nonce, verifier, returnTo }: PendingSignIn): string {
  return [state, nonce, verifier, Buffer.from(returnTo, 'utf8').toString('base64url')].join('.');
}

/** Undefined for text that `formatPending` has not made. */
export function parsePending(text: string | undefined): PendingSignIn | undefined {
  const parts = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})\.([\w-]+)$/.exec(text ?? '');
  if (parts === null) return undefined;
  const [, state, nonce, verifier, path] = parts as unknown as [string, string, string, string, string];
  return { state, nonce, verifier, returnTo: localPath(Buffer.from(path, 'base64url').toString('utf8')) };
}

/** The path if it leads to no other host, whatever a browser makes of it; else the start page. */
export function localPath(path: string | undefined): string {
  if (path === undefined || path.length > MOST_PATH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) return '/';
  return path.includes('\\') ? '/' : path;
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}
