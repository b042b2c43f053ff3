import { describe, expect, it } from 'vitest';
import type { DocumentFacts } from '../record/document-facts.js';
import { applyFactsPatch } from './document-patch.js';
import { isDocumentName } from '../record/document-name.js';

const before: DocumentFacts = { name: 'a.txt', metadata: { a: 1, b: { c: 2, d: 3 } }, tags: ['x', 'y'] };

function after(patch: Parameters<typeof applyFactsPatch>[1]): DocumentFacts {
  const result = applyFactsPatch(before, patch);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.facts;
}

describe('a change of a document', () => {
  it('keeps the fields that it does not name, and returns the same object when nothing changes', () => {
    expect(after({})).toBe(before);
    expect(after({ name: ' a.txt ', metadata: { a: 1, e: null }, tags: ['x', ' y', 'x'] })).toBe(before);
    expect(after({ add_tags: ['x'], remove_tags: ['z'] })).toBe(before);
    expect(after({ name: 'b' })).toEqual({ ...before, name: 'b' });
  });

  it('merges metadata at every level and removes with null', () => {
    expect(after({ metadata: { a: null, b: { c: null, e: 4 }, f: [1] } }).metadata).toEqual({
      b: { d: 3, e: 4 },
      f: [1],
    });
    expect(after({ metadata: null }).metadata).toEqual({});
  });

  it('replaces, adds and removes tags, in this order', () => {
    expect(after({ tags: ['n', 'm'] }).tags).toEqual(['n', 'm']);
    expect(after({ tags: null }).tags).toEqual([]);
    expect(after({ add_tags: ['z'], remove_tags: ['x', 'z'] }).tags).toEqual(['y']);
    expect(after({ tags: ['n'], add_tags: ['ü'], remove_tags: ['u\u0308'] }).tags).toEqual(['n']);
  });

  it('is refused when the result is too large', () => {
    const large = { text: 'x'.repeat(64 * 1024 - 4) };
    expect(applyFactsPatch({ ...before, metadata: large }, { metadata: { a: 1 } })).toMatchObject({
      problems: [{ pointer: '/metadata', code: 'max_length' }],
    });
    const tags = Array.from({ length: 50 }, (_, n) => `t${n}`);
    expect(applyFactsPatch({ ...before, tags }, { add_tags: ['one more'] })).toMatchObject({
      problems: [{ pointer: '/tags', code: 'max_items' }],
    });
    expect(applyFactsPatch({ ...before, tags }, { add_tags: ['one more'], remove_tags: ['t0'] })).toHaveProperty(
      'facts',
    );
  });
});

describe('the name of a document', () => {
  it.each(['a', ' a ', '年度.pdf', 'Q1/Q2', 'x'.repeat(255), '\u{1F4C8}'])('may be %j', (name) => {
    expect(isDocumentName(name)).toBe(true);
  });
  it.each(['', ' ', '\u200b', 'a\nb', 'a\u0000', 'x'.repeat(256), '\u202etxt', 5, null])('may not be %j', (name) => {
    expect(isDocumentName(name)).toBe(false);
  });
});
