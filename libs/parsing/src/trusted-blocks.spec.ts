import { describe, expect, it } from 'vitest';
import { BlockCheck, EdgeCheck } from './trusted-blocks.js';

const UNUSABLE = expect.objectContaining({ code: 'PARSER_CRASHED', retryable: false });
const line = (block: object): string => JSON.stringify({ kind: 'paragraph', start: 0, end: 4, ...block });

describe('a block that a parser wrote', () => {
  it.each([
    ['as it should be', {}],
    ['with all that a block may have', { level: 2, page: 1, row: 3, headerRows: 0, sheet: 'a', language: 'ts' }],
    ['of a PDF', { continues: true, box: [0, 1.5, 2, 3] }],
    ['a page break, which is empty', { kind: 'page_break', start: 4 }],
  ])('is read: %s', (_what, block) => {
    expect(new BlockCheck(10).read(line(block))).toMatchObject(block);
  });

  it.each([
    ['beyond the text', { end: 11 }],
    ['before the text', { start: -1 }],
    ['that ends before it begins', { start: 5 }],
    ['between two units', { start: 0.5 }],
    ['without a number', { start: null }],
    ['with a text for a number', { end: '4' }],
    ['of an unknown kind', { kind: 'image' }],
    ['of the kind of every object', { kind: 'constructor' }],
    ['with a page that is none', { page: 'two' }],
    ['with a sheet that is none', { sheet: 7 }],
    ['with a box that is none', { box: [1, 2, 3] }],
  ])('is refused: %s', (_what, block) => {
    expect(() => new BlockCheck(10).read(line(block))).toThrow(UNUSABLE);
  });

  it.each(['{"kind":"paragraph","start":NaN,"end":4}', 'null', '[]', '', '{'])('is refused: %s', (text) => {
    expect(() => new BlockCheck(10).read(text)).toThrow(UNUSABLE);
  });

  it('is refused where it begins before the one above it ends', () => {
    const check = new BlockCheck(10);
    check.read(line({}));
    expect(() => check.read(line({ start: 3, end: 6 }))).toThrow(UNUSABLE);
  });
});

describe('a piece of a text', () => {
  const piece = (text: string, start: number, end: number) => ({
    start: 0,
    text,
    blocks: [{ kind: 'paragraph' as const, start, end }],
  });

  it('has blocks that begin and end between characters', () => {
    expect(() => new EdgeCheck().pass(piece('a\u{1f600}b', 1, 3))).not.toThrow();
    expect(() => new EdgeCheck().pass(piece('a\u{1f600}b', 2, 3))).toThrow(UNUSABLE);
    expect(() => new EdgeCheck().pass(piece('a\u{1f600}b', 0, 2))).toThrow(UNUSABLE);
  });

  it('is looked at also where a block ends that began in the one before', () => {
    const edges = new EdgeCheck();
    edges.pass(piece('abc', 0, 4));
    expect(() => edges.pass({ start: 3, text: '\u{1f600}', blocks: [] })).toThrow(UNUSABLE);
  });

  it('is refused with half a character or a NUL', () => {
    expect(() => new EdgeCheck().pass(piece('a\ud83d', 0, 1))).toThrow(UNUSABLE);
    expect(() => new EdgeCheck().pass(piece('a\0', 0, 1))).toThrow(UNUSABLE);
  });
});
