import { Injectable } from '@nestjs/common';
import { catalogueErrorOf, inTurns, type DatasetId, type Steps } from '#libs/common';
import type { CellValue } from '../engine/table-engine.port.js';
import type { RequestContext } from '#libs/tenancy';
import type { ChunkMetadata, Filter } from '#libs/vector-store';
import { TableCatalogue, type QueryableTable } from '../catalogue/table-catalogue.port.js';
import { toJudged } from './document-judge.service.js';
import { schemaOf } from './fact-schema.js';
import { LOOKED_AT_MAX } from './filter-limits.js';
import type { CheapResult, FilterSubject, Judged, ReadAs, TextPlace } from './filter-subject.js';
import { PredicateRun } from './predicate-run.js';
import type { ReadingBounds } from './reading-time.js';
import { TableRows } from './table-rows.repository.js';

const ROWS_PER_PAGE = 1_000;
const ROW_CHARS = 1_000;
/** What a cell costs beside its text, counted as UTF-16 units. */
const CELL_COST = 16;
const BUSY = 503;

/** What is asked of rows. */
export interface RowQuestion {
  readonly dataset: DatasetId;
  readonly predicate: string;
  readonly bounds: ReadingBounds;
  readonly signal: AbortSignal;
}

interface ReadRow {
  readonly number: number;
  readonly cells: Readonly<Record<string, CellValue>>;
}

/** Judges the rows of tables without a model: by conditions over their columns, then by the words of their cells. */
@Injectable()
export class RowJudge {
  constructor(
    private readonly catalogue: TableCatalogue,
    private readonly rows: TableRows,
  ) {}

  /** Table by table, by name; rows that sum up others are left out. */
  async judge(ctx: RequestContext, question: RowQuestion): Promise<CheapResult> {
    const tables = (await this.catalogue.visibleTables(ctx, question.dataset)).filter(({ kind }) => kind === 'single');
    const judged: Judged[] = [];
    const readings: ReadAs[] = [];
    const warnings: { code: string; detail: string }[] = [];
    let left = 0;
    if (tables.length === 0) warnings.push(NO_TABLES);
    for (const table of tables) {
      question.signal.throwIfAborted();
      const rowCount = table.parts[0]!.rowCount;
      const most = LOOKED_AT_MAX.rows - judged.length;
      if (question.bounds.isUsedUp || most === 0) {
        left += rowCount;
        continue;
      }
      try {
        const { rows, isComplete } = await this.readRows(ctx, question, table, most);
        left += isComplete ? 0 : rowCount - rows.length;
        const { verdicts, reading } = await inTurns(judgeTable(question.predicate, table, rows), {
          party: ctx.tenantId,
          signal: question.signal,
        });
        judged.push(...verdicts);
        readings.push(reading);
      } catch (error) {
        question.signal.throwIfAborted();
        const known = catalogueErrorOf(error);
        if (known === undefined || known.status === BUSY) throw error;
        left += rowCount;
        warnings.push({ code: known.code, detail: `The table ${table.name} was not read: ${known.message}` });
      }
    }
    return { judged, total: judged.length + left, readings, warnings };
  }

  private async readRows(
    ctx: RequestContext,
    { dataset, bounds, signal }: RowQuestion,
    { name }: QueryableTable,
    most: number,
  ): Promise<{ rows: ReadRow[]; isComplete: boolean }> {
    const rows: ReadRow[] = [];
    let after = 0;
    while (rows.length < most && !bounds.isUsedUp) {
      const limit = Math.min(ROWS_PER_PAGE, most - rows.length);
      const page = await this.rows.page(ctx, dataset, { table: name, after, limit }, signal);
      const names = page.columns.map((column) => column.name);
      for (const [index, values] of page.rows.entries()) {
        const number = page.rowSources?.[index]?.row ?? 0;
        rows.push({ number, cells: Object.fromEntries(names.map((column, at) => [column, values[at] ?? null])) });
        bounds.take(values.reduce<number>((sum, value) => sum + String(value ?? '').length + CELL_COST, 0));
      }
      after = rows.at(-1)?.number ?? after;
      if (!page.truncated || page.rows.length === 0) return { rows, isComplete: true };
    }
    return { rows, isComplete: false };
  }
}

const NO_TABLES = {
  code: 'no_tables',
  detail:
    'The dataset has no tables, so there are no rows to judge. Tables are found in documents whose ingestion policy has tables.enabled; GET /datasets/{id}/tables lists them.',
};

function* judgeTable(
  predicate: string,
  { name, columns, parts }: QueryableTable,
  rows: readonly ReadRow[],
): Steps<{ verdicts: Judged[]; reading: ReadAs }> {
  const part = parts[0]!;
  const facts = rows.map(({ cells }) => factsOf(part, cells));
  const labels = new Map(columns.map((column) => [column.name, column.label]));
  const run = new PredicateRun<TextPlace>(predicate, { keys: yield* schemaOf(facts, labels), ofDocuments: false });
  const place: TextPlace = { chunkId: null, charStart: null };
  const texts = rows.map(({ cells }) => textOf(cells, labels));
  for (const [index, text] of texts.entries()) {
    const said = textOf(withoutDenied(rows[index]!.cells), labels);
    const pieces = run.needsText(facts[index]!) ? [{ text: said, title: '', ref: place }] : null;
    yield* run.add(facts[index]!, pieces, { isComplete: text.length < ROW_CHARS, language: null });
  }
  const verdicts = (yield* run.conclude()).map((verdict, index) => {
    const { number } = rows[index]!;
    const subject: FilterSubject = {
      id: `${name}/${number}`,
      documentId: part.documentId,
      documentName: part.documentName,
      generation: part.generation,
      metadata: '',
      chunkId: null,
      row: { table: name, number, text: texts[index]! },
    };
    const judged = toJudged(subject, verdict, true, 'columns');
    return {
      ...judged,
      facts: judged.facts.map((fact) => ({ ...fact, key: columnOf(fact.key) })),
      rationale: withColumns(judged.rationale),
    };
  });
  const { filters, statements, isNegated } = run;
  return { verdicts, reading: { table: name, filters: filters.map(withColumnKeys), statements, isNegated } };
}

/** The cells as metadata, so that conditions over columns are those over metadata. */
function factsOf(
  { documentId, documentName }: QueryableTable['parts'][number],
  cells: ReadRow['cells'],
): ChunkMetadata {
  return { documentId, documentName, mediaType: '', language: null, createdAt: '', tags: [], metadata: cells };
}

/** Without the cells that say no: the header of such a column is a word that the row does not hold. */
function withoutDenied(cells: ReadRow['cells']): ReadRow['cells'] {
  return Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== false));
}

function textOf(cells: ReadRow['cells'], labels: ReadonlyMap<string, string>): string {
  const parts = Object.entries(cells).flatMap(([name, value]) =>
    value === null ? [] : [`${labels.get(name) ?? name}: ${String(value)}`],
  );
  return parts.join('; ').slice(0, ROW_CHARS);
}

function columnOf(key: string): string {
  return key.replace(/^metadata\./, '');
}

function withColumns(rationale: string): string {
  return rationale.replaceAll(/(^|; )metadata\./g, '$1');
}

function withColumnKeys(filter: Filter): Filter {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map(withColumnKeys) };
  return { ...filter, key: columnOf(filter.key) };
}
