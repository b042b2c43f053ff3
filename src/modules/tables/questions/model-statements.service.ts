import { Injectable } from '@nestjs/common';
import { ChatModel, ModelFailure, writeText, type ModelCaller } from '#libs/ai';
import { catalogueErrorOf, type DatasetId } from '#libs/common';
import type { TableResult } from '../engine/table-engine.port.js';
import type { RequestContext } from '#libs/tenancy';
import { SqlQueriesService } from '../sql/sql-queries.service.js';
import type { FittedSchema } from './fit-schema.js';
import { MAX_TOKENS, statementTask, type StatementQuestion, type WrittenStatement } from './statement-prompt.js';

/** Maximum number of calls: a first statement and one repair. */
const MAX_CALLS = 2;
/** For all calls of one question together. */
const MODEL_MS = 30_000;
const MAX_ROWS = 100;
const STATEMENT_MS = 5_000;
const TENANT_BUDGET = 429;
/** Room in a model's context for the rules, the question, a repair and the answer. */
const OTHER_TOKENS = 2_500 + MAX_TOKENS;
const SCHEMA_TOKENS = 4_000;

export interface ModelQuestion {
  readonly dataset: DatasetId;
  readonly question: string;
  readonly schema: FittedSchema;
  readonly signal?: AbortSignal;
}

export type StatementFailure =
  'model_failed' | 'model_timeout' | 'model_budget' | 'model_context' | 'model_statement_refused';

/** Outcome of a model for a question. */
export type ModelOutcome = { readonly calls: number } & (
  | {
      readonly kind: 'answered';
      readonly written: WrittenStatement & { readonly sql: string };
      readonly result: TableResult;
      readonly isRepaired: boolean;
      readonly isEmpty: boolean;
    }
  /** The model says that the tables do not contain the answer. */
  | { readonly kind: 'declined'; readonly words: string }
  | {
      readonly kind: 'failed';
      readonly failure: StatementFailure;
      /** Code of the error by which its last statement was refused. */
      readonly refusedBy?: string;
    }
);

type Tried = { readonly result: TableResult } | { readonly problem: string; readonly code: string };

/** Has a chat model write statements and executes them like those of a caller, with the same checks. */
@Injectable()
export class ModelStatements {
  constructor(
    private readonly model: ChatModel,
    private readonly queries: SqlQueriesService,
  ) {}

  /** Whether there is a model that writes text of its own. */
  get isInstalled(): boolean {
    return this.model.descriptor.kind === 'generative';
  }

  get name(): string {
    const { provider, model } = this.model.descriptor;
    return `${provider}/${model}`;
  }

  /** Tokens that the tables may take in a prompt. */
  get schemaTokens(): number {
    return Math.max(0, Math.min(SCHEMA_TOKENS, this.model.descriptor.contextTokens - OTHER_TOKENS));
  }

  /**
   * A statement that was executed, after at most one repair. Failures of the model and of the budget are results, not errors.
   * @throws `datasets.not_found`, `sql.busy`.
   */
  async write(ctx: RequestContext, asked: ModelQuestion): Promise<ModelOutcome> {
    if (asked.schema.lines.length === 0) return { kind: 'failed', failure: 'model_context', calls: 0 };
    const limit = AbortSignal.timeout(MODEL_MS);
    const signal = asked.signal === undefined ? limit : AbortSignal.any([asked.signal, limit]);
    let repair: StatementQuestion['repair'];
    let empty: ModelOutcome | undefined;
    let failed: { failure: StatementFailure; refusedBy?: string } = { failure: 'model_failed' };
    for (let calls = 1; calls <= MAX_CALLS; calls += 1) {
      const written = await this.ask(ctx, asked, repair, signal);
      asked.signal?.throwIfAborted();
      if (typeof written === 'string') {
        if (written !== 'malformed') {
          const failure = limit.aborted ? 'model_timeout' : written;
          const spent = failure === 'model_budget' ? calls - 1 : calls;
          return { ...(empty ?? { kind: 'failed', failure }), calls: spent };
        }
        failed = { failure: 'model_failed' };
        repair = { sql: undefined, problem: 'It was no JSON object of the form that is asked for.' };
        continue;
      }
      const { sql } = written;
      if (sql === null) return { ...(empty ?? { kind: 'declined', words: written.explanation }), calls };
      const tried = await this.attempt(ctx, asked, sql);
      if ('problem' in tried) {
        failed = { failure: 'model_statement_refused', refusedBy: tried.code };
        repair = { sql, problem: tried.problem };
        continue;
      }
      const { result } = tried;
      const isEmpty = isNothing(result);
      const isRepaired = calls > 1 && empty === undefined;
      const answered = { kind: 'answered' as const, written: { ...written, sql }, result, isRepaired, isEmpty, calls };
      if (!isEmpty || calls === MAX_CALLS) return isEmpty && empty !== undefined ? { ...empty, calls } : answered;
      empty = answered;
      repair = { sql, problem: NOTHING_FOUND };
    }
    return { ...(empty ?? { kind: 'failed', ...failed }), calls: MAX_CALLS };
  }

  private async ask(
    ctx: RequestContext,
    { dataset, question, schema }: ModelQuestion,
    repair: StatementQuestion['repair'],
    signal: AbortSignal,
  ): Promise<WrittenStatement | 'malformed' | 'model_failed' | 'model_budget'> {
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds: [dataset], purpose: 'table_question' };
    const task = statementTask({ question, tables: schema.lines, repair });
    try {
      return await writeText(this.model, task, { signal, caller });
    } catch (error) {
      if (signal.aborted) return 'model_failed';
      if (error instanceof ModelFailure && error.kind === 'malformed') return 'malformed';
      const known = catalogueErrorOf(error);
      // A fault of our own.
      if (known === undefined) throw error;
      return known.status === TENANT_BUDGET ? 'model_budget' : 'model_failed';
    }
  }

  private async attempt(ctx: RequestContext, { dataset, signal }: ModelQuestion, sql: string): Promise<Tried> {
    try {
      const request = { sql, limit: MAX_ROWS, timeout_ms: STATEMENT_MS };
      return { result: await this.queries.run(ctx, dataset, request, signal) };
    } catch (error) {
      const known = catalogueErrorOf(error);
      if (known === undefined || !/^sql\.(?!busy)/.test(known.code)) throw error;
      return { problem: known.message, code: known.code };
    }
  }
}

const NOTHING_FOUND =
  'The statement was carried out and found nothing. Look whether texts are compared with cells as they are spelled in "values", in the ' +
  'right column, and whether conditions exclude each other. Where it is right that nothing is found, write the same statement again.';

/** No rows, or nothing in them. */
function isNothing({ rows }: TableResult): boolean {
  return rows.every((row) => row.every((cell) => cell === null || String(cell) === '0'));
}
