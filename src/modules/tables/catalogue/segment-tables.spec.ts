import { describe, expect, it } from 'vitest';
import type { Block, TextSegment } from '#libs/text';
import { rowsOfSegments, type FoundRow } from './segment-tables.js';

interface Written {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** A table as parsers write it: lines of cells, in blocks of a few lines with the number of their first. */
function written(lines: readonly string[], linesPerBlock: number): Written {
  const blocks: Block[] = [];
  let text = '';
  for (let at = 0; at < lines.length; at += linesPerBlock) {
    if (at > 0) text += '\n';
    const start = text.length;
    text += lines.slice(at, at + linesPerBlock).join('\n');
    blocks.push({ kind: 'table', start, end: text.length, row: at + 1 });
  }
  return { text, blocks };
}

/** The same text in segments of this many units; a block belongs to the segment in which it begins. */
async function* inSegments({ text, blocks }: Written, units: number): AsyncGenerator<TextSegment> {
  for (let start = 0; start < text.length; start += units) {
    const own = blocks.filter((block) => block.start >= start && block.start < start + units);
    yield { start, text: text.slice(start, start + units), blocks: own };
  }
}

async function read(source: Written, units = 1_000_000): Promise<FoundRow[]> {
  const rows: FoundRow[] = [];
  for await (const piece of rowsOfSegments(inSegments(source, units))) rows.push(...piece);
  return rows;
}

const LINES = ['City | People', ...Array.from({ length: 40 }, (_, index) => `City ${index} | ${index * 1000}`)];

describe('the rows of tables in a canonical text', () => {
  it.each([1, 7, 50, 333])('have the positions of their lines for every segment size (%i units)', async (units) => {
    const source = written(LINES, 3);
    const rows = await read(source, units);
    expect(rows.map(({ start, end }) => source.text.slice(start, end))).toEqual(LINES);
  });

  it.each([1, 7, 50, 64, 333])('are complete in one table for every segment size (%i units)', async (units) => {
    const rows = await read(written(LINES, 4), units);
    expect(rows.map(({ cells }) => cells.join(' | '))).toEqual(LINES);
    expect(rows.map(({ row }) => row)).toEqual(LINES.map((_, index) => index + 1));
    expect(new Set(rows.map(({ table }) => table.index))).toEqual(new Set([0]));
  });

  it('belong to the table of the previous page where they continue it', async () => {
    const text = 'A | B\n1 | 2\nfoot\nhead\n3 | 4\n\n5 | 6';
    const blocks: Block[] = [
      { kind: 'table', start: 0, end: 11, row: 1, page: 1 },
      { kind: 'paragraph', start: 12, end: 16, page: 1 },
      { kind: 'page_break', start: 16, end: 16, page: 2 },
      { kind: 'heading', start: 17, end: 21, page: 2, level: 1 },
      { kind: 'table', start: 22, end: 27, row: 3, page: 2, continues: true },
      { kind: 'table', start: 29, end: 34, row: 1, page: 2 },
    ];
    const rows = await read({ text, blocks });
    expect(rows.map(({ table, row }) => [table.index, row])).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 1],
    ]);
  });

  it('belong to another table where their numbers begin again', async () => {
    const text = 'A | B\n1 | 2\n\nC | D\n3 | 4';
    const blocks: Block[] = [
      { kind: 'table', start: 0, end: 11, row: 1 },
      { kind: 'table', start: 13, end: 24, row: 1 },
    ];
    const rows = await read({ text, blocks });
    expect(rows.map(({ table }) => table.index)).toEqual([0, 0, 1, 1]);
  });

  it('of Markdown have cells without borders, marks and the line below the header', async () => {
    const text = '| Name | Link |\n|---|:-:|\n| **Pump** | [here](https://example.com) |\n| a \\| b | `x` |';
    const rows = await read({ text, blocks: [{ kind: 'table', start: 0, end: text.length, row: 1 }] });
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['Name', 'Link'],
      ['Pump', 'here'],
      ['a | b', 'x'],
    ]);
  });

  it('have the caption, or otherwise the heading, as title', async () => {
    const text = 'Sales\n\nNorth\n\nA | B\n1 | 2';
    const heading: Block = { kind: 'heading', start: 0, end: 5, level: 1 };
    const caption: Block = { kind: 'caption', start: 7, end: 12 };
    const table: Block = { kind: 'table', start: 14, end: 25, row: 1 };
    expect((await read({ text, blocks: [heading, caption, table] }))[0]!.table.title).toBe('North');
    expect((await read({ text, blocks: [heading, table] }))[0]!.table.title).toBe('Sales');
  });
});
