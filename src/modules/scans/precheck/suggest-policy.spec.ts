import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../ingestion-policy/index.js';
import type { FileReport, FileTraits } from './file-report.js';
import { suggestPolicy } from './suggest-policy.js';

function report(traits: Partial<FileTraits> = {}, tokens = 1_000): FileReport {
  const usual = { language: 'en', headings: 0, tables: 0, scanned_pages: 0, repeats_lines: false };
  return {
    verdict: 'pass',
    checks: [],
    prediction: { chunks: 1, tokens, characters: tokens * 4, milliseconds: 1, cost: 0 },
    traits: { media_type: 'text/plain', ...usual, ...traits },
  };
}
const UNREADABLE: FileReport = { verdict: 'fail', checks: [], prediction: null, traits: null };

const valuesOf = (reports: readonly FileReport[]) =>
  Object.fromEntries(suggestPolicy(reports).fields.map(({ pointer, value }) => [pointer, value]));

describe('a suggested policy', () => {
  it('is the default unless the files need another one, and also without files', () => {
    for (const reports of [[], [UNREADABLE], [report(), report()]]) {
      const { policy, fields } = suggestPolicy(reports);
      expect(policy).toEqual(DEFAULT_POLICY);
      expect(fields.every((field) => field.value === field.default)).toBe(true);
    }
  });

  it('gives a reason with counts for each field', () => {
    const { fields } = suggestPolicy([report({ scanned_pages: 2 }), report()]);
    expect(fields.map(({ pointer }) => pointer)).toEqual([
      '/parsing/ocr',
      '/parsing/header_footer_removal',
      '/chunking/strategy',
      '/chunking/chunk_size',
      '/chunking/chunk_overlap',
    ]);
    expect(fields.every(({ reason }) => reason.endsWith('.'))).toBe(true);
    expect(fields[0]).toMatchObject({ value: 'auto', default: 'off', evidence: { files: 1 } });
  });

  it.each([
    ['/parsing/ocr', 'auto', [report({ scanned_pages: 1 })]],
    ['/parsing/header_footer_removal', true, [report({ repeats_lines: true })]],
    ['/chunking/strategy', 'table_rows', [report({ media_type: 'text/csv' })]],
    ['/chunking/strategy', 'section', [report({ media_type: 'text/markdown' })]],
    ['/chunking/strategy', 'section', [report({ headings: 3 })]],
    // One half is not a majority.
    ['/chunking/strategy', DEFAULT_POLICY.chunking.strategy, [report({ media_type: 'text/csv' }), report()]],
    ['/chunking/chunk_size', 256, [report({}, 255)]],
    ['/chunking/chunk_overlap', 32, [report({}, 255)]],
    ['/chunking/chunk_size', DEFAULT_POLICY.chunking.chunk_size, [report({}, 256)]],
    ['/chunking/chunk_size', DEFAULT_POLICY.chunking.chunk_size, [report({}, 10), report({}, 900), report({}, 900)]],
    ['/chunking/chunk_size', 256, [report({}, 10), report({}, 20), report({}, 900), UNREADABLE]],
  ])('has %s %j', (pointer, value, reports) => {
    expect(valuesOf(reports)[pointer]).toBe(value);
  });

  it('contains all suggested fields', () => {
    const { policy } = suggestPolicy([report({ media_type: 'text/csv', scanned_pages: 1, repeats_lines: true }, 20)]);
    expect(policy).toEqual({
      ...DEFAULT_POLICY,
      parsing: { ...DEFAULT_POLICY.parsing, ocr: 'auto', header_footer_removal: true },
      chunking: { ...DEFAULT_POLICY.chunking, strategy: 'table_rows', chunk_size: 256, chunk_overlap: 32 },
    });
  });
});
