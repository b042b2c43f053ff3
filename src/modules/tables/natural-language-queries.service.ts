import { Injectable } from '@nestjs/common';
import { catalogueErrorOf } from '#libs/common';
import type { TableResult } from '#libs/table-engine';
import {
  judgeResult,
  LEAST_CONFIDENCE,
  MAX_PROBED_VALUES,
  probeStatement,
  rankTables,
  readQuestion,
  type FoundValue,
  type QuestionTable,
  type Reading,
} from '#libs/table-questions';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../datasets/index.js';
import { DocumentTablesRepository, type ShownTable } from './document-tables.repository.js';
import type { RefusalReason } from './dto/query-natural-language.dto.js';
import { candidatesOf, withProfiles, type TableCandidate } from './question-tables.js';
import { SqlQueriesService } from './sql-queries.service.js';

/** What became of a question. */
export interface QuestionAnswer {
  /** The best reading, also of a refused question. */
  readonly reading: Reading | undefined;
  readonly refusal: { readonly code: RefusalReason; readonly reason: string } | undefined;
  /** Undefined for a dry run and a refused question. */
  readonly result: TableResult | undefined;
}

/** Tables whose cells are looked into for one question. */
const MAX_TABLES = 8;
/** Tables of which some cells are known before they are chosen among. */
const MAX_SKETCHED = 200;
const MAX_ROWS = 100;
const TIMEOUT_MS = 5000;
/** A question whose tables changed while it was answered is answered anew, so often at most. */
const ROUNDS = 3;
/** Readings of two tables that are as near as this cannot be told apart. */
const CLOSE = 0.03;

/** Answers questions by statements that rules make of them; each goes through the guard as a caller's own does. */
@Injectable()
export class NaturalLanguageQueriesService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly tables: DocumentTablesRepository,
    private readonly queries: SqlQueriesService,
  ) {}

  /** @throws `datasets.not_found`, `sql.timeout`, `sql.busy`. */
  async ask(
    ctx: RequestContext,
    id: string,
    request: { readonly question: string; readonly dryRun: boolean },
    signal?: AbortSignal,
  ): Promise<QuestionAnswer> {
    const dataset = await this.access.requireVisible(ctx, id);
    let shown = await this.tables.listShown(ctx, dataset.id);
    for (let round = 1; ; round += 1) {
      const answer = await this.answer(ctx, id, request, shown, signal);
      const after = await this.tables.listShown(ctx, dataset.id);
      if (round === ROUNDS || isSame(shown, after)) return answer;
      // The statement was made of what one generation holds and may have read another one's rows.
      shown = after;
    }
  }

  private async answer(
    ctx: RequestContext,
    id: string,
    request: { readonly question: string; readonly dryRun: boolean },
    shown: readonly ShownTable[],
    signal: AbortSignal | undefined,
  ): Promise<QuestionAnswer> {
    if (shown.length === 0) return refused('no_tables', undefined);
    const sketched = await this.tables.findDetails(ctx, shown.slice(0, MAX_SKETCHED));
    const candidates = rankTables(request.question, candidatesOf(shown, sketched), MAX_TABLES);
    const reading = await this.read(ctx, id, request.question, candidates, signal);
    if (reading === undefined) return refused('not_understood', undefined);
    if (reading.confidence < LEAST_CONFIDENCE) return refused('not_sure', reading);
    if (request.dryRun) return { reading, refusal: undefined, result: undefined };
    const result = await this.run(ctx, id, reading.sql, MAX_ROWS, signal);
    if (result === undefined) return refused('statement_refused', reading);
    const judged = { ...reading, confidence: judgeResult(request.question, reading, result.rows) };
    if (judged.confidence < LEAST_CONFIDENCE) return refused('not_sure', judged);
    return { reading: judged, refusal: undefined, result };
  }

  /** The best reading over any of the tables. */
  private async read(
    ctx: RequestContext,
    id: string,
    question: string,
    candidates: readonly TableCandidate[],
    signal: AbortSignal | undefined,
  ): Promise<Reading | undefined> {
    const parts = [...new Set(candidates.flatMap((candidate) => candidate.parts))];
    const details = await this.tables.findDetails(ctx, parts);
    const readings: { readonly reading: Reading; readonly candidate: TableCandidate }[] = [];
    for (const candidate of candidates) {
      const table = withProfiles(candidate, details);
      const reading = readQuestion(question, table, await this.find(ctx, id, question, table, signal));
      if (reading !== undefined) readings.push({ reading, candidate });
    }
    const [best, ...others] = readings.toSorted((a, b) => b.reading.confidence - a.reading.confidence);
    if (best === undefined) return undefined;
    // A part of the same table is no rival.
    const rival = others.find(({ candidate }) => !candidate.parts.some((part) => best.candidate.parts.includes(part)));
    return withRival(best.reading, rival?.reading);
  }

  /** Cells that have words of the question. */
  private async find(
    ctx: RequestContext,
    id: string,
    question: string,
    table: QuestionTable,
    signal: AbortSignal | undefined,
  ): Promise<FoundValue[]> {
    const sql = probeStatement(question, table);
    const result = sql === undefined ? undefined : await this.run(ctx, id, sql, MAX_PROBED_VALUES, signal);
    return (result?.rows ?? []).map(([column, value]) => ({ column: String(column), value: String(value) }));
  }

  /** Undefined when the statement does not fit the tables; they may have changed meanwhile. */
  private async run(
    ctx: RequestContext,
    id: string,
    sql: string,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<TableResult | undefined> {
    try {
      return await this.queries.run(ctx, id, { sql, limit, timeout_ms: TIMEOUT_MS }, signal);
    } catch (error) {
      if (/^sql\.(?!timeout|busy)/.test(catalogueErrorOf(error)?.code ?? '')) return undefined;
      throw error;
    }
  }
}

function isSame(before: readonly ShownTable[], after: readonly ShownTable[]): boolean {
  return before.length === after.length && before.every((table, at) => table.object_key === after[at]!.object_key);
}

function withRival(best: Reading, rival: Reading | undefined): Reading {
  if (rival === undefined || rival.confidence < LEAST_CONFIDENCE) return best;
  const isClose = best.confidence - rival.confidence < CLOSE;
  const assumption = `The table “${best.table}” is meant, not “${rival.table}”.`;
  const confidence = isClose ? Math.round(best.confidence * 90) / 100 : best.confidence;
  return { ...best, confidence, assumptions: [...best.assumptions, assumption] };
}

function refused(code: RefusalReason, reading: Reading | undefined): QuestionAnswer {
  return { reading, refusal: { code, reason: REASONS[code](reading) }, result: undefined };
}

const ADVICE = 'Name columns and values as the tables have them (GET /datasets/{id}/tables), or write SQL.';
const REASONS: Readonly<Record<RefusalReason, (reading: Reading | undefined) => string>> = {
  no_tables: () => 'The dataset has no tables that can be asked: none of its searchable documents holds one.',
  not_understood: () => `No statement could be made of the question. ${ADVICE}`,
  not_sure: (reading) => {
    const words = (reading?.unexplained ?? []).slice(0, 10).map((word) => `“${word}”`);
    const open = words.length === 0 ? '' : ` Nothing in the tables was found for ${words.join(', ')}.`;
    return `No reading of the question is good enough for an answer.${open} ${ADVICE}`;
  },
  statement_refused: () =>
    'The statement made of the question does not fit the tables, which may have changed. Ask again.',
};
