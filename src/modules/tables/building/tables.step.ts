import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#libs/common';
import {
  ColumnProfiler,
  identifierOf,
  TableReader,
  TableScan,
  type CellValue,
  type TablePlan,
  type TableRules,
} from '#libs/tabular';
import { DEFAULT_POLICY, type IngestionPolicy, type TablesPolicy } from '../../ingestion-policy/index.js';
import { IngestionStep, type ParsedState, type StepAttempt, type StepOutput } from '../../content/index.js';
import { ParquetRows } from '../sql/parquet-rows.js';
import { rowsOfSegments, type FoundRow, type FoundTable } from '../catalogue/segment-tables.js';
import { TableNamesRepository } from '../catalogue/table-names.repository.js';

const MAX_TABLES = 500;
const MAX_COLUMNS = 300;
const MAX_ROWS = 1_000_000;
const MAX_CELLS = 5_000_000;
const SAMPLE_ROWS = 10;
const SAMPLE_UNITS = 200;
/** Types whose every file is one table, also when it has one column. */
const TABLE_TYPES = /^text\/(?:csv|tab-separated-values)$/;

interface PlannedTable {
  readonly table: FoundTable;
  readonly plan: TablePlan;
}

interface PlannedTables {
  readonly planned: readonly PlannedTable[];
  /** Tables with values. */
  readonly found: number;
  /** Tables that came when all cells of the document had been used up, or whose first row of values did. */
  readonly beyondCells: number;
}

/**
 * Makes typed tables from the tables that parsing found. Reads the masked text twice, once to determine the columns of each table and once to
 * write its rows, so that a long text needs little memory.
 */
@Injectable()
@IngestionStep({ name: 'tables', at: 'after_parsing', tables: ['document_tables'], onFailure: 'warn' })
export class TablesStep implements IngestionStep<'after_parsing'> {
  constructor(private readonly names: TableNamesRepository) {}

  async *run(attempt: StepAttempt, state: ParsedState): AsyncGenerator<StepOutput> {
    const rules = rulesOf(attempt.policy);
    if (!rules.enabled) return;
    const plans = await planTables(attempt, state, rules);
    const { planned } = plans;
    if (planned.length === 0) return;
    const nths = nthOfSheets(planned);
    const places = planned.map(({ table }, index) => ({ sheet: table.sheet ?? '', nth: nths[index]! }));
    const names = await this.names.claim(attempt.ctx, attempt.document, places);
    let index = 0;
    let open: TableWriter | undefined;
    for await (const rows of rowsOfSegments(state.segments())) {
      attempt.signal.throwIfAborted();
      for (const row of rows) {
        while (index < planned.length && planned[index]!.table.index < row.table.index) {
          if (open !== undefined) yield await open.finish(index + 1, names[index]!);
          open = undefined;
          index += 1;
        }
        const next = planned[index];
        if (next === undefined || next.table.index !== row.table.index) continue;
        open ??= new TableWriter(attempt, next);
        open.add(row);
      }
    }
    if (open !== undefined) yield await open.finish(index + 1, names[index]!);
    yield* warningsOf(plans);
  }
}

/** Policies that were written before there were tables say nothing of them. */
function rulesOf({ tables }: IngestionPolicy): TablesPolicy {
  return { ...DEFAULT_POLICY.tables, ...tables };
}

/** Learns how each table of the text is to be read. */
async function planTables(
  { document, signal }: StepAttempt,
  state: ParsedState,
  { header_rows: headerRows, types }: TablesPolicy,
): Promise<PlannedTables> {
  const base = {
    headerRows,
    types: new Map(Object.entries(types).map(([key, type]) => [key.toLowerCase(), type])),
    language: document.language,
  };
  const needsTwo = !TABLE_TYPES.test(document.mediaType);
  const planned: PlannedTable[] = [];
  let scan: { readonly table: FoundTable; readonly scan: TableScan } | undefined;
  let [found, beyondCells] = [0, 0];
  let cellsLeft = MAX_CELLS;
  const close = (): void => {
    const plan = scan?.scan.finish();
    if (plan === undefined && (scan?.scan.rowsLeftOut ?? 0) > 0) beyondCells += 1;
    if (scan === undefined || plan === undefined || (needsTwo && plan.columns.length < 2)) return;
    cellsLeft = Math.max(0, cellsLeft - plan.rowsTaken * plan.width);
    found += 1;
    if (planned.length < MAX_TABLES) planned.push({ table: scan.table, plan });
  };
  for await (const rows of rowsOfSegments(state.segments())) {
    signal.throwIfAborted();
    for (const row of rows) {
      if (scan?.table.index !== row.table.index) {
        close();
        const { markedRows, sheet } = row.table;
        const rules: TableRules = { ...base, markedRows, hasGrid: sheet !== null };
        const limits = { maxColumns: MAX_COLUMNS, maxRows: MAX_ROWS, maxCells: cellsLeft };
        scan = { table: row.table, scan: new TableScan(rules, limits) };
      }
      scan.scan.add(row);
    }
  }
  close();
  return { planned, found, beyondCells };
}

