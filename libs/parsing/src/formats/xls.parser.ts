import { readFile } from 'node:fs/promises';
import * as codePages from '@e965/xlsx/dist/cpexcel';
import { read, set_cptable, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { checkArchive } from '../archive/preflight.js';
import { readHead } from '../charset/file-chunks.js';
import { ParseError } from '../parse-error.js';
import type { ParseOutput } from '../output/parse-output.js';
import { compileNumberFormat, formatGeneral, type NumberFormatter } from '../sheets/number-format.js';
import { notationOf, type NumberNotation } from '../sheets/number-notation.js';
import { HiddenReport, type HiddenPolicy } from '../sheets/hidden-cells.js';
import type { MergedRange, SheetCell } from '../sheets/sheet-cell.js';
import { SheetWriter } from '../sheets/sheet-writer.js';
import type { FormatParser, FormatResult } from './format-parser.js';
import { commentText } from './ooxml/comment-text.js';

// Texts of Excel 95 and older are in the code page of the computer that wrote them.
set_cptable(codePages);

/** Sheet states of the library: 1 hidden, 2 hidden from the menus too. */
const VISIBLE = 0;
/** What tells the language of a workbook. */
const CELLS_OF_SAMPLE = 20_000;
const SAMPLE_UNITS = 4_000;

/**
 * XLS (BIFF) and XLSB: the library reads the whole file, so memory grows with it up to the limit of the process. What it
 * gives is written as XLSX is.
 */
export const parseBinaryWorkbook: FormatParser = async (input, output) => {
  const isArchive = readHead(input.path, 2).toString('latin1') === 'PK';
  if (isArchive) await checkArchive(input.path, input.sizeBytes);
  const workbook = open(await readFile(input.path));
  if (workbook.SheetNames.length === 0) throw damaged();
  return new BinaryWorkbook(workbook, output, input.options.hidden).write();
};

/** What the library throws, errors and bare strings, told apart by their words: there are no codes. */
function open(bytes: Buffer): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellNF: true,
      // Which rows and columns are hidden.
      cellStyles: true,
    });
  } catch (error) {
    if (error instanceof RangeError && /allocation failed|Invalid string length/i.test(error.message)) throw error;
    if (/password|encrypt/i.test(String(error))) {
      const detail = 'The workbook is protected by a password; remove the password and upload it again.';
      throw new ParseError('ENCRYPTED', detail, { cause: error });
    }
    throw damaged(error);
  }
}

function damaged(cause?: unknown): ParseError {
  const detail = 'The workbook is damaged; open it in a spreadsheet program, save it and upload that.';
  return new ParseError('MALFORMED', detail, { cause });
}

class BinaryWorkbook {
  private readonly workbook: WorkBook;
  private readonly output: ParseOutput;
  private readonly formatters = new Map<string, NumberFormatter>();
  private readonly notation: NumberNotation;
  private readonly counts = { tables: 0, rows: 0, cells: 0, notes_and_comments: 0, cells_with_errors: 0 };

  private readonly hidden: HiddenReport;

  constructor(workbook: WorkBook, output: ParseOutput, hidden?: HiddenPolicy) {
    this.hidden = new HiddenReport(hidden);
    this.workbook = workbook;
    this.output = output;
    this.notation = notationOf({ language: undefined, ...wordsOf(workbook) });
  }

  write(): FormatResult {
    const states = this.workbook.Workbook?.Sheets ?? [];
    const isHidden = (index: number): boolean => (states[index]?.Hidden ?? VISIBLE) !== VISIBLE;
    for (const [index, name] of this.workbook.SheetNames.entries()) {
      const sheet = this.workbook.Sheets[name];
      if (sheet !== undefined) this.writeSheet(name, sheet, isHidden(index));
    }
    const hidden = states.filter((_, index) => isHidden(index)).length;
    return {
      title: this.workbook.Props?.Title?.trim() || undefined,
      warnings: this.hidden.warnings(),
      fidelity: {
        sheets: this.workbook.SheetNames.length,
        hidden_sheets: hidden,
        ...this.hidden.counts,
        ...this.counts,
      },
    };
  }

