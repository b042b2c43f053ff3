import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse';
import { describe, expect, it } from 'vitest';
import { withWholeTables } from './torn-tables.js';

const item = (text: string, x: number, y: number): TextItem => ({ text, x, y, width: text.length * 5, height: 12 });

/** A page as its layout reads it: the first two columns a table, the third one a paragraph beside it; rows at these heights. */
function tornPage(rows: readonly (readonly [number, string, string, string])[]): ParsedPage {
  const items = rows.flatMap(([y, name, what, open]) =>
    [item(name, 84, y), item(what, 154, y), item(open, 384, y)].filter(({ text }) => text !== ''),
  );
  const last = rows.at(-1)![0];
  const blocks: LayoutBlock[] = [
    {
      kind: 'table',
      header: [{ text: 'Building' }, { text: 'What' }],
      rows: [[{ text: 'Block A' }, { text: 'Showers' }]],
      bbox: { x: 84, y: 100, width: 280, height: last - 88 },
    },
    { kind: 'paragraph', text: 'Open 24 hours', bbox: { x: 384, y: 100, width: 90, height: last - 88 } },
  ];
  return { pageNum: 2, width: 595, height: 842, text: '', markdown: '', textItems: items, blocks };
}

const nothingDrawn = () => Promise.resolve(undefined);

describe('withWholeTables', () => {
  it('puts rows together whose lines are nearer than the rows', async () => {
    const page = tornPage([
      [100, 'Building', 'What', 'Open'],
      [118, 'Block A', 'Showers and a room', '24 hours'],
      [130, '', 'for babies', ''],
      [148, 'Block B', 'Laundry', 'all day'],
    ]);
    const { page: whole, isTorn } = await withWholeTables(page, nothingDrawn);
    const [table, ...others] = whole.blocks!;
    expect([table!.header!, ...table!.rows!].map((row) => row.map(({ text }) => text))).toEqual([
      ['Building', 'What', 'Open'],
      ['Block A', 'Showers and a room for babies', '24 hours'],
      ['Block B', 'Laundry', 'all day'],
    ]);
    expect([others, isTorn]).toEqual([[], false]);
  });

  it('says so where rows cannot be told, and changes nothing', async () => {
    const page = tornPage([
      [100, 'Building', 'What', 'Open'],
      [112, 'Block A', 'Showers and a room', '24 hours'],
      [124, '', 'for babies', ''],
      [136, 'Block B', 'Laundry', 'all day'],
    ]);
    expect(await withWholeTables(page, nothingDrawn)).toEqual({ page, isTorn: true });
  });

  it('takes texts beside a table on other lines for no cells of it', async () => {
    const page = tornPage([[100, 'Building', 'What', '']]);
    const beside = { ...page, textItems: [...page.textItems, item('A note', 384, 105)] };
    expect(await withWholeTables(beside, nothingDrawn)).toEqual({ page: beside, isTorn: false });
  });

  it('takes what lies between rules', async () => {
    const page = tornPage([
      [100, 'Building', 'What', 'Open'],
      [118, 'Block A', 'Showers', '24 hours'],
      [136, 'Block B', 'Laundry', 'all day'],
    ]);
    const level = [97, 115, 133, 151].map((y) => ({ x1: 80, y1: y, x2: 480, y2: y, stroke: true, fill: false }));
    const upright = (places: readonly number[]) =>
      places.map((x) => ({ x1: x, y1: 97, x2: x, y2: 151, stroke: true, fill: false }));
    const drawn = (places: readonly number[]) => () =>
      Promise.resolve({
        textItems: page.textItems,
        vectorGraphics: { shapes: [], lines: [...level, ...upright(places)] },
      });
    const { page: whole } = await withWholeTables(page, drawn([80, 150, 380, 480]));
    expect(whole.blocks).toHaveLength(1);
    expect(whole.blocks![0]!.bbox).toEqual({ x: 80, y: 97, width: 400, height: 54 });
  });
});
