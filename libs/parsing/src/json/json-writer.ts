import { writePlainLines } from '../output/plain-lines.js';
import type { ParseOutput } from '../output/parse-output.js';
import { mayStandAlone, RecordTable, type FlatRecord } from '../tabular/record-table.js';
import { flatten, listText } from './flat-record.js';
import { describeGeometry, isGeometry } from './geometry.js';
import { isScalar, scalarText, type JsonValue } from './json-value.js';
import { recordsByKey, rowsBelowNames } from './keyed-records.js';

/** Lines are handed on when this many code units are waiting, so that a paragraph stays of a size to read. */
const MAX_PARAGRAPH_UNITS = 4000;
const MAX_LISTED = 200;

/** What the writer has seen. */
export interface JsonFindings {
  tables: number;
  tableRows: number;
  /** Geometries whose coordinates are only counted in the text. */
  geometries: number;
}

/**
 * Writes a JSON value so that each line can be read alone: `path: value`, where the path is the way from the root
 * (`orders[3].customer.name`). Lists of flat objects (a single one has two names at least), objects of alike ones and lists of rows below their names become tables under a caption
 * with their path.
 */
export class JsonWriter {
  readonly findings: JsonFindings = { tables: 0, tableRows: 0, geometries: 0 };
  private readonly output: ParseOutput;
  private lines: string[] = [];
  private units = 0;

  constructor(output: ParseOutput) {
    this.output = output;
  }

  /** Writes a value and everything in it. */
  write(value: JsonValue, path = ''): void {
    this.writeValue(value, path, 0);
    this.flush();
  }

  private writeValue(value: JsonValue, path: string, depth: number): void {
    if (isScalar(value)) return this.writeLine(path, scalarText(value));
    if (Array.isArray(value)) return this.writeList(value, path, depth);
    if (isGeometry(value)) {
      this.findings.geometries += 1;
      return this.writeLine(path, describeGeometry(value));
    }
    const records = recordsByKey(value);
    if (records !== undefined) return this.writeRecords(records, path);
    for (const [name, inner] of Object.entries(value)) {
      this.writeValue(inner, path === '' ? name : `${path}.${name}`, depth + 1);
    }
  }

  private writeList(list: JsonValue[], path: string, depth: number): void {
    const listed = listText(list, MAX_LISTED);
    if (listed !== undefined) return this.writeLine(path, listed);
    if (list.length > 0 && list.every((item) => !isScalar(item) && !Array.isArray(item)) && this.writeTable(list, path))
      return;
    const rows = rowsBelowNames(list);
    if (rows !== undefined) return this.writeRecords(rows, path);
    list.forEach((item, index) => {
      if (depth < 2 && !isScalar(item)) this.flush();
      this.writeValue(item, `${path}[${index}]`, depth + 1);
    });
  }

  private writeTable(list: JsonValue[], path: string): boolean {
    const records = list.map((item) => flatten(this.withoutCoordinates(item)));
    if (!areAllRecords(records) || (records.length === 1 && !mayStandAlone(records[0]!))) return false;
    this.writeRecords(records, path);
    return true;
  }

  private writeRecords(records: readonly FlatRecord[], path: string): void {
    this.flush();
    if (path !== '') writePlainLines(this.output, [path], { kind: 'caption' });
    const table = new RecordTable(this.output);
    records.forEach((record, index) => table.add(record, `${path}[${index}]`));
    table.end(true);
    this.findings.tables += table.tables;
    this.findings.tableRows += table.rows;
  }

  /** A feature of a map with its geometry in words. */
  private withoutCoordinates(item: JsonValue): JsonValue {
    if (isScalar(item) || Array.isArray(item) || item['type'] !== 'Feature') return item;
    const geometry = item['geometry'];
    if (geometry === undefined || !isGeometry(geometry)) return item;
    this.findings.geometries += 1;
    const { type: _type, geometry: _geometry, properties, ...others } = item;
    const named = properties !== undefined && !isScalar(properties) && !Array.isArray(properties) ? properties : {};
    return { ...others, ...named, geometry: describeGeometry(geometry) };
  }

  private writeLine(path: string, text: string): void {
    const value = text.trim();
    const line = path === '' ? value : value.includes('\n') ? `${path}:\n${value}` : `${path}: ${value}`.trimEnd();
    if (line.trim() === '') return;
    if (this.units + line.length > MAX_PARAGRAPH_UNITS) this.flush();
    this.lines.push(...line.split(/\r\n|[\r\n]/));
    this.units += line.length;
  }

  private flush(): void {
    if (this.lines.length > 0) writePlainLines(this.output, this.lines);
    this.lines = [];
    this.units = 0;
  }
}

function areAllRecords(records: readonly (FlatRecord | undefined)[]): records is FlatRecord[] {
  return records.every((record) => record !== undefined);
}
