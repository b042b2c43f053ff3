import { denials, isDenied, type Clue, type ClueRules } from './clue.js';
import { columnConditions } from './column-conditions.js';
import { intervalConditions } from './interval-conditions.js';
import { dateConditions, yearCondition } from './time-conditions.js';
import { areSynonyms } from './header-synonyms.js';
import { isAmount } from './identifiers.js';
import { headerWords } from './link-columns.js';
import { columnMeasuredBy } from './measure-words.js';
import { distance, nearestColumn, wordsOf, type LinkedQuestion } from './linked-question.js';
import type { NumberLink } from './link-numbers.js';
import { isCommon, type ValueLink, type ValueOption } from './link-values.js';
import { isNumeric, isTemporal, type QuestionColumn } from './question-table.js';
import { stateConditions } from './state-conditions.js';
import type { Condition } from './table-query.js';
import { thanClue } from './than-conditions.js';

const ALONE = /^(?:sole|solely|only|alone)$/;

/** All demands of a question, but those of tokens that are taken. */
export function cluesOf(question: LinkedQuestion, given: ClueRules): Clue[] {
  const intervals = intervalConditions(question).filter(({ from }) => !given.taken.has(from));
  const rules = {
    ...given,
    taken: new Set([
      ...given.taken,
      ...intervals.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)),
    ]),
  };
  const isFree = ({ from, to }: { from: number; to: number }): boolean => {
    for (let at = from; at < to; at += 1) if (rules.taken.has(at)) return false;
    return true;
  };
  const links = question.values.filter((link) => isFree(link) && !isCommon(link));
  const clues = links.map((link) => {
    const clue = valueClue(question, link, rules);
    return thanClue(question, link, clue) ?? clue;
  });
  const values = withDenials(question, clues);
  const dates = question.dates.filter(isFree).flatMap((link) => dateConditions(question, link, rules));
  const numbers = question.numbers
    .filter((link) => !rules.taken.has(link.at))
    .flatMap((link) => numberClue(question, link, rules) ?? []);
  const states = stateConditions(question, rules).filter(isFree);
  const against = columnConditions(question, rules).filter(isFree);
  return [...intervals, ...values, ...dates, ...numbers, ...states, ...against].toSorted((a, b) => a.from - b.from);
}

/** `not in A or B`: B is denied too. */
function withDenials(question: LinkedQuestion, clues: readonly Clue[]): Clue[] {
  const known: Clue[] = [];
  for (const clue of clues) {
    const last = known.at(-1);
    const isJoined = last !== undefined && /^(?:or|nor|and|in| )*$/.test(wordsOf(question, last.to, clue.from));
    const { condition } = clue;
    const isDeniedToo =
      isJoined &&
      last.condition.kind === 'in' &&
      last.condition.not &&
      condition.kind === 'in' &&
      last.condition.column.name === condition.column.name;
    known.push(
      isDeniedToo
        ? { ...clue, condition: { ...condition, not: true }, further: [{ from: last.to, to: clue.from }] }
        : clue,
    );
  }
  return known;
}

export function valueClue(question: LinkedQuestion, link: ValueLink, rules: Pick<ClueRules, 'asked'>): Clue {
  const ranked = link.options
    .map((option) => ({ option, points: pointsOf(question, link, option, rules.asked) }))
    .toSorted((a, b) => b.points - a.points);
  const { option } = ranked[0]!;
  const isUnsure = ranked.length > 1 && ranked[0]!.points - ranked[1]!.points < 0.15;
  const mention = nearestColumn(question, link, 4, ({ column }) => column.name === option.column.name);
  const not = isDenied(question, link.from);
  const aloneAt = question.tokens.findIndex(
    ({ text }, at) => at >= link.to - 1 && at <= link.to + 3 && ALONE.test(text),
  );
  const isAlone = aloneAt >= 0;
  const alone = isAlone ? { from: aloneAt, to: aloneAt + 1 } : undefined;
  const base = link.isExact ? 1 : link.to - link.from > 1 ? 0.92 : 0.85;
  const assumption = isUnsure
    ? `“${link.text}” is taken as a value of “${option.column.label}”.`
    : link.isSimilar
      ? `“${link.text}” is read as “${option.whole[0] ?? link.text}”.`
      : undefined;
  return {
    from: link.from,
    to: link.to,
    condition: conditionOf(link, option, not, isAlone),
    quality: base * (isUnsure ? 0.9 : 1) * (link.isSimilar ? 0.92 : 1),
    assumption,
    mention,
    further: [denials(question, link.from, not), alone].filter((span) => span !== undefined),
  };
}

function conditionOf(
  link: ValueLink,
  { column, whole, items, parts }: ValueOption,
  not: boolean,
  isAlone: boolean,
): Condition {
  const exact = isAlone && whole.length > 0 ? whole : [...whole, ...items];
  const named = exact.length > 0 ? exact : parts;
  if (named.length > 0 && (exact.length > 0 || named.length <= 3) && named.length <= 12) {
    return { kind: 'in', column, values: named, not };
  }
  return { kind: 'has_text', column, text: link.text, not };
}

