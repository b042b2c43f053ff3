import type { BlockShape } from '../html/block-writer.js';
import type { CellSpan, FlowTable } from './table-builder.js';

/** Takes a document paragraph by paragraph and cell by cell; implemented by whatever writes or keeps it. */
export interface Flow {
  paragraph(shape: BlockShape, text: string, marker?: string): void;
  openTable(): void;
  openRow(): void;
  openCell(span?: CellSpan): void;
  closeCell(): void;
  closeRow(): void;
  closeTable(): void;
}

/** Keeps what it is told, to tell it to another flow later: small parts whose order in the file is not that of the text. */
export class RecordedFlow implements Flow {
  private readonly calls: ((flow: Flow) => void)[] = [];

  paragraph(shape: BlockShape, text: string, marker = ''): void {
    if (/\S/.test(text)) this.calls.push((flow) => flow.paragraph(shape, text, marker));
  }

  openTable(): void {
    this.calls.push((flow) => flow.openTable());
  }

  openRow(): void {
    this.calls.push((flow) => flow.openRow());
  }

  openCell(span?: CellSpan): void {
    this.calls.push((flow) => flow.openCell(span));
  }

  closeCell(): void {
    this.calls.push((flow) => flow.closeCell());
  }

  closeRow(): void {
    this.calls.push((flow) => flow.closeRow());
  }

  closeTable(): void {
    this.calls.push((flow) => flow.closeTable());
  }

  replay(flow: Flow): void {
    for (const call of this.calls) call(flow);
  }
}

/** A flow that keeps nothing but the words, one line a paragraph. */
export function collectLines(lines: string[]): Flow {
  const nothing = (): void => undefined;
  return {
    paragraph: (_, text, marker = '') => {
      if (/\S/.test(text)) lines.push(marker + text.trim());
    },
    openTable: nothing,
    openRow: nothing,
    openCell: nothing,
    closeCell: nothing,
    closeRow: nothing,
    closeTable: nothing,
  };
}

/** Writes a whole table that was composed elsewhere. */
export function writeTable(flow: Flow, rows: FlowTable): void {
  if (rows.length === 0) return;
  flow.openTable();
  for (const cells of rows) {
    flow.openRow();
    for (const text of cells) {
      flow.openCell();
      flow.paragraph({ kind: 'paragraph' }, text);
      flow.closeCell();
    }
    flow.closeRow();
  }
  flow.closeTable();
}
