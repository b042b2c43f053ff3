import { describe, expect, it } from 'vitest';
import { GrowingText } from './growing-text.js';

describe('GrowingText', () => {
  it('is the concatenation of its pieces, whenever it is read', () => {
    const [text, pieces] = [new GrowingText(), [] as string[]];
    expect(text.toString()).toBe('');
    for (let n = 0; n < 500; n += 1) {
      const piece = n % 7 === 0 ? '' : `${n} `;
      pieces.push(piece);
      text.push(piece);
      expect(text.length).toBe(pieces.join('').length);
      if (n % 50 === 0) expect(text.toString()).toBe(pieces.join(''));
    }
    expect(text.toString()).toBe(pieces.join(''));
  });
});