function pointsOf(
  question: LinkedQuestion,
  link: ValueLink,
  option: ValueOption,
  asked: QuestionColumn | undefined,
): number {
  const fit = option.whole.length > 0 ? 1 : option.items.length > 0 ? 0.85 : 0.5;
  const mentions = question.columns.filter(({ column }) => column.name === option.column.name);
  const near = Math.min(9, ...mentions.map((mention) => distance(mention, link)));
  const isAsked = asked?.name === option.column.name;
  return fit + (mentions.length > 0 ? 0.6 - near * 0.04 : 0) - (isAsked ? 0.5 : 0);
}

function numberClue(question: LinkedQuestion, link: NumberLink, rules: ClueRules): Clue | undefined {
  const isAsAmount = link.isYear && (link.isQuantity || isBesideAmount(question, link));
  const asAmount = isAsAmount ? columnOfNumber(question, link, rules) : undefined;
  if (link.isYear && asAmount === undefined) {
    const clue = yearCondition(question, link, rules);
    if (clue !== undefined) return clue;
    // `before 2020` compares times alone, wherever the table has none.
    if (!link.isQuantity) return undefined;
  }
  const chosen = asAmount ?? columnOfNumber(question, link, rules);
  if (chosen === undefined) return undefined;
  const { column, quality, mention, assumption } = chosen;
  const condition: Condition =
    link.op === 'between'
      ? { kind: 'between', column, low: link.value, high: link.high! }
      : { kind: 'compare', column, op: link.op, value: link.value };
  const from = Math.min(link.from, mention?.from ?? link.from);
  return {
    from: mention === undefined ? link.from : from,
    to: link.to,
    condition,
    quality,
    assumption,
    mention,
  };
}

/** `a revenue between 1500 and 2000`: no years, though they are written as such. */
function isBesideAmount({ columns, table }: LinkedQuestion, { from, op }: NumberLink): boolean {
  const near = columns.filter(({ to }) => to <= from && from - to <= 1);
  return (
    op === 'between' &&
    near.some(({ column }) => isAmount(column, table)) &&
    !near.some(({ column }) => isTemporal(column))
  );
}

type ColumnChoice = Pick<Clue, 'quality' | 'mention' | 'assumption'> & { readonly column: QuestionColumn };

const SIGN = /^[%$€£]$/;

function columnOfNumber(question: LinkedQuestion, link: NumberLink, { asked }: ClueRules): ColumnChoice | undefined {
  const sign = SIGN.test(link.unit ?? '') ? link.unit : undefined;
  const possible = question.table.columns.filter(
    (column) =>
      isNumeric(column) && !isTemporal(column) && (sign === undefined || column.unit === null || column.unit === sign),
  );
  const ofSign = sign === undefined ? [] : possible.filter(({ unit }) => unit === sign);
  if (ofSign.length === 1) return { column: ofSign[0]!, quality: 0.95, mention: undefined, assumption: undefined };
  const behind = question.columns.find(
    ({ from, column }) => possible.includes(column) && from >= link.to && from - link.to <= 2,
  );
  const near = nearestColumn(
    question,
    link,
    link.isCompared ? 6 : 2,
    ({ column }) => possible.includes(column) && column.name !== asked?.name,
  );
  // `the second highest`, `the third`: a place, and no amount.
  if (link.isOrdinal && !link.isCompared) return rankOf(question);
  const mention = link.isCompared ? (behind ?? near) : (near ?? behind);
  if (mention !== undefined)
    return { column: mention.column, quality: 0.6 + 0.4 * mention.score, mention, assumption: undefined };
  if (!link.isCompared) return undefined;
  return unnamedColumn(question, link, possible) ?? firstNumberIn(question, link, asked);
}

/** The column of a number that no header is beside: by an adjective, by its unit, or because there is only one. */
function unnamedColumn(
  question: LinkedQuestion,
  link: NumberLink,
  possible: readonly QuestionColumn[],
): ColumnChoice | undefined {
  const words = question.tokens.slice(link.from, link.at);
  const meant = words.map(({ text }) => columnMeasuredBy(text, possible)).find((one) => one !== undefined);
  if (meant !== undefined) return { column: meant, quality: 0.93, mention: undefined, assumption: undefined };
  const byUnit = possible.filter(({ unit }) => unit !== null && unit.toLowerCase() === link.unit);
  const only = byUnit.length === 1 ? byUnit[0] : possible.length === 1 ? possible[0] : undefined;
  if (only === undefined) return undefined;
  const assumption = `The number ${link.value} is compared with “${only.label}”.`;
  return { column: only, quality: byUnit.length === 1 ? 0.92 : 0.85, mention: undefined, assumption };
}

function firstNumberIn(
  question: LinkedQuestion,
  link: NumberLink,
  asked: QuestionColumn | undefined,
): ColumnChoice | undefined {
  const words = nearestColumn(question, link, 3, ({ column }) => column.type === 'text' && column.name !== asked?.name);
  if (words === undefined) return undefined;
  const assumption = `The first number in “${words.column.label}” is compared.`;
  return { column: words.column, quality: 0.75, mention: words, assumption };
}

/** `third`, `2nd`: in a table with a column of ranks. */
function rankOf({
  table,
}: LinkedQuestion): (Pick<Clue, 'quality' | 'mention' | 'assumption'> & { column: QuestionColumn }) | undefined {
  const column = table.columns.find((one) => headerWords(one).some(({ stem }) => areSynonyms(stem, 'rank')));
  return column === undefined ? undefined : { column, quality: 0.92, mention: undefined, assumption: undefined };
}
