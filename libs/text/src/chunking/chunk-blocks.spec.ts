import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyDocument,
  chunkAll as chunk,
  compose,
  optionsOf,
  prose,
  segment,
  sentence,
  structured,
} from '../testing/random-documents.js';
import { chunkBlocks } from './chunk-blocks.js';
import type { Chunk, TextSegment } from './chunk.js';
import { countTokens } from './count-tokens.js';

const document = fc.oneof(anyDocument, structured);

describe('chunkBlocks on any text', () => {
  it('gives exact, trimmed, ordered slices within the size that together hold all text', async () => {
    await fc.assert(
      fc.asyncProperty(
        document,
        optionsOf,
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1 }),
        async (doc, options, lengths) => {
          const chunks = await chunk(segment(doc.text, doc.blocks, lengths), options);
          let covered = 0;
          for (const [i, one] of chunks.entries()) {
            expect(one.ordinal).toBe(i);
            expect(one.text).toBe(doc.text.slice(one.start, one.end));
            expect(one.text.trim()).toBe(one.text);
            expect(one.text).not.toBe('');
            expect(one.text.isWellFormed()).toBe(true);
            expect(one.tokenCount).toBe(countTokens(one.text));
            if (options.strategy !== 'whole') expect(one.tokenCount).toBeLessThanOrEqual(options.chunk_size);
            expect(one.end).toBeGreaterThan(covered);
            if (one.start > covered) expect(doc.text.slice(covered, one.start).trim()).toBe('');
            covered = one.end;
          }
          expect(doc.text.slice(covered).trim()).toBe('');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives the same chunks however the text is segmented', async () => {
    await fc.assert(
      fc.asyncProperty(
        document,
        optionsOf,
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1 }),
        async (doc, options, lengths) => {
          const whole = await chunk(segment(doc.text, doc.blocks, [doc.text.length]), options);
          expect(await chunk(segment(doc.text, doc.blocks, lengths), options)).toEqual(whole);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('does not split graphemes of a text without any space', async () => {
    const text = '👩‍👩‍👧'.repeat(200) + 'e\u0301'.repeat(900) + 'ภาษาไทยกำลังทดสอบ'.repeat(60);
    const borders = new Set([...new Intl.Segmenter().segment(text)].map((part) => part.index).concat(text.length));
    const chunks = await chunk([{ start: 0, text, blocks: [] }], { chunk_size: 100 });
    expect(chunks.length).toBeGreaterThan(10);
    for (const one of chunks) {
      expect(borders.has(one.start)).toBe(true);
      expect(borders.has(one.end)).toBe(true);
    }
  });

  it('holds only a window of a long document and passes long white space', async () => {
    let read = 0;
    function* source(): Generator<TextSegment> {
      const block = { kind: 'paragraph' as const, start: 0, end: 400 * 10_000 };
      for (let i = 0; i < 400; i++, read += 10_000) {
        const text = i % 3 === 0 ? ' '.repeat(10_000) : 'lorem ipsum dolor '.repeat(556).slice(0, 10_000);
        yield { start: read, text, blocks: i === 0 ? [block] : [] };
      }
    }
    let count = 0;
    for await (const one of chunkBlocks(source())) {
      expect(read - one.end).toBeLessThan(30_000);
      count++;
    }
    expect(count).toBeGreaterThan(1_000);
  });
});

describe('chunkBlocks on structure', () => {
  it('keeps a heading with the text below it and carries its path', async () => {
    const source = compose([
      { kind: 'heading', level: 1, text: '# Guide' },
      { kind: 'paragraph', text: prose(1, 28) },
      { kind: 'heading', level: 2, text: '## Setup' },
      { kind: 'paragraph', text: prose(40, 30) },
      { kind: 'heading', level: 2, text: '## Use' },
      { kind: 'paragraph', text: prose(80, 30) },
    ]);
    for (const strategy of ['recursive', 'markdown', 'sentence'] as const) {
      const chunks = await chunk([source], { strategy });
      for (const one of chunks) expect(one.text).not.toMatch(/(^|\n)#+ \w+$/);
      expect(chunks.at(-1)?.headingPath).toEqual(['Guide', 'Use']);
    }
    const sections = await chunk([source], { strategy: 'markdown' });
    expect(sections.some((one) => one.text.startsWith('## Setup'))).toBe(true);
    expect(sections.some((one) => one.text.startsWith('## Use'))).toBe(true);
    expect((await chunk([source], { heading_context: false })).every((one) => one.headingPath.length === 0)).toBe(true);
  });

  it('merges tiny sections and short paragraphs instead of making crumbs', async () => {
    const parts = Array.from({ length: 40 }, (_, i) => [
      { kind: 'heading' as const, level: 2, text: `## Part ${i}` },
      { kind: 'paragraph' as const, text: sentence(i).trim() },
    ]).flat();
    for (const strategy of ['recursive', 'markdown'] as const) {
      const chunks = await chunk([compose(parts)], { strategy });
      expect(chunks.length).toBeLessThan(10);
      for (const one of chunks) {
        expect(one.text.length).toBeGreaterThan(300);
        expect(one.text.startsWith('## Part')).toBe(true);
      }
    }
  });

  it('leaves no crumb at the end of a text that is a little too long for one chunk', async () => {
    const chunks = await chunk([{ start: 0, text: prose(1, 36), blocks: [] }]);
    expect(chunks).toHaveLength(2);
    expect(Math.min(...chunks.map((one) => one.tokenCount))).toBeGreaterThan(200);
  });

  it('keeps a table or code that fits in one piece and cuts a long table between rows', async () => {
    const table = Array.from({ length: 30 }, (_, i) => `| row ${i} | value ${i} |`).join('\n');
    const chunks = await chunk([
      compose([
        { kind: 'paragraph', text: prose(1, 22) },
        { kind: 'table', text: table, page: 3, row: 1 },
        { kind: 'paragraph', text: prose(30, 22) },
      ]),
    ]);
    expect(chunks.some((one) => one.text.includes(table))).toBe(true);

    const rows = Array.from({ length: 400 }, (_, i) => `| row ${i + 1} | value ${i + 1} |`);
    const long = await chunk([compose([{ kind: 'table', text: rows.join('\n'), sheet: 'Prices', row: 1 }])]);
    expect(long.length).toBeGreaterThan(3);
    for (const one of long) {
      expect(one.kind).toBe('table');
      expect(one.sheet).toBe('Prices');
      expect(one.text.split('\n').every((line) => rows.includes(line))).toBe(true);
      expect(one.text.startsWith(`| row ${one.row} |`)).toBe(true);
    }
  });

  it('repeats whole sentences of the chunk before, but not across a heading', async () => {
    const text = prose(1, 120);
    const chunks = await chunk([{ start: 0, text, blocks: [] }]);
    for (let i = 1; i < chunks.length; i++) {
      const previous = chunks[i - 1] as Chunk;
      const current = chunks[i] as Chunk;
      expect(current.start).toBeLessThan(previous.end);
      expect(countTokens(text.slice(current.start, previous.end))).toBeLessThanOrEqual(64);
      expect(current.text).toMatch(/^Sentence/);
    }
    const none = await chunk([{ start: 0, text, blocks: [] }], { chunk_overlap: 0 });
    for (let i = 1; i < none.length; i++) expect(none[i]?.start).toBeGreaterThan(none[i - 1]?.end ?? 0);
  });

  it('names the first and the last page of a chunk', async () => {
    const source = compose([
      { kind: 'paragraph', page: 3, text: 'It begins here.' },
      { kind: 'page_break', text: '\f' },
      { kind: 'paragraph', page: 4, text: 'It goes on.' },
      { kind: 'paragraph', page: 5, text: 'It ends here.' },
    ]);
    expect(await chunk([source], { strategy: 'recursive' })).toMatchObject([{ page: 3, pageEnd: 5 }]);
    const pages = await chunk([source], { strategy: 'page' });
    expect(pages.map(({ page, pageEnd }) => [page, pageEnd])).toEqual([
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
    const [plain] = await chunk([compose([{ kind: 'paragraph', text: 'No pages.' }])]);
    expect(plain).not.toHaveProperty('pageEnd');
  });

  it('makes no chunk across pages with the strategy page', async () => {
    const source = compose([
      { kind: 'paragraph', page: 1, text: 'First page.' },
      { kind: 'paragraph', page: 2, text: prose(1, 50) },
      { kind: 'page_break', text: '\f' },
      { kind: 'paragraph', page: 3, text: 'Third page.' },
    ]);
    const chunks = await chunk([source], { strategy: 'page' });
    expect(chunks[0]).toMatchObject({ text: 'First page.', page: 1 });
    expect(chunks.at(-1)).toMatchObject({ text: 'Third page.', page: 3 });
    expect(chunks.slice(1, -1).every((one) => one.page === 2)).toBe(true);
  });

  it('makes one chunk of a document with the strategy whole, and of separate sheets never one', async () => {
    const source = compose([
      { kind: 'table', sheet: 'A', text: 'a, b' },
      { kind: 'table', sheet: 'B', text: prose(1, 80) },
    ]);
    expect(await chunk([source], { strategy: 'whole' })).toHaveLength(1);
    const chunks = await chunk([source], { chunk_size: 4_000 });
    expect(chunks.map((one) => one.sheet)).toEqual(['A', 'B']);
  });

  it('cuts after the separators of the user and keeps them in the text', async () => {
    const text = Array.from({ length: 60 }, (_, i) => `${prose(i, 4)} ---`).join(' ');
    const chunks = await chunk([{ start: 0, text, blocks: [] }], { separators: ['---'], chunk_overlap: 0 });
    expect(chunks.length).toBeGreaterThan(5);
    for (const one of chunks) expect(one.text.endsWith('---')).toBe(true);
  });

  it('keeps text outside of all blocks and gives nothing for white space', async () => {
    const text = 'Outside.\n\nInside.\n\nOutside again.';
    const chunks = await chunk([{ start: 0, text, blocks: [{ kind: 'quote', start: 10, end: 17 }] }]);
    expect(chunks.map((one) => one.text)).toEqual([text]);
    expect(await chunk([{ start: 0, text: ' \n\u3000 \ufeff', blocks: [] }])).toEqual([]);
    expect(await chunk([])).toEqual([]);
  });

  it('refuses options out of range and segments that do not follow each other', async () => {
    await expect(chunk([], { chunk_size: 63 })).rejects.toThrow(RangeError);
    await expect(chunk([], { chunk_size: 100, chunk_overlap: 50 })).rejects.toThrow(RangeError);
    await expect(chunk([], { strategy: 'other' as never })).rejects.toThrow('other');
    const gap = [
      { start: 0, text: 'a', blocks: [] },
      { start: 2, text: 'b', blocks: [] },
    ];
    await expect(chunk(gap)).rejects.toThrow('expected 1');
  });
});