  private writeSheet(name: string, sheet: WorkSheet, isHidden: boolean): void {
    const hidden = this.hidden.sheet(isHidden);
    sheet['!cols']?.forEach((column, index) => {
      if (column?.hidden === true) hidden.hideColumns(index + 1, index + 1);
    });
    const merges: MergedRange[] = (sheet['!merges'] ?? []).map(({ s, e }) => ({
      top: s.r + 1,
      left: s.c + 1,
      bottom: e.r + 1,
      right: e.c + 1,
    }));
    const writer = new SheetWriter(this.output, name, merges, hidden);
    const remarks: string[] = [];
    (sheet['!data'] ?? []).forEach((row, index) => {
      const cells: SheetCell[] = [];
      row?.forEach((cell, column) => {
        if (cell === undefined) return;
        cells.push({ column: column + 1, text: this.show(cell) });
        for (const comment of cell.c ?? []) {
          remarks.push(commentText({ author: comment.a, place: addressOf(column, index), text: comment.t }));
        }
      });
      writer.row(index + 1, cells, sheet['!rows']?.[index]?.hidden === true);
    });
    if (isHidden && hidden.excludes) remarks.length = 0;
    for (const text of remarks) writer.paragraph(text);
    writer.finish();
    this.counts.notes_and_comments += remarks.length;
    this.counts.tables += writer.counts.tables;
    this.counts.rows += writer.counts.rows;
    this.counts.cells += writer.counts.cells;
  }

  private show(cell: CellObject): string {
    switch (cell.t) {
      case 'n':
        return typeof cell.v === 'number' ? this.formatter(cell.z)(cell.v) : '';
      case 'b':
        return cell.v === true ? 'TRUE' : 'FALSE';
      case 'e':
        this.counts.cells_with_errors += 1;
        return errorText(cell.v);
      case 'd':
        return cell.v instanceof Date ? cell.v.toISOString().replace(/T00:00:00\.000Z$|\.000Z$/, '') : '';
      default:
        return typeof cell.v === 'string' ? cell.v : '';
    }
  }

  private formatter(format: CellObject['z']): NumberFormatter {
    if (typeof format !== 'string' || /^general$/i.test(format)) return (value) => formatGeneral(value, this.notation);
    let formatter = this.formatters.get(format);
    if (formatter === undefined) {
      // Number 14 of the built-in formats differs from country to country; the library gives the American one.
      const shown = LOCAL_DATES[format] ?? format;
      formatter = compileNumberFormat(shown, {
        date1904: this.workbook.Workbook?.WBProps?.date1904 === true,
        notation: this.notation,
      });
      this.formatters.set(format, formatter);
    }
    return formatter;
  }
}

/** Texts and formats of the first cells. */
function wordsOf({ Sheets: sheets, SheetNames: names }: WorkBook): { formats: Set<string>; sample: string } {
  const formats = new Set<string>();
  let sample = '';
  let looked = 0;
  for (const name of names) {
    for (const row of sheets[name]?.['!data'] ?? []) {
      for (const cell of row ?? []) {
        looked += 1;
        if (looked > CELLS_OF_SAMPLE) return { formats, sample };
        if (cell?.t === 's' && sample.length < SAMPLE_UNITS) sample += `${String(cell.v).slice(0, SAMPLE_UNITS)}\n`;
        if (cell?.t === 'n' && typeof cell.z === 'string') formats.add(cell.z);
      }
    }
  }
  return { formats, sample };
}

const LOCAL_DATES: Readonly<Record<string, string>> = {
  'm/d/yy': 'yyyy-mm-dd',
  'm/d/yy h:mm': 'yyyy-mm-dd hh:mm',
};

const ERRORS: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
};

function errorText(code: unknown): string {
  return typeof code === 'number' ? (ERRORS[code] ?? '#ERROR!') : '';
}

function addressOf(column: number, row: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${row + 1}`;
}
