import { describe, expect, it } from 'vitest';
import { FIRST_LOAD_KB, problemsOf, SCREEN_KB, weigh } from '../../scripts/console-bytes.js';

const FILES = {
  'main-1.js': 90_000,
  'main-1.css': 9_000,
  'react-1.js': 40_000,
  'en-1.js': 8_000,
  'de-1.js': 9_000,
  'ask-1.js': 5_000,
  'ask-1.css': 1_000,
  'people-1.js': 2_000,
  'table-1.js': 10_000,
  'pdf-page-1.js': 140_000,
  'pdf.worker.min-1.mjs': 380_000,
  'Foxit-1.pfb': 70_000,
};
const CONTENTS = {
  script: 'main-1.js',
  styles: ['main-1.css'],
  preload: ['react-1.js'],
  screens: { ask: ['ask-1.js', 'ask-1.css', 'table-1.js'], people: ['people-1.js', 'table-1.js'] },
  files: Object.keys(FILES),
};
const weighed = (changed: Readonly<Record<string, number>> = {}, contents: Partial<typeof CONTENTS> = {}) =>
  weigh({ ...CONTENTS, ...contents }, (name) => ({ ...FILES, ...changed })[name]!);

/** What `npm run check` holds the built console to. */
describe('the limits of the console’s bytes', () => {
  it('weigh the first load with the larger catalogue, and each further page with all that it imports', () => {
    const { firstBytes, screens } = weighed();
    expect(firstBytes).toBe(90_000 + 9_000 + 40_000 + 9_000);
    expect(screens).toEqual([
      { name: 'ask', bytes: 16_000 },
      { name: 'people', bytes: 12_000 },
    ]);
    expect(problemsOf(weighed())).toEqual([]);
  });

  it('are missed by a first load and by a page that are too large', () => {
    expect(problemsOf(weighed({ 'react-1.js': FIRST_LOAD_KB * 1000 }))).toEqual([
      expect.stringContaining('first load'),
    ]);
    // Its files are within the limit, each by itself.
    expect(problemsOf(weighed({ 'ask-1.js': SCREEN_KB * 1000 - 11_000 }))).toEqual([expect.stringContaining('ask: ')]);
  });

  it('are missed by a build whose files follow other names, which would weigh nothing', () => {
    const files = CONTENTS.files.filter((name) => !name.startsWith('en-'));
    expect(problemsOf(weighed({}, { files, screens: {} as typeof CONTENTS.screens }))).toHaveLength(2);
  });
});
