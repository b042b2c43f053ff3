import type { BlockShape } from '../../html/block-writer.js';
import type { FlowWriter } from '../../output/flow-writer.js';
import { RecordedFlow, type Flow } from '../../output/flow.js';
import type { CellSpan } from '../../output/table-builder.js';
import { ParseError } from '../../parse-error.js';

interface Level {
  cells: RecordedFlow[];
  cell: RecordedFlow;
  hasText: boolean;
}

const MAX_LEVELS = 16;

/** Puts paragraphs into the cells that their table level and the ends of cells and rows say; RTF has no tables as such. */
export class RtfTables {
  private readonly flow: FlowWriter;
  private readonly levels: Level[] = [];

  constructor(flow: FlowWriter) {
    this.flow = flow;
  }

  /** A paragraph at a level of tables; 0 is outside of all. */
  paragraph(level: number, shape: BlockShape, text: string, marker: string): void {
    this.enter(level);
    this.flowAt(level).paragraph(shape, text, marker);
    if (level > 0) this.levels[level - 1]!.hasText = true;
  }

  endCell(level: number): void {
    this.enter(level);
    const table = this.levels[level - 1]!;
    table.cells.push(table.cell);
    table.cell = new RecordedFlow();
    table.hasText = false;
  }

  /** Ends the row of a level; `spans` says how its cells hang together. */
  endRow(level: number, spans: readonly CellSpan[]): void {
    if (this.levels.length < level) return;
    this.enter(level);
    this.writeRow(level, spans);
  }

  finish(): void {
    this.enter(0);
  }

  /** Closes deeper tables and opens those that are missing. */
  private enter(level: number): void {
    if (level > MAX_LEVELS) {
      throw new ParseError('MALFORMED', 'The document nests tables too deeply; simplify it and upload it again.');
    }
    while (this.levels.length > level) {
      this.writeRow(this.levels.length, []);
      this.levels.pop();
      this.flowAt(this.levels.length).closeTable();
    }
    while (this.levels.length < level) {
      this.flowAt(this.levels.length).openTable();
      this.levels.push({ cells: [], cell: new RecordedFlow(), hasText: false });
    }
  }

  private flowAt(level: number): Flow {
    return level === 0 ? this.flow : this.levels[level - 1]!.cell;
  }

  private writeRow(level: number, spans: readonly CellSpan[]): void {
    const table = this.levels[level - 1]!;
    if (table.hasText) table.cells.push(table.cell);
    const cells = table.cells;
    table.cells = [];
    table.cell = new RecordedFlow();
    table.hasText = false;
    if (cells.length === 0) return;
    const flow = this.flowAt(level - 1);
    flow.openRow();
    cells.forEach((cell, index) => {
      flow.openCell(spans[index]);
      cell.replay(flow);
      flow.closeCell();
    });
    flow.closeRow();
  }
}
