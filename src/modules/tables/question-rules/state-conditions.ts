import { denials, isDenied, type Clue, type ClueRules } from './clue.js';
import { headerWords } from './link-columns.js';
import { wordsOf, type LinkedQuestion } from './linked-question.js';
import { isNumeric, type QuestionColumn } from './question-table.js';
import type { Condition } from './table-query.js';
import { stemOf } from './words.js';

const LACKS =
  /\b(?:without|no|lack|lacks|lacking|missing|nt have|not have|not had|not get|nt get|never had)(?: an?| any| the)?$/;
const HAS = /\b(?:with|have|has|had|having) (?:an?|any|some)$/;

/** Demands that a column's own name makes: `are paid`, `unpaid`, `without a phone number`, `no points`. */
export function stateConditions(question: LinkedQuestion, { asked }: ClueRules): Clue[] {
  const mentioned = question.columns.filter(({ column }) => column.name !== asked?.name);
  const named = mentioned.flatMap(({ column, from, to, score }): Clue[] => {
    const condition = ownCondition(question, column, from);
    if (condition === undefined) return [];
    const isPositive = condition.kind === 'compare' && condition.value === true;
    const denial = denials(question, from, !isPositive);
    const further = denial === undefined ? [] : [denial];
    return [{ ...clueOf(from, to, condition, 0.6 + 0.4 * score), further }];
  });
  return [...named, ...negatedWords(question)];
}

function ownCondition(question: LinkedQuestion, column: QuestionColumn, from: number): Condition | undefined {
  if (column.type === 'boolean') return { kind: 'compare', column, op: '=', value: !isDenied(question, from) };
  const before = wordsOf(question, from - 4, from).replace(/\b(do|does|did|has|have|had)nt\b/g, '$1 nt');
  const hasNotAny = /\bany$/.test(before) && isDenied(question, from);
  if (LACKS.test(before) || hasNotAny) {
    if (!isNumeric(column)) return { kind: 'empty', column, not: false };
    const none: Condition = { kind: 'compare', column, op: '=', value: 0 };
    return column.nullable ? { kind: 'any', of: [none, { kind: 'empty', column, not: false }] } : none;
  }
  return column.nullable && HAS.test(before) ? { kind: 'empty', column, not: true } : undefined;
}

/** `unpaid` where there is a column `Paid`. */
function negatedWords(question: LinkedQuestion): Clue[] {
  const states = question.table.columns.filter(({ type }) => type === 'boolean');
  return question.tokens.flatMap(({ text }, at) => {
    const rest = /^(?:un|non|in|dis)(\p{L}{3,})$/u.exec(text)?.[1];
    if (rest === undefined) return [];
    const column = states.find((one) => headerWords(one).some(({ stem }) => stem === stemOf(rest)));
    if (column === undefined) return [];
    return [clueOf(at, at + 1, { kind: 'compare', column, op: '=', value: isDenied(question, at) }, 0.95)];
  });
}

function clueOf(from: number, to: number, condition: Condition, quality: number): Clue {
  return { from, to, condition, quality, assumption: undefined, mention: undefined };
}
