import type { ParseOutput } from '../../output/parse-output.js';
import { HiddenReport, type HiddenCells } from '../../sheets/hidden-cells.js';
import type { SheetCell } from '../../sheets/sheet-cell.js';
import { SheetWriter } from '../../sheets/sheet-writer.js';
import type { XmlAttributes, XmlHandler } from '../../xml/xml-reader.js';
import type { Drawing } from '../ooxml/drawings.js';
import { OdfDescription } from './odf-description.js';
import { OdfRemarks } from './odf-remarks.js';
import type { OdfStyles } from './odf-styles.js';
import { OdfText } from './odf-text.js';

interface OpenCell {
  repeated: number;
  lines: string[];
  columns: number;
  rows: number;
  isInGroundColour: boolean;
  readonly style: string | undefined;
}

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** A filled cell, and a filled row, may represent this many of them; a file of a kilobyte could ask for a billion. */
const MAX_REPEATED_CELLS = 256;
const MAX_REPEATED_ROWS = 1000;
/** Rows that repetitions may add to a whole document. */
const MAX_ADDED_ROWS = 100_000;
const SKIPPED = new Set(
  'table:content-validations table:tracked-changes table:dde-links office:forms text:ruby-text'.split(' '),
);

/** Reads the sheets of an OpenDocument spreadsheet; cells hold their text as it is shown. */
export class OdfSheetReader implements XmlHandler {
  readonly counts = { sheets: 0, hidden_sheets: 0, tables: 0, rows: 0, cells: 0, images: 0, repeated_rows_left_out: 0 };
  readonly remarks = new OdfRemarks();
  readonly hidden: HiddenReport;
  /** Characters that are struck out. */
  struckCharacters = 0;
  private struckBefore = 0;
  private readonly output: ParseOutput;
  private readonly styles: OdfStyles;
  private sheet: HiddenCells | undefined;
  private definedColumns = 0;
  private isRowHidden = false;
  private isSheetLeftOut = false;
  private writer: SheetWriter | undefined;
  private depth = 0;
  private row = 0;
  private repeatedRows = 1;
  private addedRows = 0;
  private column = 0;
  private cells: SheetCell[] = [];
  private cell: OpenCell | undefined;
  private readonly floating: (string | Drawing)[] = [];
  private readonly description = new OdfDescription();
  private paragraph: OdfText | undefined;
  private shapes = 0;
  private skipping = 0;

