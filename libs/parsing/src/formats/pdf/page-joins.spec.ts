import { describe, expect, it } from 'vitest';
import { PageTables, RunningHeads } from './page-joins.js';

const box = (x = 90, width = 400) => ({ kind: 'table' as const, bbox: { x, y: 80, width, height: 500 } });
const HEADER = ['Part', 'Stock'];
const FIRST = [HEADER, ['P-1', '3'], ['P-2', '14']];

function joinSecond(rows: string[][], { block = box(), place = 0, page = 2, behind = 0 } = {}) {
  const tables = new PageTables();
  tables.join(FIRST, box(), { page: 1, place: 1 });
  for (let passed = 0; passed < behind; passed += 1) tables.pass({ page: 1, place: 2 + passed });
  return tables.join(rows, block, { page, place });
}

describe('tables that are spread over pages', () => {
  it('go on with rows, numbers where the table has them', () => {
    const rows = [
      ['P-3', '9'],
      ['P-4', ''],
    ];
    expect(joinSecond(rows)).toEqual({ rows, row: 4, continues: true });
    expect(joinSecond(rows, { place: 3, behind: 2, block: box(95, 398) })).toMatchObject({ continues: true });
  });

  it('go on where a running line has made the block of one page wider, and its cells are where they were', () => {
    const tables = new PageTables();
    const cells = { x: 90, y: 80, width: 400, height: 500 };
    tables.join(FIRST, { ...box(), cells }, { page: 1, place: 1 });
    expect(tables.join([['P-3', '9']], { ...box(90, 460), cells }, { page: 2, place: 0 }).continues).toBe(true);
  });

  it('say a repeated header once', () => {
    expect(joinSecond([HEADER, ['P-3', '9']])).toEqual({ rows: [['P-3', '9']], row: 4, continues: true });
  });

  it.each([
    ['has other columns', [['a', 'b', '3']], {}],
    [
      'has a header of its own',
      [
        ['Name', 'Age'],
        ['Ann', '30'],
      ],
      {},
    ],
    ['stands elsewhere', [['P-3', '9']], { block: box(200, 300) }],
    ['stands further down', [['P-3', '9']], { place: 4 }],
    ['comes after other text', [['P-3', '9']], { behind: 3 }],
    ['comes a page later', [['P-3', '9']], { page: 3 }],
  ])('stay apart when the second one %s', (_why, rows, place) => {
    expect(joinSecond(rows, place)).toEqual({ rows, row: 1, continues: false });
  });

  it('stay apart where no column has numbers', () => {
    const tables = new PageTables();
    tables.join(
      [
        ['Name', 'City'],
        ['Ann', 'Oslo'],
      ],
      box(),
      { page: 1, place: 0 },
    );
    expect(tables.join([['Bob', 'Lund']], box(), { page: 2, place: 0 }).continues).toBe(false);
  });
});

describe('running heads', () => {
  it('are told by the pages before, whatever their numbers', () => {
    const heads = new RunningHeads();
    const page = (...texts: string[]): boolean[] => {
      heads.nextPage();
      return texts.map((text, place) => heads.isRunning(text, place));
    };
    expect(page('Report 2025 | 1', 'Results')).toEqual([false, false]);
    expect(page('Results of the group')).toEqual([false]);
    expect(page('Report 2025 | 3', 'Costs')).toEqual([true, false]);
  });
});
