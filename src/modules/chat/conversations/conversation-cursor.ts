import { isUuid, isWrittenMoment } from '#libs/common';
import type { ConversationOrder } from './conversation.dto.js';
import type { ConversationPlace, ConversationRow } from './conversations.repository.js';

/** The end of a page, for `after` of the next one: opaque to clients and valid for one order only. */
export function cursorAt(order: ConversationOrder, row: ConversationRow): string {
  return Buffer.from(JSON.stringify([order, valueOf(order, row).toISOString(), row.id])).toString('base64url');
}

/** The place that a cursor represents; undefined for what is none, or one of another order. */
export function placeOf(cursor: string, order: ConversationOrder): ConversationPlace | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== order) return undefined;
  const [, value, id] = parts as unknown[];
  return typeof value === 'string' && isWrittenMoment(value) && typeof id === 'string' && isUuid(id)
    ? { value, id }
    : undefined;
}

function valueOf(order: ConversationOrder, { created_at, last_turn_at }: ConversationRow): Date {
  return order === 'created_at' || order === '-created_at' ? created_at : last_turn_at;
}
