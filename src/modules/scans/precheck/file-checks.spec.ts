import { describe, expect, it } from 'vitest';
import type { DocumentId } from '#libs/common';
import { ParseError, type ParsedDocument } from '#libs/parsing';
import { reportFailure, reportOn, TextTraits, type FileSurroundings, type MeasuredFile } from './file-checks.js';
import type { CheckName, FileReport } from './file-report.js';

const AROUND: FileSurroundings = { isDuplicate: false, namesake: null, sizeBytes: 100, maxBytes: null, ocr: 'off' };
const ENGLISH = 'The seal of the pump is tight and the valve opens at four bar when the water is warm enough.';

function measured(change: Partial<MeasuredFile['prediction']> = {}, findings: Record<string, number> = {}) {
  const text = new TextTraits();
  text.add(ENGLISH);
  const prediction = { chunks: 2, tokens: 90, characters: ENGLISH.length, milliseconds: 5, cost: 0, ...change };
  return { text, prediction, findings: new Map(Object.entries(findings)) };
}

function parsed(change: Partial<ParsedDocument> = {}): ParsedDocument {
  return { mediaType: 'text/plain', fidelity: {}, textLength: ENGLISH.length, ...change } as ParsedDocument;
}

const statusOf = ({ checks }: FileReport, name: CheckName) => checks.find(({ check }) => check === name)?.status;
const detailOf = ({ checks }: FileReport, name: CheckName) => checks.find(({ check }) => check === name)?.detail;

describe('the report of a file', () => {
  it('passes all checks, each named once', () => {
    const report = reportOn(parsed(), measured(), AROUND);
    expect(report.verdict).toBe('pass');
    expect(report.checks.map(({ check }) => check)).toEqual([
      'readable',
      'encrypted',
      'scanned_pages',
      'charset',
      'tables',
      'headers_footers',
      'language',
      'duplicates',
      'same_name',
      'size',
      'pii',
    ]);
    expect(report.traits).toMatchObject({ media_type: 'text/plain', language: 'en', repeats_lines: false });
  });

  it.each([
    ['readable', 'fail', parsed(), { chunks: 0 }, {}],
    ['scanned_pages', 'warn', parsed({ pageCount: 3, fidelity: { pages_scanned: 2 } }), {}, {}],
    ['scanned_pages', 'pass', parsed({ pageCount: 3, fidelity: { pages_scanned: 2, pages_recognised: 2 } }), {}, {}],
    ['scanned_pages', 'fail', parsed({ pageCount: 3, fidelity: { pages_scanned: 3 } }), {}, {}],
    ['charset', 'warn', parsed({ charset: { name: 'latin1', replacedCharacters: 2, confidence: 1 } }), {}, {}],
    ['charset', 'warn', parsed({ charset: { name: 'latin1', replacedCharacters: 0, confidence: 0.4 } }), {}, {}],
    ['charset', 'pass', parsed({ charset: { name: 'utf-8', replacedCharacters: 0, confidence: 0.5 } }), {}, {}],
    ['duplicates', 'warn', parsed(), {}, { isDuplicate: true }],
    ['same_name', 'warn', parsed(), {}, { namesake: { documentId: null, isRevised: false } }],
    ['same_name', 'pass', parsed(), {}, { namesake: { documentId: null, isRevised: true } }],
    ['size', 'pass', parsed(), {}, { maxBytes: 100 }],
    ['size', 'fail', parsed(), {}, { maxBytes: 99 }],
  ] as const)('%s is %s', (name, status, file, prediction, around) => {
    const report = reportOn(file, measured(prediction), { ...AROUND, ...around });
    expect(statusOf(report, name)).toBe(status);
    expect(report.verdict).toBe(status);
  });

  it('names the document with the same name', () => {
    const around = { ...AROUND, namesake: { documentId: 'd1' as DocumentId, isRevised: false } };
    expect(detailOf(reportOn(parsed(), measured(), around), 'same_name')).toContain(
      'SAME_NAME: document d1 has the same name',
    );
    const revised = { ...AROUND, namesake: { documentId: 'd1' as DocumentId, isRevised: true } };
    expect(detailOf(reportOn(parsed(), measured(), revised), 'same_name')).toContain('next revision of document d1');
  });

  it('lists kinds and counts of sensitive content', () => {
    const report = reportOn(parsed(), measured({}, { email: 2, hidden_text: 1 }), AROUND);
    expect(report.verdict).toBe('warn');
    expect(detailOf(report, 'pii')).toBe('Sensitive content was found: email 2, hidden_text 1.');
  });

  it('says that the language could not be determined', () => {
    const unknown = { ...measured(), text: new TextTraits() };
    expect(statusOf(reportOn(parsed(), unknown, AROUND), 'language')).toBe('warn');
  });

  it('takes a line for a header when it is on three pages, regardless of numbers in it', () => {
    const text = new TextTraits();
    for (const line of ['Page 1 of 9', ' Page 2 of 9', '', '   ']) text.addBorder(line);
    expect(text.repeatsLines).toBe(false);
    text.addBorder('Page 31 of 9');
    const report = reportOn(parsed(), { ...measured(), text }, AROUND);
    expect(statusOf(report, 'headers_footers')).toBe('warn');
    expect(report.traits!.repeats_lines).toBe(true);
  });
});

describe('the report of a file that cannot be read', () => {
  it.each([
    ['ENCRYPTED', 'encrypted'],
    ['MALFORMED', 'readable'],
  ] as const)('with %s fails as %s', (code, check) => {
    const report = reportFailure(new ParseError(code, 'It cannot be opened.'), { ...AROUND, isDuplicate: true });
    expect(report).toMatchObject({ verdict: 'fail', prediction: null, traits: null });
    expect(detailOf(report, check)).toBe(`${code}: It cannot be opened.`);
    expect(report.checks.map((each) => each.check)).toEqual([check, 'duplicates', 'same_name', 'size']);
  });
});
