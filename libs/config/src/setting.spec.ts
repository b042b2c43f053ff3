import { describe, expect, it } from 'vitest';
import { integer } from './setting.js';

describe('a setting that is a whole number', () => {
  const plain = integer('N', 5, { min: 2, max: 9 }, { section: 'Numbers', description: 'A number.' });
  const orZero = integer(
    'N',
    0,
    { min: 2, max: 9, orZero: true },
    { section: 'Numbers', description: 'A number, or none.' },
  );

  it.each(['1', '10', '-3', '2.5', '0x3', '', 'five', '0'])('refuses %j', (value) => {
    expect(() => plain.parse(value)).toThrow('must be a whole number from 2 to 9');
  });

  it('may be 0 besides', () => {
    expect(orZero.parse('0')).toBe(0);
    expect(orZero.parse('2')).toBe(2);
    expect(() => orZero.parse('1')).toThrow('must be 0 or a whole number from 2 to 9');
  });
});
