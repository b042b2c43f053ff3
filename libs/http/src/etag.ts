import { httpErrors } from './http.errors.js';

/** The entity tag of a version number. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Throws 412 unless `If-Match` is absent, `*`, or names the present version. Weak tags never match (RFC 9110). */
export function requireMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '' || ifMatch.trim() === '*') return;
  const current = etagOf(version);
  const named = ifMatch.split(',').map((tag) => tag.trim());
  if (!named.includes(current)) throw httpErrors.precondition_failed({ current });
}
