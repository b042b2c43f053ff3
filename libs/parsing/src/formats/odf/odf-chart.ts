import type { FlowTable } from '../../output/table-builder.js';
import type { XmlAttributes, XmlHandler } from '../../xml/xml-reader.js';
import { shortNumber } from '../ooxml/drawing-text.js';
import type { Drawing } from '../ooxml/drawings.js';

/** Values that are read of a chart; more are no text for a reader. */
const MOST_CELLS = 20_000;

/** Reads an object within a document; one that is a chart has titles, and its values in a table. */
export class OdfChart implements XmlHandler {
  private readonly titles: string[] = [];
  private readonly rows: string[][] = [];
  private cells = 0;
  private isChart = false;
  private isInTitle = false;
  private isInCell = false;

  open(name: string, _attributes: XmlAttributes): void {
    if (name === 'office:chart') this.isChart = true;
    else if (name === 'chart:title' || name === 'chart:subtitle') {
      this.isInTitle = true;
      this.titles.push('');
    } else if (name === 'table:table-row') this.rows.push([]);
    else if (name === 'table:table-cell') {
      this.cells += 1;
      this.isInCell = this.cells <= MOST_CELLS;
      if (this.isInCell) this.rows.at(-1)?.push('');
    }
  }

  close(name: string): void {
    if (name === 'chart:title' || name === 'chart:subtitle') this.isInTitle = false;
    else if (name === 'table:table-cell') this.isInCell = false;
    else if (name === 'text:p' && this.isInTitle) this.titles[this.titles.length - 1] += ' ';
  }

  text(text: string): void {
    if (this.isInTitle) this.titles[this.titles.length - 1] += text;
    else if (this.isInCell) {
      const row = this.rows.at(-1);
      if (row !== undefined && row.length > 0) row[row.length - 1] += text;
    }
  }

  /** What it draws; undefined for other objects, as formulas. */
  finish(): Drawing | undefined {
    if (!this.isChart) return undefined;
    const rows: FlowTable = this.rows
      .map((row) => row.map((cell) => shortNumber(cell.trim())))
      .filter((row) => row.some((cell) => cell !== ''));
    return { titles: this.titles.map((title) => title.trim()).filter(Boolean), rows, items: [] };
  }
}
