import { Injectable } from '@nestjs/common';
import { catalogueErrorOf } from '#libs/common';
import type { CellValue, TableResult } from '../engine/table-engine.port.js';
import { calibrate } from '../question-rules/calibration.js';
import { chooseReading, type ChosenReading, type RivalReading } from '../question-rules/choose-reading.js';
import { judgeResult } from '../question-rules/judge-result.js';
import { LEAST_CONFIDENCE, readQuestion, type Reading } from '../question-rules/read-question.js';
import { MAX_PROBED_VALUES, probeStatement } from '../question-rules/probe-values.js';
import { rankTables } from '../question-rules/rank-tables.js';
import type { FoundValue, QuestionTable } from '../question-rules/question-table.js';
import type { RequestContext } from '#libs/tenancy';
import { DocumentTablesRepository, type ShownTable } from '../catalogue/document-tables.repository.js';
import { SqlQueriesService } from '../sql/sql-queries.service.js';
import { byRules, REFUSAL_ADVICE, STATEMENT_REFUSED, type QuestionAnswer } from './question-answer.js';
import { candidatesOf, samplesOf, withProfiles, type TableCandidate } from './question-tables.js';

/** Maximum number of tables whose cells are read for one question. */
const MAX_TABLES = 8;
/** Maximum number of tables whose sample cells are read before the choice. */
const MAX_SKETCHED = 200;
const MAX_ROWS = 100;
const TIMEOUT_MS = 5000;

/** A table that a question can be about, with what its words mean there. */
export interface LinkedTable {
  readonly table: QuestionTable;
  readonly parts: readonly ShownTable[];
  readonly found: readonly FoundValue[];
  /** First values of each column, by its name. */
  readonly samples: ReadonlyMap<string, readonly CellValue[]>;
}

/** Reading of a question by rules. */
export interface RuleReading {
  readonly chosen: ChosenReading | undefined;
  /** The tables that were read, those with the most words of the question first. */
  readonly linked: readonly LinkedTable[];
  /** Tables that there are. */
  readonly total: number;
}

/** Reads questions by rules and executes the statements that the rules write. */
@Injectable()
export class RuleReadings {
  constructor(
    private readonly tables: DocumentTablesRepository,
    private readonly queries: SqlQueriesService,
  ) {}

  /** The best reading over any of the tables that are shown. @throws `sql.timeout`, `sql.busy`. */
  async read(
    ctx: RequestContext,
    id: string,
    question: string,
    shown: readonly ShownTable[],
    signal?: AbortSignal,
  ): Promise<RuleReading> {
    const sketched = await this.tables.findDetails(ctx, shown.slice(0, MAX_SKETCHED));
    const all = candidatesOf(shown, sketched);
    const candidates = rankTables(question, all, MAX_TABLES);
    const linked = await this.link(ctx, id, question, candidates, signal);
    const readings = linked.flatMap(({ table, found, parts }): RivalReading[] => {
      const reading = readQuestion(question, table, found);
      return reading === undefined ? [] : [{ reading, rows: parts }];
    });
    return { chosen: chooseReading(readings, shown.length), linked, total: all.length };
  }

  /** @throws `sql.timeout`, `sql.busy`. */
  async answer(
    ctx: RequestContext,
    id: string,
    request: { readonly question: string; readonly dryRun: boolean },
    { chosen, total }: RuleReading,
    signal?: AbortSignal,
  ): Promise<QuestionAnswer> {
    if (total === 0) return refused('no_tables', undefined);
    if (chosen === undefined) return refused('not_understood', undefined);
    const { reading, ambiguous } = chosen;
    if (reading.open.length > 0) return refused('condition_not_understood', reading);
    if (reading.confidence < LEAST_CONFIDENCE) return refused('not_sure', reading);
    if (ambiguous.length > 0) return refused('ambiguous', reading, ambiguous);
    if (request.dryRun) return byRules(toUnderstanding(reading), {});
    const result = await this.run(ctx, id, reading.sql, MAX_ROWS, signal);
    if (result === undefined) return byRules(toUnderstanding(reading), { refusal: STATEMENT_REFUSED });
    const judged = { ...reading, confidence: judgeResult(request.question, reading, result.rows) };
    if (judged.confidence < LEAST_CONFIDENCE) return refused('not_sure', judged);
    return byRules(toUnderstanding(judged), { result });
  }

  private async link(
    ctx: RequestContext,
    id: string,
    question: string,
    candidates: readonly TableCandidate[],
    signal: AbortSignal | undefined,
  ): Promise<LinkedTable[]> {
    const parts = [...new Set(candidates.flatMap((candidate) => candidate.parts))];
    const details = await this.tables.findDetails(ctx, parts);
    const linked: LinkedTable[] = [];
    for (const candidate of candidates) {
      const table = withProfiles(candidate, details);
      const found = await this.find(ctx, id, question, table, signal);
      linked.push({ table, parts: candidate.parts, found, samples: samplesOf(candidate, details) });
    }
    return linked;
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

function toUnderstanding(reading: Reading): NonNullable<QuestionAnswer['reading']> {
  return { ...reading, confidence: calibrate(reading.confidence), tables: [reading.table] };
}

function refused(
  code: keyof typeof REASONS,
  reading: Reading | undefined,
  ambiguous: readonly string[] = [],
): QuestionAnswer {
  const understood = reading === undefined ? undefined : toUnderstanding(reading);
  return byRules(understood, { refusal: { code, reason: REASONS[code](reading, ambiguous) } });
}

const RELATIVE =
  /\b(?:last|this|next|past|previous|current|recent|today|yesterday|tomorrow|recently|lately|ytd)\b|\b(?:year|month|quarter|week)s?$/;

const REASONS = {
  no_tables: () => 'The dataset has no tables: none of its searchable documents holds one.',
  not_understood: () => `The question could not be turned into a statement. ${REFUSAL_ADVICE}`,
  not_sure: (reading) => {
    const words = (reading?.unexplained ?? []).slice(0, 10).map((word) => `“${word}”`);
    const open = words.length === 0 ? '' : ` Nothing in the tables was found for ${words.join(', ')}.`;
    return `No reading of the question is certain enough for an answer.${open} ${REFUSAL_ADVICE}`;
  },
  condition_not_understood: (reading) => {
    const open = reading?.open ?? [];
    const words = open.slice(0, 10).map((word) => `“${word}”`);
    const time = open.some((word) => RELATIVE.test(word)) ? ' Write times as dates or years, not relative to now.' : '';
    return `The question may restrict the rows by ${words.join(', ')}, which fits no column or value of the table “${reading?.table ?? ''}”. Leave these words out, or name a column and a value of the table.${time} ${REFUSAL_ADVICE}`;
  },
  ambiguous: (_reading, tables) => {
    const names = tables.map((name) => `“${name}”`).join(', ');
    const fit =
      tables.length > 1
        ? `The question fits several tables equally: ${names}.`
        : 'No word of the question says which of the tables is meant.';
    return `${fit} Name the table, or something that only this table has. ${REFUSAL_ADVICE}`;
  },
} as const satisfies Readonly<Record<string, (reading: Reading | undefined, tables: readonly string[]) => string>>;
