import type { Brand, DocumentId, RevisionId, TenantId } from '#libs/common';
import { storageErrors } from './object-storage.errors.js';

/** Key of one object: `tenant/document/revision`. An object belongs to one revision of one document and is never shared. */
export type ObjectKey = Brand<string, 'ObjectKey'>;

/** A letter, digit or underscore first, so that `..`, `.tmp`, hidden files and options of programs cannot be written. */
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const SEGMENTS = 3;

/** The key of a revision's original file. */
export function objectKey(tenantId: TenantId, documentId: DocumentId, revision: RevisionId | number): ObjectKey {
  return parseObjectKey(`${tenantId}/${documentId}/${revision}`);
}

/**
 * Checks a key that comes from outside the type system (a job, a listing).
 * @throws `storage.invalid_key` unless it is three safe segments.
 */
export function parseObjectKey(key: string): ObjectKey {
  const segments = key.split('/');
  if (segments.length !== SEGMENTS || !segments.every((segment) => SEGMENT.test(segment))) {
    throw storageErrors.invalid_key({ key });
  }
  return key as ObjectKey;
}

/**
 * The segments of a list prefix: `''`, `tenant/` or `tenant/document/`.
 * @throws `storage.invalid_key` for anything else; a prefix ends at a segment, not within one.
 */
export function parseKeyPrefix(prefix: string): readonly string[] {
  if (prefix === '') return [];
  const segments = prefix.split('/');
  const last = segments.pop();
  if (last !== '' || segments.length >= SEGMENTS || !segments.every((segment) => SEGMENT.test(segment))) {
    throw storageErrors.invalid_key({ key: prefix });
  }
  return segments;
}
