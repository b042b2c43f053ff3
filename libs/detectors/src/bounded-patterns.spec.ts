import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detect } from './detect.js';

const FILES = globSync('libs/detectors/src/**/*.ts').filter((file) => !/\.spec\.ts$|testing/.test(file));
/** A literal with a flag by which it is searched for everywhere, and patterns that are put together. */
const LITERALS = /\/(?![/*])((?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\[])+)\/[a-z]*[gy][a-z]*/g;

/** The pattern without what is escaped or is in a class. */
function bare(pattern: string): string {
  return pattern.replace(/\\./g, 'a').replace(/\[[^\]]*\]/g, 'a');
}

describe('the patterns of detectors', () => {
  it.each(FILES)('repeat nothing without a bound, so that time grows with the length alone: %s', (file) => {
    const unbounded = [...readFileSync(file, 'utf8').matchAll(LITERALS)]
      .map(([, pattern]) => pattern!)
      .filter((pattern) => /[+*]|\{\d+,\}/.test(bare(pattern)));
    expect(unbounded).toEqual([]);
  });

  it.each([
    ['signs of addresses', 'a@'],
    ['one letter', 'a'],
    ['digits', '7'],
    ['digits and spaces', '41 '],
    ['digits and hyphens', '12-'],
    ['brackets', '(0'],
    ['groups of hexadecimal digits', 'ab:'],
    ['schemes', 'x://u:p'],
    ['names of secrets', 'password='],
    ['orders', 'ignore all the '],
    ['roles', '\nsystem:'],
    ['lines', '---'],
    ['marks of zero width', '\u200b'],
    ['overrides', '\u202e'],
    ['keys', 'eyJaaaaaaaa.'],
    ['keys in lines', '-----BEGIN PRIVATE KEY-----\n'],
  ])('come to an end on 200,000 units of %s', (_what, unit) => {
    const found = detect(unit.repeat(Math.ceil(200_000 / unit.length)), { minScore: 0 });
    expect(found.length).toBeLessThan(200_000);
  });
});
