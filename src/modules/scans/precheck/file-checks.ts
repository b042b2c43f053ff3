import type { DocumentId } from '#libs/common';
import { ParseError, type ParsedDocument } from '#libs/parsing';
import { detectLanguage } from '#libs/text';
import { verdictOf, type FileCheck, type FileReport, type FileTraits, type Prediction } from './file-report.js';

const LANGUAGE_SAMPLE = 4_000;
/** Number of pages on which a line must repeat at the border to count as a header or footer. */
const REPEATED_ON_PAGES = 3;

/** Counts that are taken while the text is read. */
export class TextTraits {
  private sample = '';
  private readonly borders = new Map<string, number>();

  add(text: string): void {
    if (this.sample.length < LANGUAGE_SAMPLE) this.sample += text.slice(0, LANGUAGE_SAMPLE - this.sample.length);
  }

  /** The first or last line of a page. */
  addBorder(line: string): void {
    const key = line.trim().replaceAll(/\d+/gu, '#');
    if (key !== '') this.borders.set(key, (this.borders.get(key) ?? 0) + 1);
  }

  get language(): string {
    return detectLanguage(this.sample.toWellFormed()).language;
  }

  get repeatsLines(): boolean {
    return [...this.borders.values()].some((pages) => pages >= REPEATED_ON_PAGES);
  }
}

/** A document or file with the same name (or path, if there is one) but another content. */
export interface Namesake {
  /** Identifier of the document; null: a file of the same scan. */
  readonly documentId: DocumentId | null;
  /** Whether an upload of the file would become the next revision of that document. */
  readonly isRevised: boolean;
}

/** Context of a file in the dataset and the scan. */
export interface FileSurroundings {
  readonly isDuplicate: boolean;
  /** Another document or file with the same name but another content; null: none. */
  readonly namesake: Namesake | null;
  readonly sizeBytes: number;
  readonly maxBytes: number | null;
  readonly ocr: 'off' | 'auto';
}

/** Measurements of a file that could be read. */
export interface MeasuredFile {
  readonly text: TextTraits;
  /** Number of findings of sensitive content in the text, name and metadata, by type. */
  readonly findings: ReadonlyMap<string, number>;
  readonly prediction: Prediction;
}

/** The report of a file that could be read. */
export function reportOn(
  parsed: ParsedDocument,
  { text, findings, prediction }: MeasuredFile,
  around: FileSurroundings,
): FileReport {
  const count = (name: string): number => Number(parsed.fidelity[name] ?? 0);
  const traits: FileTraits = {
    media_type: parsed.mediaType,
    language: text.language,
    headings: count('headings'),
    tables: count('tables'),
    scanned_pages: Math.max(0, count('pages_scanned') - count('pages_recognised')),
    repeats_lines: text.repeatsLines,
  };
  const checks = [
    check(
      'readable',
      prediction.chunks > 0 ? 'pass' : 'fail',
      `${prediction.characters} characters of text were read.`,
    ),
    check('encrypted', 'pass', 'The file can be opened without a password.'),
    scannedPages(traits, parsed.pageCount ?? 0),
    charsetOf(parsed),
    check('tables', 'pass', `${traits.tables} tables were found.`),
    headersFooters(traits),
    languageOf(traits),
    duplicates(around),
    sameName(around),
    sizeOf(around),
    pii(findings),
  ];
  return { verdict: verdictOf(checks), checks, prediction, traits };
}

/** The report of a file that cannot be read. */
export function reportFailure(error: ParseError, around: FileSurroundings): FileReport {
  const isEncrypted = error.code === 'ENCRYPTED';
  const checks = [
    check(isEncrypted ? 'encrypted' : 'readable', 'fail', `${error.code}: ${error.detail}`),
    duplicates(around),
    sameName(around),
    sizeOf(around),
  ];
  return { verdict: 'fail', checks, prediction: null, traits: null };
}

function scannedPages({ scanned_pages: scanned }: FileTraits, pages: number): FileCheck {
  if (scanned === 0) return check('scanned_pages', 'pass', 'No page is a picture without text.');
  const detail = `${scanned} of ${pages} pages are pictures without text; parsing.ocr auto reads them where Tesseract is installed.`;
  return check('scanned_pages', scanned >= pages ? 'fail' : 'warn', detail);
}

function charsetOf({ charset }: ParsedDocument): FileCheck {
  if (charset === undefined) return check('charset', 'pass', 'The format defines the encoding.');
  if (charset.replacedCharacters > 0)
    return check(
      'charset',
      'warn',
      `${charset.replacedCharacters} characters could not be decoded as ${charset.name}.`,
    );
  if (charset.confidence < 0.5)
    return check('charset', 'warn', `The encoding was guessed as ${charset.name}; save the file as UTF-8 to be sure.`);
  return check('charset', 'pass', `The encoding is ${charset.name}.`);
}

function headersFooters({ repeats_lines: repeats }: FileTraits): FileCheck {
  if (!repeats) return check('headers_footers', 'pass', 'No line repeats at the borders of pages.');
  return check(
    'headers_footers',
    'warn',
    'Lines repeat at the borders of pages; parsing.header_footer_removal removes them.',
  );
}

function languageOf({ language }: FileTraits): FileCheck {
  if (language === 'und') return check('language', 'warn', 'The language could not be determined.');
  return check('language', 'pass', `The language is ${language}.`);
}

function duplicates({ isDuplicate }: FileSurroundings): FileCheck {
  if (!isDuplicate) return check('duplicates', 'pass', 'The dataset has no file with the same content.');
  return check('duplicates', 'warn', 'The dataset or this scan already has a file with the same content.');
}

function sameName({ namesake }: FileSurroundings): FileCheck {
  if (namesake === null) return check('same_name', 'pass', 'No other document has this name.');
  const { documentId, isRevised } = namesake;
  const other = documentId === null ? 'another file of this scan' : `document ${documentId}`;
  if (isRevised) return check('same_name', 'pass', `The file would become the next revision of ${other}.`);
  const detail = `SAME_NAME: ${other} has the same name but another content; on_same_name decides what an upload does.`;
  return check('same_name', 'warn', detail);
}

function sizeOf({ sizeBytes, maxBytes }: FileSurroundings): FileCheck {
  if (maxBytes === null || sizeBytes <= maxBytes) return check('size', 'pass', `The file has ${sizeBytes} bytes.`);
  return check('size', 'fail', `The file has ${sizeBytes} bytes, more than the ${maxBytes} of governance.max_bytes.`);
}

function pii(findings: ReadonlyMap<string, number>): FileCheck {
  if (findings.size === 0) return check('pii', 'pass', 'No sensitive content was found.');
  const told = [...findings].map(([type, times]) => `${type} ${times}`).join(', ');
  return check('pii', 'warn', `Sensitive content was found: ${told}.`);
}

function check(name: FileCheck['check'], status: FileCheck['status'], detail: string): FileCheck {
  return { check: name, status, detail };
}
