import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashText } from './feature-hashing.js';

function cosine(a: string, b: string): number {
  const other = hashText(b);
  return hashText(a).reduce((sum, value, index) => sum + value * other[index]!, 0);
}

describe('hashText', () => {
  it('gives a vector of length 1 for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const length = Math.sqrt(hashText(text).reduce((sum, value) => sum + value * value, 0));
        expect(length).toBeCloseTo(1, 5);
      }),
    );
  });

  it('gives the bits that are stored in existing indexes', () => {
    const text = 'The pump P-100 must be serviced every 500 hours. 水泵每五百小时保养一次。 ปั๊มต้องได้รับ かな 정비해야';
    const bytes = Buffer.from(hashText(text).buffer);
    // Another value here means another embedding space: give it a new id.
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '47778bbd66a448593cc8b64008543b191210f035fb41c123d2c5064720c785b2',
    );
  });

  it('gives the same bits again after other texts, also long ones', () => {
    const before = hashText('a pump and its valve');
    hashText(Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' '));
    expect(hashText('a pump and its valve')).toEqual(before);
  });

  it('makes no difference between composed, decomposed, wide and capital letters', () => {
    expect(hashText('Ｃａｆｅ\u0301 PUMP')).toEqual(hashText('café pump'));
  });

  it.each([
    ['inflected words', 'the heated pumps', 'heating a pump', 'a quiet village'],
    ['German compounds', 'Wärmepumpenanlage', 'Wärmepumpe', 'Rechnungsbetrag'],
    ['Chinese', '水泵的保养', '保养水泵', '发票的金额'],
    ['Thai', 'การบำรุงรักษาปั๊ม', 'บำรุงรักษา', 'ใบแจ้งหนี้'],
    ['Korean', '펌프는 정비해야 한다', '펌프를 정비', '송장 금액'],
    ['emoji', '🚀🌙', '🚀', '🍎'],
  ])('places %s nearer to each other than to something else', (_name, text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.1);
  });

  it('lets words of grammar weigh little', () => {
    expect(cosine('what is the valve', 'what is the price')).toBeLessThan(0.3);
    expect(cosine('what is the valve', 'valve')).toBeGreaterThan(0.7);
  });
});
