import type { ParseWarning } from '../document-parser.port.js';
import type { ParseOutput } from '../output/parse-output.js';
import { writePlainLines } from '../output/plain-lines.js';
import { RecordTable } from '../tabular/record-table.js';
import { flatten } from './flat-record.js';
import { readJson } from './json-value.js';
import { JsonWriter } from './json-writer.js';

/** Writes JSON values that come one after the other: flat records as tables, others as lines, text that is no JSON as it is. */
export class ValueStreamWriter {
  private readonly output: ParseOutput;
  private readonly unit: string;
  private readonly table: RecordTable;
  private readonly values: JsonWriter;
  private seen = 0;
  /** Those of them that are not blank. */
  private told = 0;
  private firstBroken: number | undefined;
  private broken = 0;

  /** `unit` is what one value is called in a warning. */
  constructor(output: ParseOutput, unit: 'line' | 'element') {
    this.output = output;
    this.unit = unit;
    this.table = new RecordTable(output);
    this.values = new JsonWriter(output);
  }

  write(text: string): void {
    this.seen += 1;
    if (text.trim() === '') return;
    this.told += 1;
    const value = readJson(text);
    const record = value === undefined ? undefined : flatten(value);
    if (record !== undefined) return this.table.add(record);
    this.table.end();
    if (value !== undefined) return this.values.write(value);
    this.broken += 1;
    this.firstBroken ??= this.seen;
    writePlainLines(this.output, text.trim().split(/\r\n|[\r\n]/));
  }

  /** Ends the stream; one record and nothing else is a table of one row. */
  finish(): { warnings: ParseWarning[]; fidelity: Record<string, number> } {
    this.table.end(this.told === 1);
    const detail = `${this.broken} ${this.unit}s (the first is ${this.unit} ${this.firstBroken}) are not valid JSON and were read as plain text.`;
    const { tables, tableRows } = this.values.findings;
    return {
      warnings: this.broken > 0 ? [{ code: 'MALFORMED_JSON', detail }] : [],
      fidelity: { records: this.seen, tables: tables + this.table.tables, table_rows: tableRows + this.table.rows },
    };
  }
}
