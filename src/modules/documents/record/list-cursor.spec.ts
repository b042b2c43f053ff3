import { describe, expect, it } from 'vitest';
import type { DocumentRow } from './document.entity.js';
import { DOCUMENT_ORDERS } from './list-documents.dto.js';
import { cursorAt, placeOf } from './list-cursor.js';

const ROW = {
  id: '01a22653-66d0-771f-aeb3-d31256b0d526',
  name: 'Report 10.pdf',
  created_at: new Date('2026-01-02T03:04:05.678Z'),
  updated_at: new Date('2026-02-03T04:05:06.789Z'),
} as DocumentRow;
const encoded = (parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

describe('a cursor', () => {
  it.each(DOCUMENT_ORDERS)('leads back to its position in the order %s, and is invalid in another order', (order) => {
    const cursor = cursorAt(order, ROW);
    expect(placeOf(cursor, order)).toMatchObject({ id: ROW.id });
    for (const other of DOCUMENT_ORDERS) if (other !== order) expect(placeOf(cursor, other)).toBeUndefined();
  });

  it.each(['name', '-name'] as const)(
    'of a version that ordered names differently is invalid in the order %s',
    (order) => {
      expect(placeOf(encoded([order, ROW.name, ROW.id]), order)).toBeUndefined();
    },
  );
});
