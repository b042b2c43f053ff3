import type { TenantId } from '#libs/common';
import { parseObjectKey, type ObjectKey } from '#libs/object-storage';

const FOLDER = 'audit-anchors';
const DIGITS = 15;

/** Storage key of the anchor of an entry; one for each number, whatever the hash. */
export function anchorKey(tenantId: TenantId, id: number): ObjectKey {
  return parseObjectKey(`${anchorPrefix(tenantId)}${String(id).padStart(DIGITS, '0')}`);
}

/** Prefix of the keys of a tenant's anchors. */
export function anchorPrefix(tenantId: TenantId): string {
  return `${tenantId}/${FOLDER}/`;
}

/** Whether an object is an anchor of an audit log: it belongs to no document. */
export function isAnchorKey(key: string): boolean {
  return key.split('/')[1] === FOLDER;
}
