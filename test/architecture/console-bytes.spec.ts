import { describe, expect, it } from 'vitest';
import { FIRST_LOAD_KB, problemsOf, SCREEN_KB, weigh } from '../../scripts/console-bytes.js';

const FILES = {
  'main-1.js': 90_000,
  'main-1.css': 9_000,
  'react-1.js': 40_000,
  'en-1.js': 8_000,
  'de-1.js': 9_000,
  'ask-1.js': 5_000,
  'pdf-page-1.js': 140_000,
  'pdf.worker.min-1.mjs': 380_000,
  'Foxit-1.pfb': 70_000,
};
const CONTENTS = { script: 'main-1.js', styles: ['main-1.css'], preload: ['react-1.js'], files: Object.keys(FILES) };
const weighed = (changed: Readonly<Record<string, number>> = {}, files = CONTENTS.files) =>
  weigh({ ...CONTENTS, files }, (name) => ({ ...FILES, ...changed })[name]!);

/** What `npm run check` holds the built console to. */
describe('the limits of the console’s bytes', () => {
  it('weigh the first load with the larger catalogue, and each further file but what draws PDFs', () => {
    const { firstBytes, later } = weighed();
    expect(firstBytes).toBe(90_000 + 9_000 + 40_000 + 9_000);
    expect(later).toEqual([{ name: 'ask-1.js', bytes: 5_000 }]);
    expect(problemsOf(weighed())).toEqual([]);
  });

  it('are missed by a first load and by a page that are too large', () => {
    expect(problemsOf(weighed({ 'react-1.js': FIRST_LOAD_KB * 1000 }))).toEqual([
      expect.stringContaining('first load'),
    ]);
    expect(problemsOf(weighed({ 'ask-1.js': SCREEN_KB * 1000 }))).toEqual([expect.stringContaining('ask-1.js')]);
  });

  it('are missed by a build whose files follow other names, which would weigh nothing', () => {
    const unnamed = CONTENTS.files.filter((name) => !/^(en|ask)-/.test(name));
    expect(problemsOf(weighed({}, unnamed))).toHaveLength(2);
  });
});
