import { isUuid, isWrittenMoment } from '#libs/common';
import type { DocumentRow } from './document.entity.js';
import type { ListPlace } from './document-list.repository.js';
import type { DocumentOrder } from './list-documents.dto.js';

/**
 * Names of the orders in cursors. Earlier versions of the service, which ordered names differently, wrote `name`: continuing at such a
 * position would leave documents out, so it is refused like a cursor of another order.
 */
const MARKS: Readonly<Record<DocumentOrder, string>> = {
  created_at: 'created_at',
  '-created_at': '-created_at',
  name: 'natural_name',
  '-name': '-natural_name',
  updated_at: 'updated_at',
  '-updated_at': '-updated_at',
};

/** The cursor at the end of a page, for `after` of the next one; opaque to clients and valid for one order only. */
export function cursorAt(order: DocumentOrder, row: DocumentRow): string {
  return Buffer.from(JSON.stringify([MARKS[order], valueOf(order, row), row.id])).toString('base64url');
}

/** The position that a cursor represents; undefined for an invalid cursor or one of another order. */
export function placeOf(cursor: string, order: DocumentOrder): ListPlace | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== MARKS[order]) return undefined;
  const [, value, id] = parts as unknown[];
  if (typeof value !== 'string' || typeof id !== 'string' || !isUuid(id) || value.includes('\u0000')) return undefined;
  const isName = order === 'name' || order === '-name';
  return isName || isWrittenMoment(value) ? { value, id } : undefined;
}

function valueOf(order: DocumentOrder, row: DocumentRow): string {
  if (order === 'name' || order === '-name') return row.name;
  return (order === 'created_at' || order === '-created_at' ? row.created_at : row.updated_at).toISOString();
}
