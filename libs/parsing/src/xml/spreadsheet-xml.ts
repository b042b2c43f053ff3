import type { ParseOutput } from '../output/parse-output.js';
import { HiddenReport, type HiddenCells, type HiddenPolicy } from '../sheets/hidden-cells.js';
import type { SheetCell } from '../sheets/sheet-cell.js';
import { SheetWriter } from '../sheets/sheet-writer.js';
import type { XmlAttributes, XmlHandler } from './xml-reader.js';

/** More columns than any sheet has are not counted on. */
const MOST_COLUMNS = 16_384;
const MOST_ROWS = 1_048_576;
const SPREADSHEET = /<(?:\w+:)?Workbook\s[^>]*urn:schemas-microsoft-com:office:spreadsheet/;

type ValueOf = (attribute: string) => string | undefined;

/** Whether XML is a workbook as Excel 2003 wrote it, and as many programs export one. */
export function isSpreadsheetXml(head: Buffer): boolean {
  return SPREADSHEET.test(head.toString('latin1').replaceAll('\0', ''));
}

/** Reads such a workbook: a heading for each sheet, and its rows. */
export class SpreadsheetXmlReader implements XmlHandler {
  readonly counts = { sheets: 0, hidden_sheets: 0, tables: 0, table_rows: 0, cells: 0 };
  private writer: SheetWriter | undefined;
  private row = 0;
  private column = 0;
  private cells: SheetCell[] = [];
  private words: string | undefined;
  private type = '';
  private across = 0;
  /** A remark of a cell is open, whose words are none of it. */
  private isRemark = false;

  readonly hidden: HiddenReport;
  private seen: HiddenCells | undefined;
  private isRowHidden = false;
  /** The last column that a definition of columns has named. */
  private defined = 0;

  /** `hiddenSheets`: places of hidden sheets, from 0; a sheet says behind its rows that it is one. */
  constructor(
    private readonly output: ParseOutput,
    private readonly hiddenSheets: ReadonlySet<number> = new Set(),
    policy?: HiddenPolicy,
  ) {
    this.hidden = new HiddenReport(policy);
  }

  open(element: string, attributes: XmlAttributes): void {
    const name = localName(element);
    const value: ValueOf = (wanted) => attributes[`ss:${wanted}`] ?? attributes[wanted];
    if (name === 'Worksheet') this.openSheet(value('Name') ?? '');
    else if (name === 'Column') this.openColumns(value);
    else if (name === 'Row') this.openRow(value);
    else if (name === 'Cell') {
      this.column = placeOf(value('Index'), this.column);
      this.across = Math.min(Number(value('MergeAcross') ?? 0) || 0, MOST_COLUMNS);
      this.mergeCell(Number(value('MergeDown') ?? 0) || 0);
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
    else if (name === 'Row') this.writer?.row(this.row, this.cells, this.isRowHidden);
    else if (name === 'Worksheet') this.endSheet();
  }

  text(text: string): void {
    if (this.words !== undefined) this.words += text;
  }

  private openSheet(name: string): void {
    const isHidden = this.hiddenSheets.has(this.counts.sheets);
    const hidden = this.hidden.sheet(isHidden);
    this.seen = hidden;
    this.writer = new SheetWriter(this.output, name, [], hidden);
    this.counts.sheets += 1;
    if (isHidden) this.counts.hidden_sheets += 1;
    this.row = 0;
    this.defined = 0;
  }

  /** A definition holds for a column and for as many behind it as it spans. */
  private openColumns(value: ValueOf): void {
    const first = placeOf(value('Index'), this.defined);
    this.defined = first + Math.min(Number(value('Span') ?? 0) || 0, MOST_COLUMNS);
    if (isOn(value('Hidden')) || Number(value('Width') ?? 1) === 0) this.seen?.hideColumns(first, this.defined);
  }

  private openRow(value: ValueOf): void {
    this.row = Math.min(placeOf(value('Index'), this.row), MOST_ROWS);
    this.isRowHidden = isOn(value('Hidden')) || Number(value('Height') ?? 1) === 0;
    this.column = 0;
    this.cells = [];
  }

  /** Tells the writer of an open cell that goes over others. */
  private mergeCell(down: number): void {
    if ((this.across === 0 && down === 0) || this.column > MOST_COLUMNS) return;
    const right = Math.min(this.column + this.across, MOST_COLUMNS);
    const bottom = Math.min(this.row + down, MOST_ROWS);
    this.writer?.merge({ top: this.row, left: this.column, bottom, right });
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

/** Reads which sheets are hidden. */
export class HiddenSheetsReader implements XmlHandler {
  readonly hidden = new Set<number>();
  private sheets = 0;
  private words: string | undefined;

  open(element: string): void {
    const name = localName(element);
    if (name === 'Worksheet') this.sheets += 1;
    this.words = name === 'Visible' && this.sheets > 0 ? '' : undefined;
  }

  close(element: string): void {
    const isSaid = localName(element) === 'Visible' && this.words !== undefined;
    if (isSaid && /^Sheet(?:Very)?Hidden$/.test(this.words!.trim())) this.hidden.add(this.sheets - 1);
    this.words = undefined;
  }

  text(text: string): void {
    if (this.words !== undefined) this.words += text;
  }
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
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
