import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDisplayName, nameKeyOf, normaliseName } from './display-name.js';

describe('names', () => {
  it('are stored in NFC without white space around them', () => {
    expect(normaliseName('  Cafe\u0301 \u00a0')).toBe('Caf\u00e9');
  });

  it('have the same key whatever their case and composition', () => {
    expect(nameKeyOf('CAFE\u0301')).toBe(nameKeyOf(' caf\u00e9'));
    expect(nameKeyOf('cafe')).not.toBe(nameKeyOf('caf\u00e9'));
  });

  it('have a key whose own key is the same', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => nameKeyOf(nameKeyOf(name)) === nameKeyOf(name)));
  });

  it.each(['a', 'x'.repeat(128), `  ${'x'.repeat(128)}  `, '🙂'.repeat(128), '知识库'])('may be %j', (name) => {
    expect(isDisplayName(name)).toBe(true);
  });

  it.each(['', '   ', '\u200b', 'a\u0007b', 'a\nb', 'x'.repeat(129), '🙂'.repeat(129), 5, null, undefined, ['a']])(
    'may not be %j',
    (name) => {
      expect(isDisplayName(name)).toBe(false);
    },
  );
});