/** Writes one table. */
class TableWriter {
  private readonly reader: TableReader;
  private readonly parquet: ParquetRows;
  private readonly profilers: readonly ColumnProfiler[];
  private readonly samples: CellValue[][] = [];
  private rows = 0;
  private totals = 0;

  constructor(
    private readonly attempt: StepAttempt,
    private readonly planned: PlannedTable,
  ) {
    const columns = planned.plan.columns.map(({ name, reading }) => ({ name, type: reading.type }));
    this.reader = new TableReader(planned.plan);
    this.parquet = new ParquetRows(columns, { documentId: attempt.document.id, sheet: planned.table.sheet });
    this.profilers = columns.map(() => new ColumnProfiler());
  }

  add(found: FoundRow): void {
    const row = this.reader.read(found);
    if (row === undefined) return;
    this.parquet.add({ ...row, start: found.start, end: found.end });
    this.rows += 1;
    if (row.isTotal) this.totals += 1;
    else row.values.forEach((value, index) => this.profilers[index]!.add(value));
    if (this.samples.length < SAMPLE_ROWS) this.samples.push(row.values.map(shortValue));
  }

  /** The file is written, and then the table's row. */
  async finish(ordinal: number, name: string): Promise<StepOutput> {
    const { attempt, planned } = this;
    const { table, plan } = planned;
    const file = await attempt.files.put(`tables.${ordinal}.parquet`, this.parquet.finish());
    const profiles = this.profilers.map((profiler) => profiler.finish());
    const columns = plan.columns.map(({ name: column, label, reading }, index) => ({
      name: column,
      label,
      type: reading.type,
      unit: reading.unit,
      nullable: this.totals > 0 || profiles[index]!.nulls > 0,
    }));
    const row = {
      ordinal,
      dataset_id: attempt.document.datasetId,
      name,
      title: plan.title ?? table.title ?? attempt.document.name,
      sheet: table.sheet,
      page: table.page,
      row_count: this.rows,
      total_rows: this.totals,
      combined_name: combinedNameOf(columns.map((column) => column.name)),
      columns,
      profiles,
      samples: this.samples,
      repaired: this.reader.repaired(),
      fidelity: attempt.document.mediaType === 'application/pdf' ? 'guessed' : 'exact',
      object_key: file.key,
      size_bytes: file.sizeBytes,
    };
    return { kind: 'rows', table: 'document_tables', rows: [row as unknown as JsonObject] };
  }
}

/** The same for the same columns in the same order: their first names and a digest of all. */
function combinedNameOf(names: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 8);
  const words = [...identifierOf(`all ${names.slice(0, 3).join(' ')}`)].slice(0, 48).join('').replace(/_+$/, '');
  return `${words}_${digest}`;
}

function nthOfSheets(planned: readonly PlannedTable[]): number[] {
  const counts = new Map<string, number>();
  return planned.map(({ table }) => {
    const nth = (counts.get(table.sheet ?? '') ?? 0) + 1;
    counts.set(table.sheet ?? '', nth);
    return nth;
  });
}

function* warningsOf({ planned, found, beyondCells }: PlannedTables): Generator<StepOutput> {
  const repairs = planned.flatMap(({ plan }) => plan.repairs);
  const sum = (code: string): number =>
    repairs.filter((repair) => repair.code === code).reduce((total, { count }) => total + count, 0);
  const parts = [
    found > planned.length ? `${found - planned.length} tables beyond the first ${MAX_TABLES}` : '',
    beyondCells > 0 ? `${beyondCells} tables beyond the first ${MAX_CELLS} cells of the document` : '',
    sum('rows_left_out') > 0
      ? `${sum('rows_left_out')} rows beyond ${MAX_ROWS} rows of a table or ${MAX_CELLS} cells of the document`
      : '',
    sum('columns_left_out') > 0 ? `${sum('columns_left_out')} columns beyond the first ${MAX_COLUMNS} of a table` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return;
  const detail = `Not in the tables that can be queried: ${parts.join('; ')}. The text of the document contains all of it. Split the file to query everything.`;
  yield { kind: 'warning', code: 'TABLES_CUT', detail };
}

function shortValue(value: CellValue): CellValue {
  if (typeof value !== 'string' || value.length <= SAMPLE_UNITS) return value;
  return `${value.slice(0, SAMPLE_UNITS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
