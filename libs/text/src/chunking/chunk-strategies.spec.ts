import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../blocks/block.js';
import { anyDocument, chunkAll, compose, prose, structured } from '../testing/random-documents.js';
import type { TextSegment } from './chunk.js';
import { countTokens } from './count-tokens.js';

/** One paragraph of lines between blank lines each, as a parser of plain text finds them. */
function plain(text: string, kind: Block['kind'] = 'paragraph'): TextSegment {
  const blocks = [...text.matchAll(/\S.*(?:\n.*\S.*)*/g)].map(({ 0: own, index }) => ({
    kind,
    start: index,
    end: index + own.length,
  }));
  return { start: 0, text, blocks };
}

describe('recursive', () => {
  it('keeps paragraphs whole that fit and does not mix the parts of a longer one with its neighbours', async () => {
    const long = prose(100, 70);
    const parts = [prose(1, 6), prose(20, 6), long, prose(200, 6), prose(220, 6)];
    const source = compose(parts.map((text) => ({ kind: 'paragraph', text })));
    const chunks = await chunkAll([source], { chunk_size: 400 });
    expect(chunks[0]!.text).toBe(`${parts[0]}\n\n${parts[1]}`);
    expect(chunks.at(-1)!.text).toBe(`${parts[3]}\n\n${parts[4]}`);
    const middle = chunks.slice(1, -1);
    expect(middle.length).toBeGreaterThan(2);
    for (const one of middle) expect(long).toContain(one.text);
  });

  it('repeats nothing between whole paragraphs', async () => {
    const parts = Array.from({ length: 12 }, (_, index) => ({
      kind: 'paragraph' as const,
      text: prose(index * 10, 10),
    }));
    const chunks = await chunkAll([compose(parts)], { chunk_size: 400, chunk_overlap: 100 });
    expect(chunks.length).toBeGreaterThan(3);
    for (let i = 1; i < chunks.length; i++) expect(chunks[i]!.start).toBeGreaterThan(chunks[i - 1]!.end);
  });

  it('keeps the marks of Markdown with their heading', async () => {
    const text = `Intro.\n\n## Set up ##\n\n${prose(1, 14)}\n\nUse\n===\n\n${prose(30, 14)}\n`;
    const heading = (words: string, level: number): Block => {
      const start = text.indexOf(words);
      return { kind: 'heading', level, start, end: start + words.length };
    };
    const chunks = await chunkAll([{ start: 0, text, blocks: [heading('Set up', 2), heading('Use', 1)] }], {
      chunk_size: 300,
      strategy: 'markdown',
    });
    expect(chunks.map((one) => one.text.split('\n')[0])).toEqual(['Intro.', 'Use']);
    expect(chunks[0]!.text).toContain('\n\n## Set up ##\n\nSentence');
    expect(chunks[1]!.text.startsWith('Use\n===\n\nSentence')).toBe(true);
    expect(chunks.map((one) => one.headingPath)).toEqual([[], ['Use']]);
  });
});