  constructor(output: ParseOutput, styles: OdfStyles, hidden: HiddenReport = new HiddenReport()) {
    this.hidden = hidden;
    this.output = output;
    this.styles = styles;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.skipping > 0 || SKIPPED.has(name)) {
      this.skipping += 1;
      return;
    }
    this.description.open(name, attributes);
    if (this.description.isOpen) return;
    if (this.remarks.open(name, attributes)) return;
    else if (name === 'table:table') this.openTable(attributes);
    else if (this.depth !== 1 && name.startsWith('table:')) return;
    else if (name === 'table:table-row') this.openRow(attributes);
    else if (name === 'table:table-column') this.openColumns(attributes);
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') this.openCell(attributes);
    else if (name === 'text:p') this.paragraph = new OdfText(this.styles, this.cell?.style);
    else if (name === 'draw:image') this.counts.images += 1;
    else if (name === 'draw:frame' || name === 'draw:custom-shape') this.shapes += 1;
    else this.paragraph?.open(name, attributes);
  }

  close(name: string): void {
    if (this.skipping > 0) {
      this.skipping -= 1;
      return;
    }
    const isDescription = this.description.isOpen;
    const words = this.description.close(name);
    if (words !== '') this.draw({ titles: [words], rows: [], items: [] });
    if (isDescription || this.remarks.close(name)) return;
    if (name === 'text:p') this.closeParagraph();
    else if (name === 'draw:frame' || name === 'draw:custom-shape') this.shapes -= 1;
    else if (name === 'table:table') this.closeTable();
    else if (this.depth !== 1) return;
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') this.closeCell();
    else if (name === 'table:table-row') this.closeRow();
    else this.paragraph?.close(name);
  }

  text(text: string): void {
    if (this.skipping > 0) return;
    if (this.description.isOpen) this.description.text(text);
    else if (this.remarks.takesText) this.remarks.text(text);
    else this.paragraph?.text(text);
  }

  /** What lies over a sheet is written behind its rows. */
  draw(drawing: Drawing): void {
    this.floating.push(drawing);
  }

  /** A table within a table belongs to a chart, or to another program's idea of a cell. */
  private openTable(attributes: XmlAttributes): void {
    this.depth += 1;
    if (this.depth !== 1) return;
    this.counts.sheets += 1;
    const isHidden = this.styles.isSheetHidden(attributes['table:style-name']);
    if (isHidden) this.counts.hidden_sheets += 1;
    this.sheet = this.hidden.sheet(isHidden);
    this.isSheetLeftOut = isHidden && this.sheet.excludes;
    this.writer = new SheetWriter(this.output, attributes['table:name'] ?? '', [], this.sheet);
    this.definedColumns = 0;
    this.row = 0;
  }

  private closeTable(): void {
    this.depth -= 1;
    if (this.depth !== 0 || this.writer === undefined) return;
    const floating = this.floating.splice(0);
    const remarks = this.remarks.pending.splice(0);
    if (!this.isSheetLeftOut) {
      for (const item of floating) writeFloating(item, this.writer);
      for (const text of remarks) this.writer.paragraph(text);
    }
    this.writer.finish();
    this.counts.tables += this.writer.counts.tables;
    this.counts.rows += this.writer.counts.rows;
    this.counts.cells += this.writer.counts.cells;
    this.writer = undefined;
  }

  private openColumns(attributes: XmlAttributes): void {
    const first = this.definedColumns + 1;
    this.definedColumns += positive(attributes['table:number-columns-repeated'], MAX_COLUMNS);
    if (isCollapsed(attributes)) this.sheet?.hideColumns(first, this.definedColumns);
  }

  private openRow(attributes: XmlAttributes): void {
    this.isRowHidden = isCollapsed(attributes);
    this.repeatedRows = positive(attributes['table:number-rows-repeated'], MAX_ROWS);
    this.row += 1;
    this.column = 0;
    this.cells = [];
    this.struckBefore = this.struckCharacters;
  }

  private closeRow(): void {
    if (this.row > MAX_ROWS) return;
    if (this.cells.length === 0 && this.struckCharacters > this.struckBefore) this.writer?.passOver(this.row);
    if (this.cells.length > 0) {
      const times = Math.min(this.repeatedRows, MAX_REPEATED_ROWS, MAX_ADDED_ROWS - this.addedRows + 1);
      this.counts.repeated_rows_left_out += this.repeatedRows - times;
      this.addedRows += times - 1;
      for (let index = 0; index < times; index += 1) this.writer?.row(this.row + index, this.cells, this.isRowHidden);
    }
    this.row += this.repeatedRows - 1;
  }

  private openCell(attributes: XmlAttributes): void {
    this.cell = {
      repeated: positive(attributes['table:number-columns-repeated'], MAX_COLUMNS),
      lines: [],
      columns: positive(attributes['table:number-columns-spanned'], MAX_COLUMNS),
      rows: positive(attributes['table:number-rows-spanned'], MAX_ROWS),
      style: attributes['table:style-name'],
      isInGroundColour: this.styles.isWhiteOnWhite(attributes['table:style-name']),
    };
  }

  private closeCell(): void {
    const { cell } = this;
    this.cell = undefined;
    if (cell === undefined) return;
    const left = this.column + 1;
    const text = cell.lines.join(' ').trim();
    if (text !== '' && left <= MAX_COLUMNS) {
      const times = Math.min(cell.repeated, MAX_REPEATED_CELLS);
      const look = cell.isInGroundColour ? { isInGroundColour: true } : {};
      for (let index = 0; index < times; index += 1) this.cells.push({ column: left + index, text, ...look });
      if (cell.columns > 1 || cell.rows > 1) {
        const [top, right] = [this.row, left + cell.columns - 1];
        this.writer?.merge({ top, left, bottom: top + cell.rows - 1, right });
      }
    }
    this.column += cell.repeated;
  }

  private closeParagraph(): void {
    const text = this.paragraph?.finish() ?? '';
    this.struckCharacters += this.paragraph?.struckCharacters ?? 0;
    this.paragraph = undefined;
    if (this.remarks.isOpen) this.remarks.line(text);
    else if (this.shapes > 0) this.floating.push(text);
    else this.cell?.lines.push(text);
  }
}

function writeFloating(item: string | Drawing, writer: SheetWriter): void {
  if (typeof item === 'string') return writer.paragraph(item);
  for (const title of item.titles) writer.paragraph(title, 'caption');
  writer.freeTable(item.rows);
}

/** Hidden by hand or by a filter. */
function isCollapsed(attributes: XmlAttributes): boolean {
  return (attributes['table:visibility'] ?? 'visible') !== 'visible';
}

function positive(value: string | undefined, most: number): number {
  const number = Number(value ?? 1);
  return Number.isInteger(number) && number > 0 ? Math.min(number, most) : 1;
}
