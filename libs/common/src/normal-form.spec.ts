import { describe, expect, it } from 'vitest';
import { toNormalForm } from './normal-form.js';

describe('toNormalForm', () => {
  it('normalises as Unicode says', () => {
    expect(toNormalForm('e\u0301'.repeat(100), 'NFC')).toBe('\u00e9'.repeat(100));
    expect(toNormalForm('\ufb01 \u0e01\u0e34\u0e48', 'NFKC')).toBe('fi \u0e01\u0e34\u0e48');
  });

  it('keeps thirty marks of a letter, whatever their number', () => {
    const marked = `a${'\u0301\u0323'.repeat(50_000)}b`;
    expect(toNormalForm(marked, 'NFKD')).toBe(`a${'\u0323'.repeat(15)}${'\u0301'.repeat(15)}b`);
    expect(toNormalForm(`${marked}${marked}`, 'NFD')).toHaveLength(64);
  });
});
