import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { canonicalJson, Once } from '#libs/common';
import { Sandbox, type Isolation } from '#libs/parsing';
import type { FailureCode, RunOutcome, StatementToRun } from '../child/protocol.js';
import type { Refusal } from '../guard/statement-verdict.js';
import { checkText } from '../guard/text-bounds.js';
import { sqlErrors } from '../sql.errors.js';
import {
  TableEngine,
  type CellValue,
  type EngineTable,
  type SourceDocument,
  type TableEngineState,
  type TableResult,
  type TableStatement,
} from '../table-engine.port.js';
import { DEFAULT_ENGINE_OPTIONS, engineBytesOf, type TableEngineOptions } from './engine-options.js';
import { FairTurns } from './fair-turns.js';
import { TableProcesses, type TablesKey } from './table-processes.js';
import { LoadFailed, ProcessGone, type TableProcess } from './table-process.js';

const MAX_NEAR = 40;

/** A sandbox shows the libs by itself; the program that holds tables lies beside them. */
const ENGINE_FOLDER = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
/** Number of tries of a statement whose process ended for another reason than the statement. */
const MAX_TRIES = 2;
/** A statement that ended for others is carried out once more in its turn; when it ends for others again it is refused. */
const MAX_TURNS = 2;
/** First the names of its tables are told, then the tables are loaded; a third time only when they went in between. */
const MAX_LOADS = 4;

/** DuckDB in limited processes: one for each dataset and set of visible tables. */
export class ProcessTableEngine extends TableEngine {
  private readonly options: TableEngineOptions;
  private readonly turns: FairTurns;
  private readonly held: TableProcesses;
  private readonly isolation = new Once(() => this.isolate());
  private isClosed = false;

  constructor(options: Partial<TableEngineOptions> = {}) {
    super();
    this.options = { ...DEFAULT_ENGINE_OPTIONS, ...options };
    const { concurrency: places, maxWaiting: waiting, maxWaitingOfOwner: waitingOfOwner, turnMs } = this.options;
    this.turns = new FairTurns({ places, waiting, waitingOfOwner, turnMs });
    this.held = new TableProcesses(this.options, () => this.isolation.read());
  }

  override async run(statement: TableStatement, { signal }: { signal?: AbortSignal } = {}): Promise<TableResult> {
    this.refuseWhenClosed();
    const refusal = checkText(statement.sql);
    if (refusal !== undefined) throw refusalError(refusal, statement.sql);
    for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
      const outcome = await this.inTurn(statement, signal);
      if (outcome !== undefined) return toResult(outcome, statement);
    }
    throw sqlErrors.busy({}, { retryAfter: 5 });
  }

  /** Undefined when its turn was over and another owner waited. */
  private async inTurn(statement: TableStatement, signal: AbortSignal | undefined): Promise<RunOutcome | undefined> {
    const place = await this.turns.take(statement.owner, signal);
    try {
      this.refuseWhenClosed();
      const end = signal === undefined ? place.over : AbortSignal.any([signal, place.over]);
      return await this.outcomeOf(statement, end);
    } catch (error) {
      signal?.throwIfAborted();
      if (place.over.aborted && !this.isClosed) return undefined;
      throw error;
    } finally {
      this.turns.give(place);
      this.held.trim();
    }
  }

  override state(): TableEngineState {
    return this.held.state();
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    this.turns.failAll(sqlErrors.busy({}, { retryAfter: 2 }));
    await this.held.close();
  }

  private async outcomeOf(statement: TableStatement, signal: AbortSignal | undefined): Promise<RunOutcome> {
    const key = keyOf(statement);
    const toRun = toStatementToRun(statement, this.options);
    let tries = 0;
    let needed: readonly string[] | undefined;
    for (let loads = 0; loads < MAX_LOADS;) {
      const held = await this.processFor(key, statement, needed, signal);
      try {
        const outcome = await held.run(toRun, signal);
        if (outcome.kind === 'failed' && outcome.code === 'memory') held.retire();
        if (outcome.kind !== 'needs') return outcome;
        needed = outcome.tables;
        loads += 1;
      } catch (error) {
        if (!(error instanceof ProcessGone)) throw error;
        if (error.isOwnDoing) return { kind: 'failed', code: 'timeout', detail: '' };
        tries += 1;
        if (error.running <= 1 || tries >= MAX_TRIES) return { kind: 'failed', code: 'memory', detail: '' };
      }
    }
    throw sqlErrors.busy({}, { retryAfter: 2 });
  }

  private async processFor(
    key: TablesKey,
    { tables, withFile }: TableStatement,
    needed: readonly string[] | undefined,
    signal: AbortSignal | undefined,
  ): Promise<TableProcess> {
    try {
      return await this.held.processFor(key, { tables, withFile, needed, signal });
    } catch (error) {
      this.refuseWhenClosed();
      if (error instanceof LoadFailed && error.isMemory) throw this.tooLarge(needed);
      if (error instanceof ProcessGone)
        throw error.isOwnDoing ? sqlErrors.busy({}, { retryAfter: 5 }) : this.tooLarge(needed);
      throw error;
    }
  }

  private tooLarge(tables: readonly string[] = []): Error {
    const megabytes = Math.floor(engineBytesOf(this.options) / 1024 / 1024);
    return sqlErrors.tables_too_large({ tables: tables.slice(0, 20).join(', '), megabytes });
  }

  /** Tried until it answers; the answer then holds for the life of the process. */
  private async isolate(): Promise<Isolation> {
    const { namespaces, workFolder, hidden } = this.options;
    if (!namespaces) return { kind: 'limits', reason: 'namespaces are switched off' };
    return Sandbox.open({ workFolder, hidden, programFolders: [ENGINE_FOLDER] });
  }

  private refuseWhenClosed(): void {
    if (this.isClosed) throw sqlErrors.busy({}, { retryAfter: 2 });
  }
}

