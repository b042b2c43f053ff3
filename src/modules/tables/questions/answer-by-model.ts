import { judgeResult } from '../question-rules/judge-result.js';
import { LEAST_CONFIDENCE } from '../question-rules/read-question.js';
import type { TableResult } from '../engine/table-engine.port.js';
import type { QuestionWarningCode } from './query-natural-language.dto.js';
import type { FittedSchema } from './fit-schema.js';
import type { ModelOutcome } from './model-statements.service.js';
import {
  REFUSAL_ADVICE,
  type AskedModel,
  type QuestionAnswer,
  type QuestionWarning,
  type Understanding,
} from './question-answer.js';

type Outcome = Exclude<ModelOutcome, { readonly kind: 'failed' }>;
type Answered = Extract<ModelOutcome, { readonly kind: 'answered' }>;

/** One model's sureness is not another's: its word only lowers or raises one confidence that is the same for all. */
const SURENESS = { high: 0.85, medium: 0.72, low: 0.5 } as const;
const REPAIRED = 0.92;
const EMPTY = 0.8;
/** Confidence where rules and model find the same result in different ways. */
const AGREED = 0.92;

const WARNINGS: Readonly<Record<Exclude<QuestionWarningCode, 'schema_pruned'>, string>> = {
  model_failed: 'The chat model failed or wrote no usable statement; the rules answered.',
  model_timeout: 'The chat model took too long; the rules answered.',
  model_budget: 'The budget for models is used up; the rules answered.',
  model_context: 'No table fits into the context of the chat model, so it was not asked; the rules answered.',
  model_statement_refused: 'The statements that the chat model wrote were refused or failed; the rules answered.',
  tables_changed: 'Tables changed while the chat model was asked, so its statement was dropped; the rules answered.',
  nothing_found: 'The statement finds nothing, even after the chat model was asked to revise it.',
};

/** @param refusedBy Code of the error by which a statement was refused. */
export function warningOf(code: Exclude<QuestionWarningCode, 'schema_pruned'>, refusedBy?: string): QuestionWarning {
  return { code, detail: refusedBy === undefined ? WARNINGS[code] : `${WARNINGS[code]} Last error: ${refusedBy}.` };
}

/** The answer that a model's statement gives, or its refusal. */
export function answerByModel(
  request: { readonly question: string; readonly dryRun: boolean },
  outcome: Outcome,
  beside: {
    readonly schema: FittedSchema;
    readonly model: AskedModel;
    /** What the rules answered before. */
    readonly rules: QuestionAnswer | undefined;
  },
): QuestionAnswer {
  const { schema, model } = beside;
  const pruned = prunedWarning(schema);
  const base = { method: 'model' as const, model, result: undefined, refusal: undefined };
  if (outcome.kind === 'declined') {
    const said = outcome.words === '' ? '' : ` The chat model says: ${outcome.words}`;
    const reason = `The tables do not contain the answer.${said} ${REFUSAL_ADVICE}`;
    return { ...base, reading: undefined, refusal: { code: 'not_in_tables', reason }, warnings: pruned };
  }
  const reading = toUnderstanding(request.question, outcome, pruned, beside.rules?.result);
  const warnings = [...pruned, ...(outcome.isEmpty ? [warningOf('nothing_found')] : [])];
  if (reading.confidence < LEAST_CONFIDENCE) {
    const reason = `The chat model is not sure enough of its statement. ${REFUSAL_ADVICE}`;
    return { ...base, reading, refusal: { code: 'not_sure', reason }, warnings };
  }
  return { ...base, reading, warnings, result: request.dryRun ? undefined : outcome.result };
}

function toUnderstanding(
  question: string,
  { written, result, isRepaired, isEmpty }: Answered,
  pruned: readonly QuestionWarning[],
  ofRules: TableResult | undefined,
): Understanding {
  const factor = (isRepaired ? REPAIRED : 1) * (isEmpty ? EMPTY : 1);
  const confidence = SURENESS[written.sure] * factor;
  const judged = judgeResult(question, { confidence, kind: 'rows', wordConditions: 0 }, result.rows);
  const isAgreed = ofRules !== undefined && !isEmpty && isSameRows(result, ofRules);
  return {
    table: result.tables[0] ?? '',
    tables: result.tables,
    sql: written.sql,
    explanation: written.explanation === '' ? 'A statement written by the chat model.' : written.explanation,
    assumptions: [...written.assumptions, ...pruned.map(({ detail }) => detail)],
    confidence: isAgreed ? Math.max(AGREED, judged) : judged,
    unexplained: [],
  };
}

function prunedWarning({ tables, leftOut }: FittedSchema): QuestionWarning[] {
  const left = [
    ...(leftOut.tables > 0 ? [`${leftOut.tables} of ${leftOut.tables + tables} tables`] : []),
    ...(leftOut.columns > 0 ? [`${leftOut.columns} columns of those that were shown`] : []),
  ];
  if (left.length === 0) return [];
  const detail = `${left.join(' and ')} did not fit into the context of the chat model: those that fit the question least were left out.`;
  return [{ code: 'schema_pruned', detail }];
}

function isSameRows(one: TableResult, other: TableResult): boolean {
  const keys = ({ rows }: TableResult): string => JSON.stringify(rows.map((row) => JSON.stringify(row)).toSorted());
  return keys(one) === keys(other);
}
