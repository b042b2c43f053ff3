import type { ParseOutput } from '../output/parse-output.js';
import type { SheetCell } from '../sheets/sheet-cell.js';
import { SheetWriter } from '../sheets/sheet-writer.js';
import type { XmlAttributes, XmlHandler } from './xml-reader.js';

/** More columns than any sheet has are not counted on. */
const MOST_COLUMNS = 16_384;
const MOST_ROWS = 1_048_576;
const SPREADSHEET = /<(?:\w+:)?Workbook\s[^>]*urn:schemas-microsoft-com:office:spreadsheet/;

/** Whether XML is a workbook as Excel 2003 wrote it, and as many programs export one. */
export function isSpreadsheetXml(head: Buffer): boolean {
  return SPREADSHEET.test(head.toString('latin1').replaceAll('\0', ''));
}

/** Reads such a workbook: a heading for each sheet, and its rows. */
export class SpreadsheetXmlReader implements XmlHandler {
  readonly counts = { sheets: 0, tables: 0, table_rows: 0, cells: 0 };
  private writer: SheetWriter | undefined;
  private row = 0;
  private column = 0;
  private cells: SheetCell[] = [];
  private words: string | undefined;
  private type = '';
  private across = 0;
  /** A remark of a cell is open, whose words are none of it. */
  private isRemark = false;

  constructor(private readonly output: ParseOutput) {}

  open(element: string, attributes: XmlAttributes): void {
    const name = localName(element);
    const value = (wanted: string): string | undefined => attributes[`ss:${wanted}`] ?? attributes[wanted];
    if (name === 'Worksheet') {
      this.writer = new SheetWriter(this.output, value('Name') ?? '');
      this.counts.sheets += 1;
      this.row = 0;
    } else if (name === 'Row') {
      this.row = Math.min(placeOf(value('Index'), this.row), MOST_ROWS);
      this.column = 0;
      this.cells = [];
    } else if (name === 'Cell') {
      this.column = placeOf(value('Index'), this.column);
      this.across = Math.min(Number(value('MergeAcross') ?? 0) || 0, MOST_COLUMNS);
    } else if (name === 'Comment') this.isRemark = true;
    else if (name === 'Data' && !this.isRemark) {
      this.words = '';
      this.type = value('Type') ?? '';
    }
  }

  close(element: string): void {
    const name = localName(element);
    if (name === 'Data' && this.words !== undefined) {
      if (this.column <= MOST_COLUMNS) this.cells.push({ column: this.column, text: shown(this.words, this.type) });
      this.words = undefined;
    } else if (name === 'Comment') this.isRemark = false;
    else if (name === 'Cell') this.column += this.across;
    else if (name === 'Row') this.writer?.row(this.row, this.cells);
    else if (name === 'Worksheet') this.endSheet();
  }

  text(text: string): void {
    if (this.words !== undefined) this.words += text;
  }

  private endSheet(): void {
    const { writer } = this;
    this.writer = undefined;
    if (writer === undefined) return;
    writer.finish();
    this.counts.tables += writer.counts.tables;
    this.counts.table_rows += writer.counts.rows;
    this.counts.cells += writer.counts.cells;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The place that an index names, if it is behind the last one; else the next. */
function placeOf(index: string | undefined, last: number): number {
  const asked = Number(index);
  return Number.isInteger(asked) && asked > last ? asked : last + 1;
}

function shown(text: string, type: string): string {
  if (type === 'Boolean') return text.trim() === '1' ? 'TRUE' : 'FALSE';
  return type === 'DateTime'
    ? text
        .replace(/T00:00:00(?:\.0+)?$/, '')
        .replace(/^1899-12-31T/, '')
        .replace('T', ' ')
        .replace(/\.0+$/, '')
    : text;
}
