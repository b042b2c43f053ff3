import { describe, expect, it } from 'vitest';
import { leaveOut } from './leave-out.js';

const cell = (text: string, x: number, y: number) => ({ text, bbox: { x, y, width: 40, height: 12 } });

describe('a running line that was read as the last row of a table', () => {
  it('goes with its place: the table reaches as far as the rows that are left', () => {
    const rows = [
      [cell('EQ-1', 100, 80), cell('12', 200, 80)],
      [cell('EQ-2', 100, 98), cell('14', 200, 98)],
      [{ text: '' }, cell('Page 1 of 3', 480, 800)],
    ];
    const block = { kind: 'table' as const, rows, bbox: { x: 100, y: 80, width: 420, height: 732 } };
    expect(leaveOut([block], [{ y: 800, parts: ['Page 1 of 3'] }])).toMatchObject([
      { rows: rows.slice(0, 2), bbox: { x: 100, y: 80, width: 140, height: 30 } },
    ]);
  });
});
