import { describe, expect, it } from 'vitest';
import { cursorAt, placeOf } from './conversation-cursor.js';
import type { ConversationRow } from './conversations.repository.js';

const ID = '01890000-0000-7000-8000-0000000000e1';
const ROW = {
  id: ID,
  created_at: new Date('2026-01-01T00:00:00.000Z'),
  last_turn_at: new Date('2026-02-01T00:00:00.123Z'),
} as ConversationRow;

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the place in a list of conversations', () => {
  it('is read as it was written, for its own order only', () => {
    expect(placeOf(cursorAt('-last_turn_at', ROW), '-last_turn_at')).toEqual({
      value: '2026-02-01T00:00:00.123Z',
      id: ID,
    });
    expect(placeOf(cursorAt('created_at', ROW), 'created_at')).toEqual({ value: '2026-01-01T00:00:00.000Z', id: ID });
    expect(placeOf(cursorAt('created_at', ROW), '-created_at')).toBeUndefined();
  });

  it.each([
    '',
    'x',
    encoded(null),
    encoded(['-created_at', '2026-01-01T00:00:00.000Z']),
    encoded(['-created_at', 'yesterday', ID]),
    encoded(['-created_at', '2026-01-01T00:00:00.000Z', 'x']),
    encoded(['-created_at', 1, ID]),
  ])('is no other text: %s', (cursor) => {
    expect(placeOf(cursor, '-created_at')).toBeUndefined();
  });
});
