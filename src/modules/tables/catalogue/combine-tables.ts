import type { ColumnType } from '#libs/tabular';
import type { DocumentColumn } from './document-table.entity.js';
import type { ShownTable } from './document-tables.repository.js';

/** Tables of the same columns, as one. */
export interface CombinedTable {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly DocumentColumn[];
  /** Name of the last column, with the document of each row. */
  readonly documentColumn: string;
  readonly parts: readonly ShownTable[];
}

/** Tables whose columns have the same names in the same order, two or more of them; by name. */
export function combineTables(tables: readonly ShownTable[]): CombinedTable[] {
  const taken = new Set(tables.map(({ name }) => name));
  const groups = Map.groupBy(tables, (table) => table.combined_name);
  return [...groups]
    .filter(([name, parts]) => parts.length > 1 && !taken.has(name))
    .map(([name, parts]) => {
      const columns = combinedColumns(parts);
      return { name, title: titleOf(parts), columns, documentColumn: freeName(columns), parts };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function combinedColumns(parts: readonly ShownTable[]): DocumentColumn[] {
  return parts[0]!.columns.map((first, index) => {
    const all = parts.map(({ columns }) => columns[index]!);
    const unit = all.every((column) => column.unit === first.unit) ? first.unit : null;
    const type = all.map((column) => column.type).reduce(widerType);
    return { name: first.name, label: first.label, type, unit, nullable: all.some(({ nullable }) => nullable) };
  });
}

/** The narrowest type that holds the values of both. */
export function widerType(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a;
  const both = new Set([a, b]);
  if (both.has('integer') && both.has('number')) return 'number';
  if (both.has('date') && both.has('datetime')) return 'datetime';
  return 'text';
}

function titleOf(parts: readonly ShownTable[]): string {
  const titles = new Set(parts.map(({ title }) => title));
  return titles.size === 1 ? parts[0]!.title : `${parts.length} tables with the same columns`;
}

function freeName(columns: readonly DocumentColumn[]): string {
  const taken = new Set(columns.map(({ name }) => name));
  let name = 'document';
  for (let nth = 2; taken.has(name); nth += 1) name = `document_${nth}`;
  return name;
}