function keyOf({ dataset, tables }: TableStatement): TablesKey {
  const seen = canonicalJson(tables);
  return { dataset, visible: createHash('sha256').update(seen).digest('base64') };
}

function toStatementToRun(statement: TableStatement, { maxResultBytes }: TableEngineOptions): StatementToRun {
  const { sql, params, limit, timeoutMs, tables } = statement;
  const areParamsNamed = !Array.isArray(params);
  const byName: Record<string, CellValue> = areParamsNamed
    ? (params as Record<string, CellValue>)
    : Object.fromEntries((params as CellValue[]).map((value, index) => [String(index + 1), value]));
  const names = tables.map(({ name }) => name);
  return { sql, params: byName, areParamsNamed, tables: names, limit, timeoutMs, maxResultBytes };
}

function toResult(outcome: RunOutcome, statement: TableStatement): TableResult {
  switch (outcome.kind) {
    case 'rows':
      return {
        columns: outcome.columns,
        rows: outcome.rows,
        truncated: outcome.truncated,
        rowSources: outcome.places,
        sourceDocuments: documentsOf(outcome.tables, outcome.documents, statement.tables),
        tables: outcome.tables,
      };
    case 'refused':
      throw refusalError(outcome.refusal, statement.sql);
    case 'needs':
      throw sqlErrors.busy({}, { retryAfter: 2 });
    case 'failed':
      throw failureError(outcome, statement);
  }
}

/** By name; `ids` null: all of the tables. */
function documentsOf(
  names: readonly string[],
  ids: readonly string[] | null,
  tables: readonly EngineTable[],
): SourceDocument[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const all = new Map<string, SourceDocument>();
  const add = (name: string): void => {
    const table = byName.get(name);
    if (table?.kind === 'file') all.set(table.document.id, table.document);
    if (table?.kind === 'view') for (const { from } of table.parts) add(from);
  };
  for (const name of names) add(name);
  const found = ids === null ? [...all.values()] : ids.flatMap((id) => all.get(id) ?? []);
  return found.toSorted((a, b) => (a.name === b.name ? compare(a.id, b.id) : compare(a.name, b.name)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function refusalError({ code, detail, at }: Refusal, sql: string): Error {
  const reason = detail + placeIn(sql, at);
  return sqlErrors[code](
    { reason },
    { errors: [{ pointer: code === 'parameters' ? '/params' : '/sql', code, detail: reason }] },
  );
}

function failureError(
  { code, detail, at }: { code: FailureCode; detail: string; at?: number },
  { sql, timeoutMs }: TableStatement,
): Error {
  const reason = sentence(detail) + placeIn(sql, at);
  const options = { errors: [{ pointer: '/sql', code, detail: reason }] };
  switch (code) {
    case 'invalid':
    case 'failed':
      return sqlErrors[code]({ reason }, options);
    case 'result_too_large':
      return sqlErrors.result_too_large({ reason: detail });
    case 'memory':
      return sqlErrors.memory({});
    case 'timeout':
    case 'stopped':
      return sqlErrors.timeout({ ms: timeoutMs });
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Says where something is in a statement, as a sentence with a space before it; empty where the place is not known. */
function placeIn(sql: string, atByte: number | undefined): string {
  if (atByte === undefined) return '';
  const before = Buffer.from(sql, 'utf8').subarray(0, atByte).toString('utf8');
  const lines = before.split('\n');
  const rest = sql.slice(before.length).split('\n')[0]!.trim();
  const near = rest === '' ? 'at its end' : `near "${rest.slice(0, MAX_NEAR)}${rest.length > MAX_NEAR ? '…' : ''}"`;
  return ` Found in line ${lines.length}, column ${[...lines.at(-1)!].length + 1}, ${near}.`;
}
