/**
 * Types, units and header rows that the rules find in tables, against what a careful reader has annotated in `column-types*.jsonl`:
 *
 *   node --conditions=source --experimental-transform-types bench/tables/column-types.ts DATA
 *
 * DATA holds the folders `wtq` and `files`. Files are parsed in this process. A table of the annotation is the one of its file and
 * sheet that has the most of its headers; one that is not found counts with all of its columns as wrong. Each disagreement is shown.
 * The exit code is 1 below 97 % of the types.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import type { TablePlan } from '#libs/tabular';
import type { FoundTable } from '../../src/modules/tables/testing/segment-tables.js';

// The sources name each other by the names they have once compiled.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.includes('/node_modules/') !== true
      ? next(`${specifier.slice(0, -3)}.ts`, context)
      : next(specifier, context),
});
const { TableScan } = await import('#libs/tabular');
const { rowsOfSegments } = await import('../../src/modules/tables/testing/segment-tables.js');
const { parseBytes } = await import('../../libs/parsing/src/testing/parse-bytes.js');

const LEAST_RIGHT = 0.97;
const SIGNS = new Map([
  ['€', 'eur'],
  ['$', 'usd'],
  ['£', 'gbp'],
]);
const CURRENCIES = new Set(SIGNS.values());
const LIMITS = { maxColumns: 300, maxRows: 1_000_000, maxCells: 5_000_000 };

interface AnnotatedColumn {
  readonly header: string;
  readonly type: string;
  readonly unit: string | null;
  readonly also?: readonly string[];
}

interface AnnotatedTable {
  readonly file: string;
  readonly sheet: string | null;
  readonly table: number;
  readonly header_rows: number;
  readonly columns: readonly AnnotatedColumn[];
}

interface ReadTable {
  readonly found: FoundTable;
  readonly plan: TablePlan;
}

const here = import.meta.dirname;
const data = process.argv[2];
if (data === undefined) throw new Error('The folder with wtq and files is missing.');

const annotated = ['column-types.jsonl', 'column-types-own.jsonl'].flatMap((name) =>
  readFileSync(join(here, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AnnotatedTable),
);
const counts = { columns: 0, types: 0, units: 0, unitsRight: 0, tables: 0, headers: 0 };
for (const [file, tables] of Map.groupBy(annotated, ({ file: name }) => name)) {
  const path = join(file.startsWith('own/') ? here : data, file);
  const free = await readTables(path);
  for (const table of tables) compare(table, takeBest(free, table));
}
const share = counts.types / counts.columns;
const percent = (part: number, whole: number): string => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
console.log(`\ntypes right: ${percent(counts.types, counts.columns)}`);
console.log(`units right, where there is one: ${percent(counts.unitsRight, counts.units)}`);
console.log(`header rows right: ${percent(counts.headers, counts.tables)}`);
process.exitCode = share < LEAST_RIGHT ? 1 : 0;

async function readTables(path: string): Promise<ReadTable[]> {
  const { text, blocks } = await parseBytes(readFileSync(path), basename(path));
  async function* segments(): AsyncGenerator<{ start: number; text: string; blocks: typeof blocks }> {
    yield { start: 0, text, blocks };
  }
  const scans = new Map<number, { found: FoundTable; scan: InstanceType<typeof TableScan> }>();
  for await (const rows of rowsOfSegments(segments())) {
    for (const row of rows) {
      const rules = {
        headerRows: 'auto',
        types: new Map(),
        language: 'en',
        markedRows: row.table.markedRows,
        hasGrid: row.table.sheet !== null,
      } as const;
      const known = scans.get(row.table.index) ?? { found: row.table, scan: new TableScan(rules, LIMITS) };
      scans.set(row.table.index, known);
      known.scan.add(row);
    }
  }
  return [...scans.values()].flatMap(({ found, scan }) => {
    const plan = scan.finish();
    return plan === undefined ? [] : [{ found, plan }];
  });
}

/** The annotation has kinds of numbers that here are numbers with a unit. */
function numberKind(reading: TablePlan['columns'][number]['reading'] | undefined): string | undefined {
  if (reading?.type !== 'number' && reading?.type !== 'integer') return undefined;
  if (reading.unit === '%') return 'percent';
  return CURRENCIES.has(unitOf(reading.unit ?? '')) ? 'currency' : undefined;
}

function unitOf(unit: string): string {
  return SIGNS.get(unit) ?? unit.trim().toLowerCase();
}

/** The first table that has the most of the annotated headers; it is taken away. */
function takeBest(free: ReadTable[], table: AnnotatedTable): ReadTable | undefined {
  const wanted = table.columns.map(({ header }) => keyOf(header));
  const fits = ({ found, plan }: ReadTable): number => {
    if (table.sheet !== null && found.sheet !== table.sheet) return -1;
    const labels = plan.columns.map(({ label }) => keyOf(label));
    const common = wanted.filter((header) => header !== '' && labels.includes(header)).length;
    return common * 2 + (labels.length === wanted.length ? 1 : 0);
  };
  const best = free.toSorted((one, other) => fits(other) - fits(one))[0];
  if (best === undefined || fits(best) < 1) return undefined;
  free.splice(free.indexOf(best), 1);
  return best;
}

function compare(table: AnnotatedTable, read: ReadTable | undefined): void {
  const place = `${table.file}${table.sheet === null ? '' : ` ${table.sheet}`} ${table.table}`;
  counts.tables += 1;
  counts.columns += table.columns.length;
  if (read === undefined) {
    console.log(`${place}: not found, ${table.columns.length} columns`);
    return;
  }
  const { plan } = read;
  if (headerRowsOf(plan) === table.header_rows) counts.headers += 1;
  else console.log(`${place}: ${headerRowsOf(plan)} header rows, not ${table.header_rows}`);
  table.columns.forEach((column, index) => {
    const own =
      plan.columns.find(({ label }) => label !== '' && keyOf(label) === keyOf(column.header)) ??
      plan.columns.find((one) => one.index === index);
    const type = own?.reading.type ?? 'none';
    if (type === column.type || column.type === numberKind(own?.reading) || column.also?.includes(type) === true)
      counts.types += 1;
    else console.log(`${place}, ${column.header || `column ${index + 1}`}: ${type}, not ${column.type}`);
    if (column.unit === null) return;
    counts.units += 1;
    if (own !== undefined && unitOf(own.reading.unit ?? '') === unitOf(column.unit)) counts.unitsRight += 1;
    else console.log(`${place}, ${column.header}: unit ${own?.reading.unit ?? 'none'}, not ${column.unit}`);
  });
}

function headerRowsOf({ rowsAbove, repairs }: TablePlan): number {
  return rowsAbove - repairs.filter(({ code }) => code === 'title_rows').reduce((sum, { count }) => sum + count, 0);
}

function keyOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/\[.{1,3}\]|[†*]/g, '')
    .replace(/[\s/]+/g, ' ')
    .trim();
}
