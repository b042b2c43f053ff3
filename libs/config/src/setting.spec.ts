import { describe, expect, it } from 'vitest';
import { integer, url } from './setting.js';

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

describe('a setting that is a URL', () => {
  const address = url('U', ['redis:', 'rediss:'], { section: 'Addresses', description: 'An address.' });

  it.each(['redis://127.0.0.1:6379', 'rediss://user:p%23w@cache.intern/2', 'REDIS://cache'])('takes %j', (value) => {
    expect(address.parse(value)).toBe(value);
  });

  it.each(['redis:/127.0.0.1', 'redis:127.0.0.1', '127.0.0.1:6379', 'http://127.0.0.1'])('refuses %j', (value) => {
    expect(() => address.parse(value)).toThrow('must be a URL that begins with redis:// or rediss://');
  });

  it.each([
    'redis://kb:p#w@cache',
    'redis://kb:12#w@cache',
    'redis://kb:p/w@cache',
    'redis://kb:2024/w@cache/2',
    'redis://kb:12?w@cache',
  ])('says of %j what has to be written otherwise', (value) => {
    expect(() => address.parse(value)).toThrow(/in a user name or password write .*#.* as .*%23/);
  });

  it.each(['redis://cache:port', 'redis://a b'])('says of %j what it lacks', (value) => {
    expect(() => address.parse(value)).toThrow('cannot be read as a URL: it needs a host, and the port is a number');
  });
});
