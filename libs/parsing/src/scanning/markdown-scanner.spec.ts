import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '#libs/text';
import { MAX_BLOCK_UNITS } from './block-scanner.js';
import { MarkdownScanner } from './markdown-scanner.js';
import { ParagraphScanner } from './paragraph-scanner.js';

function scan(text: string, pieceLength = text.length || 1): { blocks: Block[]; outline: string[]; title?: string } {
  const blocks: Block[] = [];
  const scanner = new MarkdownScanner((block) => blocks.push(block));
  for (let at = 0; at < text.length; at += pieceLength) scanner.feed(text.slice(at, at + pieceLength));
  scanner.finish();
  const outline = blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);
  return { blocks, outline, title: scanner.title };
}

describe('MarkdownScanner', () => {
  it('reads ATX and setext headings with their words alone', () => {
    const { blocks, outline, title } = scan('# One #\ntext\n\nTwo\n===\n\n### Three\nFour\n---\n');
    expect(outline).toEqual(['heading: One', 'paragraph: text', 'heading: Two', 'heading: Three', 'heading: Four']);
    expect(blocks.filter(({ kind }) => kind === 'heading').map(({ level }) => level)).toEqual([1, 1, 3, 2]);
    expect(title).toBe('One');
  });

  it('keeps a fenced block whole, with its language, and sees no headings in it', () => {
    const { blocks, outline } = scan('a\n```python\n# no heading\n\n- no item\n```\nb');
    expect(outline).toEqual(['paragraph: a', 'code: ```python\n# no heading\n\n- no item\n```', 'paragraph: b']);
    expect(blocks[1]!.language).toBe('python');
  });

  it('closes a fence only with the same character and at least its length', () => {
    expect(scan('````\n```\n~~~~\n````\nafter').outline).toEqual(['code: ````\n```\n~~~~\n````', 'paragraph: after']);
  });

  it('gives each list item its depth and its continuation lines', () => {
    const { blocks, outline } = scan('- a\n  more\n  - b\n    1. c\n- d\n\noutside');
    expect(outline).toEqual([
      'list_item: - a\n  more',
      'list_item:   - b',
      'list_item:     1. c',
      'list_item: - d',
      'paragraph: outside',
    ]);
    expect(blocks.map(({ level }) => level)).toEqual([1, 2, 3, 1, undefined]);
  });

  it('recognises a table by its delimiter row and separates it from the paragraph before', () => {
    expect(scan('intro\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\nafter').outline).toEqual([
      'paragraph: intro',
      'table: | a | b |\n|---|:-:|\n| 1 | 2 |',
      'paragraph: after',
    ]);
  });

  it('does not take a line with a bar for a table', () => {
    expect(scan('a | b\nc | d').outline).toEqual(['paragraph: a | b\nc | d']);
  });

  it('reads quotes, rules and indented code', () => {
    expect(scan('> said\n> he\n\n---\n\n    code\n').outline).toEqual(['quote: > said\n> he', 'code:     code']);
  });

  it('keeps front matter apart and takes the title from it', () => {
    const { outline, title } = scan('---\ntitle: "Night work"\n---\n# Other\n');
    expect(outline).toEqual(['code: ---\ntitle: "Night work"\n---', 'heading: Other']);
    expect(title).toBe('Night work');
  });

  it('cuts blocks at the maximum and numbers the rows of a long table', () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `| row ${index} | some words |`);
    const { blocks } = scan(['| a | b |', '|---|---|', ...rows].join('\n'));
    expect(blocks.length).toBeGreaterThan(1);
    for (const { start, end } of blocks) expect(end - start).toBeLessThanOrEqual(MAX_BLOCK_UNITS);
    expect(blocks[1]!.row).toBeGreaterThan(1000);
  });

  it('finds the same ascending blocks however the text arrives', () => {
    const line = fc.constantFrom(
      '# h',
      'text',
      '',
      '- a',
      '  - b',
      '| a | b |',
      '|--|--|',
      '```',
      '> q',
      '---',
      '    x',
      '===',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), fc.integer({ min: 1, max: 9 }), (lines, pieceLength) => {
        const text = lines.join('\n');
        const { blocks } = scan(text);
        expect(scan(text, pieceLength).blocks).toEqual(blocks);
        let previous = 0;
        for (const { start, end } of blocks) {
          expect(start).toBeGreaterThanOrEqual(previous);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
          previous = end;
        }
      }),
    );
  });

  it('loses no word: every line but markers lies in a block', () => {
    const words = fc.constantFrom(
      'alpha',
      'beta gamma',
      '',
      '- delta',
      '> eps',
      '1. zeta',
      '## eta',
      '    theta',
      '| i | j |',
      '|-|-|',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 20 }), (lines) => {
        const { outline } = scan(lines.join('\n'));
        const inBlocks = outline.join(' ').match(/[a-z]{3,}|\b[ij]\b/g) ?? [];
        const kinds = new Set(['heading', 'paragraph', 'list_item', 'table', 'code', 'quote']);
        const found = inBlocks.filter((word) => !kinds.has(word) && word !== 'list' && word !== 'item');
        expect(found.sort()).toEqual((lines.join(' ').match(/[a-z]{3,}|\b[ij]\b/g) ?? []).sort());
      }),
    );
  });
});

describe('ParagraphScanner', () => {
  it('divides at blank lines and caps a paragraph at a line end', () => {
    const blocks: Block[] = [];
    const scanner = new ParagraphScanner((block) => blocks.push(block));
    const long = 'x'.repeat(99).concat('\n').repeat(1000);
    scanner.feed(`one\ntwo\n \t\nthree\n\n${long}`);
    scanner.finish();
    expect(blocks.slice(0, 2)).toEqual([
      { kind: 'paragraph', start: 0, end: 7 },
      { kind: 'paragraph', start: 11, end: 16 },
    ]);
    expect(blocks.length).toBe(6);
    for (const { start, end } of blocks) expect(end - start).toBeLessThanOrEqual(MAX_BLOCK_UNITS);
  });
});