describe('table_rows', () => {
  const rows = Array.from({ length: 60 }, (_, i) => `| name ${i + 1} | city ${i + 1} |`);
  const table = ['| Name | City |', '|------|------|', ...rows].join('\n');

  it('makes chunks of whole rows of one table that carry its header, apart from other text', async () => {
    const source = compose([
      { kind: 'paragraph', text: prose(1, 3) },
      { kind: 'heading', level: 1, text: 'People' },
      { kind: 'table', row: 1, text: table },
      { kind: 'table', row: 1, text: 'x | y\n1 | 2' },
      { kind: 'paragraph', text: prose(9, 3) },
    ]);
    const chunks = await chunkAll([source], { strategy: 'table_rows', chunk_size: 128 });
    expect(chunks[0]!.text).toBe(prose(1, 3));
    expect(chunks[1]!.text.startsWith('People\n\n| Name | City |')).toBe(true);
    expect(chunks.at(-2)).toMatchObject({ text: 'x | y\n1 | 2', row: 1, headingPath: ['People'] });
    expect(chunks.at(-1)!.text).toBe(prose(9, 3));
    const below = chunks.slice(2, -2);
    expect(below.length).toBeGreaterThan(2);
    for (const one of below) {
      expect(one.headingPath).toEqual(['People', 'Name | City']);
      expect(one.text.split('\n').every((line) => rows.includes(line))).toBe(true);
      expect(one.text.startsWith(`| name ${one.row! - 1} |`)).toBe(true);
    }
  });

  it('takes a table of one block a row for one table, and another table for another', async () => {
    const lines = ['Name | City', ...Array.from({ length: 60 }, (_, i) => `name ${i + 1} | city ${i + 1}`)];
    const text = `${lines.join('\n')}\n\nKey | Value\n${lines.slice(1).join('\n')}`;
    const blocks: Block[] = [];
    for (let start = 0, row = 1; start < text.length; row++) {
      const end = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
      if (end === start) row = 0;
      else blocks.push({ kind: 'table', start, end, row, sheet: 'People' });
      start = end + 1;
    }
    const chunks = await chunkAll([{ start: 0, text, blocks }], {
      strategy: 'table_rows',
      chunk_size: 100,
      heading_context: false,
    });
    const headers = chunks.map((one) => one.headingPath.join());
    expect(new Set(headers)).toEqual(new Set(['', 'Name | City', 'Key | Value']));
    expect(chunks.filter((one) => one.headingPath.length === 0).map((one) => one.row)).toEqual([1, 1]);
    for (const one of chunks) expect(one.text.split('\n').every((line) => text.split('\n').includes(line))).toBe(true);
  });

  it('leaves every row whole that fits into a chunk, however long the rows are', async () => {
    const cells = fc.array(fc.integer({ min: 1, max: 220 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(cells, async (lengths) => {
        const lines = lengths.map((length, index) => `${index}${'word '.repeat(length / 5)}end`);
        const source = compose([{ kind: 'table', row: 1, text: lines.join('\n') }]);
        const chunks = await chunkAll([source], { strategy: 'table_rows', chunk_size: 64 });
        expect(chunks.flatMap((one) => one.text.split('\n'))).toEqual(lines);
        for (const one of chunks) expect(one.text.startsWith(String(one.row! - 1))).toBe(true);
      }),
    );
  });
});

describe('parent_child', () => {
  it('gives small chunks the parent they lie in, and parents do not overlap', async () => {
    const document = fc.oneof(anyDocument, structured);
    await fc.assert(
      fc.asyncProperty(document, fc.integer({ min: 64, max: 600 }), async (doc, size) => {
        const source = [{ start: 0, ...doc }];
        const chunks = await chunkAll(source, { strategy: 'parent_child', chunk_size: size, chunk_overlap: 20 });
        let last = { start: -1, end: 0 };
        for (const { parent, start, end, tokenCount } of chunks) {
          expect(tokenCount).toBeLessThanOrEqual(Math.max(64, Math.floor(size / 4)));
          expect(parent!.start).toBeLessThanOrEqual(start);
          expect(parent!.end).toBeGreaterThanOrEqual(end);
          expect(countTokens(doc.text.slice(parent!.start, parent!.end))).toBeLessThanOrEqual(size);
          if (parent!.start !== last.start) expect(parent!.start).toBeGreaterThanOrEqual(last.end);
          last = parent!;
        }
      }),
    );
  });

  it('makes the same parents as recursive makes chunks without overlap', async () => {
    const source = compose(
      Array.from({ length: 9 }, (_, index) => ({ kind: 'paragraph' as const, text: prose(index * 20, index * 4 + 1) })),
    );
    const children = await chunkAll([source], { strategy: 'parent_child', chunk_size: 256 });
    const chunks = await chunkAll([source], { strategy: 'recursive', chunk_size: 256, chunk_overlap: 0 });
    const parents = new Set(children.map(({ parent }) => `${parent!.start}-${parent!.end}`));
    expect([...parents]).toEqual(chunks.map(({ start, end }) => `${start}-${end}`));
    expect(children.length).toBeGreaterThan(2 * chunks.length);
  });
});

describe('qa', () => {
  it.each([
    ['labels', 'Q: What is it?\nA: A thing.\nQ: Is it good?\nA: Yes, very.'],
    ['numbered labels', 'Q1. What is it?\nA1. A thing.\n\nQ2. Is it good?\n\nA2. Yes, very.'],
    ['German labels', 'Frage 1: Was ist das?\nAntwort: Ein Ding.\n\nFrage 2: Ist es gut?\nAntwort: Ja.'],
    ['Chinese labels', '问：这是什么？\n答：一个东西。\n\n问：好吗？\n答：很好。'],
    ['short Japanese lines', '返品はできますか？\n\nはい、可能です。\n\n送料はいくらですか？\n全国一律500円です。'],
    ['bold lines', '**¿Qué es?**\nUna cosa.\n\n**¿Es bueno?**\n\nSí.'],
    ['Arabic lines', 'ما هذا؟\nشيء.\n\nهل هو جيد؟\nنعم.'],
    ['list items', '1. What is it?\n   A thing.\n2. Is it good?\n   Yes.'],
    ['rhetorical questions in answers', 'What is it?\n\nA thing. But why? Because.\n\nIs it good?\n\nYes.'],
  ])('makes one chunk of each question with its answer: %s', async (_name, text) => {
    const second = text.search(/Q: Is|Q2|Frage 2|问：好|送料|\*\*¿Es|هل|2\. Is|\nIs it/);
    const chunks = await chunkAll([plain(text)], { strategy: 'qa' });
    expect(chunks.map((one) => one.text)).toEqual([text.slice(0, second).trim(), text.slice(second).trim()]);
  });

  it('ends the answer to a heading at the next heading of its level and carries a question along a long answer', async () => {
    const source = compose([
      { kind: 'heading', level: 1, text: 'Help' },
      { kind: 'paragraph', text: 'Read this first.' },
      { kind: 'heading', level: 2, text: 'How does it start?' },
      { kind: 'paragraph', text: 'By itself.' },
      { kind: 'heading', level: 3, text: 'Details' },
      { kind: 'paragraph', text: 'Within a second.' },
      { kind: 'heading', level: 2, text: 'Contact' },
      { kind: 'paragraph', text: 'By mail.' },
      { kind: 'paragraph', text: 'Q: How does it end?' },
      { kind: 'paragraph', text: prose(1, 20) },
    ]);
    const chunks = await chunkAll([source], { strategy: 'qa', chunk_size: 100, chunk_overlap: 0 });
    expect(chunks.slice(0, 4).map((one) => one.text)).toEqual([
      'Help\n\nRead this first.',
      'How does it start?\n\nBy itself.\n\nDetails\n\nWithin a second.',
      'Contact\n\nBy mail.',
      expect.stringMatching(/^Q: How does it end\?\n\nSentence/),
    ]);
    expect(chunks.length).toBeGreaterThan(5);
    for (const one of chunks.slice(4)) expect(one.headingPath.at(-1)).toBe('Q: How does it end?');
  });
});

describe('code', () => {
  const body = (name: string, statements: number): string =>
    [
      `// ${name}`,
      `function ${name}(x) {`,
      ...Array.from({ length: statements }, (_, i) => `  if (x > ${i}) {\n    call(${i});\n  }`),
      '}',
    ].join('\n');

  it.each(['code', 'paragraph'] as const)(
    'cuts between definitions and keeps those whole that fit (%s)',
    async (kind) => {
      const functions = ['one', 'two', 'three', 'four', 'five'].map((name, index) => body(name, 2 + (index % 3)));
      const text = functions.join('\n\n');
      const block = { kind, start: 0, end: text.length };
      const chunks = await chunkAll([{ start: 0, text, blocks: [block] }], { strategy: 'code', chunk_size: 100 });
      expect(chunks.length).toBeGreaterThan(2);
      const cutInside = functions.filter((one) => !chunks.some((chunk) => chunk.text.includes(one)));
      expect(cutInside).toEqual([]);
      expect(chunks.map((one) => one.text).join('\n\n')).toBe(text);
    },
  );

  it('cuts a definition that is too long between statements, never within a line', async () => {
    const text = body('long', 40);
    const chunks = await chunkAll([plain(text, 'code')], { strategy: 'code', chunk_size: 100 });
    expect(chunks.length).toBeGreaterThan(4);
    for (const one of chunks.slice(1, -1)) {
      expect(one.text).toMatch(/^if \(x > \d+\) \{/);
      expect(one.text).toMatch(/\n {2}\}$/);
    }
  });

  it('keeps a code fence in Markdown whole when it fits', async () => {
    const fence = `\`\`\`js\n${body('one', 4)}\n\`\`\``;
    const source = compose([
      { kind: 'paragraph', text: prose(1, 5) },
      { kind: 'code', text: fence, language: 'js' },
      { kind: 'paragraph', text: prose(10, 5) },
    ]);
    const chunks = await chunkAll([source], { strategy: 'code', chunk_size: 100 });
    expect(chunks.some((one) => one.text.includes(fence))).toBe(true);
  });
});
