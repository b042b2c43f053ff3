import type { HiddenCells } from '../../sheets/hidden-cells.js';
import type { SheetCell } from '../../sheets/sheet-cell.js';
import type { SheetWriter } from '../../sheets/sheet-writer.js';
import type { XmlAttributes, XmlHandler } from '../../xml/xml-reader.js';
import type { CellFormats } from './cell-formats.js';
import type { SharedStrings } from './shared-strings.js';

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

interface OpenCell {
  column: number;
  type: string;
  style: number;
  hasFormula: boolean;
}

/** Reads a worksheet as a stream and hands its rows to a writer. */
export class SheetReader implements XmlHandler {
  /** Formulas whose result was never calculated, and cells that show an error. */
  readonly counts = { formulas_without_value: 0, cells_with_errors: 0, struck_characters: 0 };
  private readonly writer: SheetWriter;
  private readonly strings: SharedStrings;
  private readonly formats: CellFormats;
  private row = 0;
  private column = 0;
  private cells: SheetCell[] = [];
  private cell: OpenCell | undefined;
  private value = '';
  private isText = false;
  private isReading = false;
  private isRunStruck = false;
  /** Characters struck out above the row. */
  private struckBefore = 0;
  private readonly hidden: HiddenCells;
  private isRowHidden = false;
  /** Rows without an own word are hidden. */
  private areRowsHidden = false;

  constructor(writer: SheetWriter, strings: SharedStrings, formats: CellFormats, hidden: HiddenCells) {
    this.writer = writer;
    this.hidden = hidden;
    this.strings = strings;
    this.formats = formats;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'c') this.openCell(attributes);
    else if (name === 'v' || name === 't') this.isText = this.cell !== undefined && !this.isReading;
    else if (name === 'r') this.isRunStruck = false;
    else if (name === 'strike') this.isRunStruck = !/^(?:0|false)$/.test(attributes['val'] ?? '');
    else if (name === 'row') this.openRow(attributes);
    else if (name === 'rPh') this.isReading = true;
    else if (name === 'col') this.openColumns(attributes);
    else if (name === 'sheetFormatPr') this.areRowsHidden = isOn(attributes['zeroHeight']);
    else if (name === 'f' && this.cell !== undefined) this.cell.hasFormula = true;
  }

  close(name: string): void {
    if (name === 'c') this.closeCell();
    else if (name === 'v' || name === 't') this.isText = false;
    else if (name === 'rPh') this.isReading = false;
    else if (name === 'r') this.isRunStruck = false;
    else if (name === 'row') this.closeRow();
  }

  text(text: string): void {
    if (this.isText && this.isRunStruck) this.counts.struck_characters += text.length;
    else if (this.isText) this.value += text;
  }

  private openColumns({ min, max, hidden, width }: XmlAttributes): void {
    if (isOn(hidden) || Number(width ?? 1) === 0) this.hidden.hideColumns(Number(min), Number(max));
  }

  private openRow({ r, hidden, ht }: XmlAttributes): void {
    this.isRowHidden = hidden === undefined ? this.areRowsHidden && ht === undefined : isOn(hidden);
    if (ht !== undefined && Number(ht) === 0) this.isRowHidden = true;
    const asked = Number(r);
    this.row = Number.isInteger(asked) && asked > this.row ? asked : this.row + 1;
    this.column = 0;
    this.cells = [];
    this.struckBefore = this.counts.struck_characters;
  }

  private openCell({ r, t, s }: XmlAttributes): void {
    const asked = r === undefined ? this.column + 1 : columnOf(r);
    this.column = asked > this.column ? asked : this.column + 1;
    this.cell = { column: this.column, type: t ?? 'n', style: Number(s ?? 0), hasFormula: false };
    this.value = '';
  }

  private closeCell(): void {
    const { cell } = this;
    this.cell = undefined;
    if (cell === undefined || cell.column > MAX_COLUMNS) return;
    const text = this.value === '' ? '' : this.show(cell, this.value);
    if (text !== '' && this.formats.isStruck(cell.style)) this.counts.struck_characters += text.length;
    else if (text !== '') {
      const isInGroundColour = this.formats.isInGroundColour(cell.style);
      this.cells.push({ column: cell.column, text, ...(isInGroundColour && { isInGroundColour }) });
    } else if (cell.hasFormula && cell.type !== 'str') this.counts.formulas_without_value += 1;
  }

  private closeRow(): void {
    const isStruck = this.cells.length === 0 && this.counts.struck_characters > this.struckBefore;
    if (isStruck) this.writer.passOver(this.row);
    else if (this.row <= MAX_ROWS && this.row > 0) this.writer.row(this.row, this.cells, this.isRowHidden);
    this.cells = [];
  }

  private show(cell: OpenCell, text: string): string {
    switch (cell.type) {
      case 's':
        return unescapeControls(this.strings.at(Number(text)));
      case 'n':
        return this.formats.show(text, cell.style);
      case 'b':
        return text.trim() === '1' || text.trim() === 'true' ? 'TRUE' : 'FALSE';
      case 'e':
        this.counts.cells_with_errors += 1;
        return text;
      case 'd':
        return text.replace(/T00:00:00(?:\.0+)?Z?$/, '').replace('T', ' ');
      default:
        return unescapeControls(text);
    }
  }
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Column of an address such as `AB12`, from 1; 0 when it is none. */
export function columnOf(address: string): number {
  let column = 0;
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at) & ~0x20;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
    if (column > MAX_COLUMNS) return MAX_COLUMNS + 1;
  }
  return column;
}

/** Spreadsheets write control characters as `_x000D_`; a literal underscore before such a code as `_x005F_`. */
function unescapeControls(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (whole, code: string) => {
    const value = Number.parseInt(code, 16);
    if (value === 0x5f) return '_';
    return value < 0x20 ? ' ' : whole;
  });
}
