/** A cell of a markup, and how far it reaches. */
export interface MarkupCell {
  readonly text: string;
  /** Columns and rows; default 1. */
  readonly across?: number;
  readonly down?: number;
}

/** A cell is repeated over as many columns and rows at most. */
const MOST_SPANNED = 100;
/** Longer texts are not repeated. */
const MOST_REPEATED_UNITS = 200;

/** Puts cells into rows, from left to right, each repeated over what it reaches. */
export class CellGrid {
  readonly rows: string[][] = [];
  private at = 0;
  /** Where the next cell of the open row may be. */
  private column = 0;

  /** Begins the next row. */
  nextRow(): void {
    this.at += this.rows.length > 0 || this.at > 0 ? 1 : 0;
    this.rows[this.at] ??= [];
    this.column = 0;
  }

  /** Whether the open row has a text in each of the first columns. */
  isFull(columns: number): boolean {
    const row = this.rows[this.at] ?? [];
    for (let column = 0; column < columns; column += 1) if (row[column] === undefined) return false;
    return true;
  }

  add({ text, across = 1, down = 1 }: MarkupCell): void {
    const row = (this.rows[this.at] ??= []);
    while (row[this.column] !== undefined) this.column += 1;
    const { column } = this;
    const [width, height] = [Math.min(across, MOST_SPANNED), Math.min(down, MOST_SPANNED)];
    for (let below = 0; below < height; below += 1) {
      const own = (this.rows[this.at + below] ??= []);
      for (let right = 0; right < width; right += 1) {
        const isFirst = below === 0 && right === 0;
        own[column + right] = isFirst || text.length <= MOST_REPEATED_UNITS ? text : '';
      }
    }
  }

  /** The rows with some text; what no cell is in is empty. */
  finish(): string[][] {
    return this.rows
      .map((cells) => Array.from(cells, (cell) => cell ?? ''))
      .filter((cells) => cells.some((cell) => cell !== ''));
  }
}
