import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockKind } from '../blocks/block.js';
import { anyDocument, chunkAll, compose, prose } from '../testing/random-documents.js';

type Part = readonly [kind: BlockKind, text: string, level?: number];

const chunksOf = (parts: readonly Part[], size = 512): ReturnType<typeof chunkAll> =>
  chunkAll([compose(parts.map(([kind, text, level]) => ({ kind, text, ...(level === undefined ? {} : { level }) })))], {
    strategy: 'section',
    chunk_size: size,
  });

describe('section', () => {
  it('makes a chunk of each section, its heading in it and above it', async () => {
    const chunks = await chunksOf([
      ['heading', 'Handbook', 1],
      ['paragraph', prose(1, 12)],
      ['heading', 'Leave', 2],
      ['paragraph', prose(20, 12)],
      ['heading', 'Pay', 2],
      ['paragraph', prose(40, 12)],
    ]);
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([
      ['Handbook'],
      ['Handbook', 'Leave'],
      ['Handbook', 'Pay'],
    ]);
    expect(chunks.map(({ text }) => text.split('\n')[0])).toEqual(['Handbook', 'Leave', 'Pay']);
  });

  it('joins short sections of one parent as long as the sum is small', async () => {
    const short = (name: string): Part[] => [
      ['heading', name, 2],
      ['paragraph', `${name} are kept. ${prose(1, 2)}`],
    ];
    const parts = ['Coats', 'Hats', 'Keys', 'Bags', 'Toys', 'Books', 'Rings', 'Shoes'].flatMap(short);
    const chunks = await chunksOf([['heading', 'Lost property', 1], ...parts]);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.length).toBeLessThan(8);
    for (const { tokenCount } of chunks) expect(tokenCount).toBeLessThanOrEqual(130);
  });

  it.each([
    ['another parent', 1, 2],
    ['the level above', 2, 1],
  ])('does not join short sections across %s', async (_name, first, second) => {
    const chunks = await chunksOf([
      ['heading', 'Leave', 1],
      ['heading', 'Carrying over', 2],
      ['paragraph', 'Six days may be carried over.'],
      ['heading', 'Pay', first],
      ['paragraph', 'Salaries are paid on the 25th.'],
      ['heading', 'Bonus', second],
      ['paragraph', 'There is none.'],
    ]);
    const held = (text: string): string => chunks.find((chunk) => chunk.text.includes(text))!.text;
    if (first === 1) expect(held('carried over')).not.toContain('Salaries');
    else expect(held('Salaries')).not.toContain('There is none');
  });

  it('cuts a section that is too long between its paragraphs', async () => {
    const chunks = await chunksOf(
      [
        ['heading', 'Leave', 1],
        ...Array.from({ length: 8 }, (_, at): Part => ['paragraph', prose(at * 10, 8)]),
        ['heading', 'Pay', 1],
        ['paragraph', prose(90, 12)],
      ],
      200,
    );
    expect(chunks.length).toBeGreaterThan(3);
    for (const { tokenCount } of chunks) expect(tokenCount).toBeLessThanOrEqual(200);
    expect(chunks.at(-1)!.headingPath).toEqual(['Pay']);
    expect(chunks.at(-1)!.text.startsWith('Pay')).toBe(true);
  });

  it('keeps the line that introduces a list with its first item, and above the later ones', async () => {
    const items = Array.from({ length: 30 }, (_, at): Part => [
      'list_item',
      `- item ${at + 1} of the list ${prose(at, 1)}`,
    ]);
    const chunks = await chunksOf([['paragraph', prose(1, 7)], ['paragraph', 'Bring with you:'], ...items], 128);
    const first = chunks.find(({ text }) => text.includes('Bring with you:'))!;
    expect(first.text).toContain('item 1 ');
    const later = chunks.slice(chunks.indexOf(first) + 1);
    expect(later.length).toBeGreaterThan(1);
    for (const { headingPath } of later) expect(headingPath).toEqual(['Bring with you:']);
  });

  it('cuts text without headings as recursive does', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async ({ text, blocks }) => {
        const bare = blocks.filter(({ kind }) => kind !== 'heading' && kind !== 'list_item');
        const source = [{ start: 0, text: text.replace(/[:：]/g, '.'), blocks: bare }];
        const ranges = async (strategy: 'section' | 'recursive'): Promise<unknown> =>
          (await chunkAll(source, { strategy, chunk_size: 100 })).map(({ start, end }) => [start, end]);
        expect(await ranges('section')).toEqual(await ranges('recursive'));
      }),
      { numRuns: 40 },
    );
  });
});
