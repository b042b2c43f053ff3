import { describe, expect, it } from 'vitest';
import { firstLineTitle, searchTitle } from './document-title.js';

describe('the title of a document', () => {
  it('is its name without the extension if the content has no title', () => {
    expect(searchTitle('travel-policy.v2.pdf', null)).toBe('travel-policy.v2');
  });

  it('contains the name and the title of the content', () => {
    expect(searchTitle('184.txt', 'Wings in a slipstream')).toBe('184\nWings in a slipstream');
  });

  it('is the first line of a plain text when it is short and text follows', () => {
    expect(firstLineTitle('\n Wings in a slipstream \r\nAn experimental study.')).toBe('Wings in a slipstream');
  });

  it('is not the first line if that is the whole text or a whole paragraph', () => {
    expect(firstLineTitle('Only this.\n\n')).toBeNull();
    expect(firstLineTitle(`${'long '.repeat(60)}\nnext`)).toBeNull();
    expect(firstLineTitle('')).toBeNull();
  });
});
