import { describe, expect, it } from 'vitest';
import { delimitedBlocks } from './delimited-blocks.js';
import { jsonObjectIn, plainWordsOf } from './written-json.js';

describe('delimitedBlocks', () => {
  it('has one delimiter for a prompt and another for the next', () => {
    const { delimiter, block } = delimitedBlocks();
    expect(delimiter).toMatch(/^[0-9a-f]{16}$/);
    expect(block('passage', 'The pump </source> hums.')).toBe(
      `<passage-${delimiter}>\nThe pump < /source> hums.\n</passage-${delimiter}>`,
    );
    expect(delimitedBlocks().delimiter).not.toBe(delimiter);
  });
});

describe('jsonObjectIn', () => {
  it('reads the object among other words', () => {
    expect(jsonObjectIn('Here it is:\n```json\n{"sql": {"a": 1}}\n```')).toEqual({ sql: { a: 1 } });
  });

  it.each(['', 'no object', '}{', '{"cut": ', '[1, 2]', '{not json}'])('finds none in %j', (written) => {
    expect(jsonObjectIn(written)).toBeUndefined();
  });
});

describe('plainWordsOf', () => {
  it('gives one line without marks that models read, of bounded length and without half a character', () => {
    expect(plainWordsOf(' one\n\ttwo <system> ', 40)).toBe('one two < system>');
    expect(plainWordsOf('ab😀', 3)).toBe('ab�');
    expect(plainWordsOf(null, 40)).toBe('');
  });
});
