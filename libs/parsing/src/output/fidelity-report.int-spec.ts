import { describe, expect, it } from 'vitest';
import type { FormatResult } from '../formats/format-parser.js';
import { withDirectory } from '../testing/parse-bytes.js';
import { reportFidelity, type FidelityReport } from './fidelity-report.js';
import { ParseOutput } from './parse-output.js';

async function report(
  result: FormatResult,
  text: string,
  { sizeBytes = 1000, charset }: { sizeBytes?: number; charset?: string } = {},
): Promise<FidelityReport> {
  return withDirectory(async (directory) => {
    const output = new ParseOutput(directory, 1_000_000);
    output.writeText(text);
    output.writeBlock({ kind: 'heading', start: 0, end: Math.min(3, text.length), level: 1 });
    output.close();
    return Promise.resolve(reportFidelity(result, output, { sizeBytes, options: { charset } }));
  });
}

const codesOf = ({ warnings }: FidelityReport): string[] => warnings.map(({ code }) => code);
const WORDS = 'many ordinary words '.repeat(50);

describe('reportFidelity', () => {
  it('gives what every parser counts its common name', async () => {
    const fidelity = { slides: 3, images: 4, rows: 7, headers_and_footers_left_out: 2, hidden_cells_left_out: 0 };
    expect(await report({ pageCount: 3, fidelity }, WORDS)).toEqual({
      warnings: [],
      fidelity: {
        characters: WORDS.length,
        replaced_characters: 0,
        headings: 1,
        pages: 3,
        images_seen: 4,
        images_extracted: 0,
        table_rows: 7,
        headers_and_footers_left_out: 2,
        hidden_cells_left_out: 0,
        skipped: '2 headers and footers',
      },
    });
  });

  it('says how many characters were replaced, and their share', async () => {
    const { warnings, fidelity } = await report({}, 'ab\uFFFDd\0');
    expect(fidelity).toMatchObject({ replaced_characters: 2 });
    expect(warnings).toMatchObject([
      { code: 'REPLACED_CHARACTERS', detail: expect.stringContaining('(40 % of the text)') },
    ]);
  });

  it('says of a text that was replaced as a whole 100 %', async () => {
    const { warnings } = await report({}, '\uFFFD\uFFFD\0');
    expect(warnings[0]?.detail).toContain('(100 % of the text)');
  });

  it('warns of an encoding that was guessed, or named and not known', async () => {
    const charset = { name: 'cp850', confidence: 0.3, replacedCharacters: 0 };
    expect(codesOf(await report({ charset }, WORDS))).toEqual(['CHARSET_UNCERTAIN']);
    expect(codesOf(await report({ charset }, WORDS, { charset: 'klingon' }))).toEqual(['UNKNOWN_CHARSET']);
    expect(codesOf(await report({ charset: { ...charset, confidence: 0.9 } }, WORDS))).toEqual([]);
  });

  it('warns of pages without text and of large files that are images, once', async () => {
    expect(codesOf(await report({ pageCount: 10 }, 'A title'))).toEqual(['LOW_TEXT_DENSITY']);
    expect(codesOf(await report({ pageCount: 1 }, 'A title of a slide that says enough'))).toEqual([]);
    const fidelity = { images: 3 };
    expect(codesOf(await report({ fidelity }, 'Scan', { sizeBytes: 2_000_000 }))).toEqual(['LOW_TEXT_DENSITY']);
    expect(codesOf(await report({ fidelity }, WORDS, { sizeBytes: 1_900_000 }))).toEqual([]);
    const warnings = [{ code: 'SCANNED_PAGES', detail: 'All.' }];
    expect(codesOf(await report({ pageCount: 10, warnings }, ''))).toEqual(['SCANNED_PAGES']);
  });
});
