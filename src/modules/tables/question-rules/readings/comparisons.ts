import { askedColumn } from '../asked-column.js';
import { type Clue } from '../clue.js';
import { cluesOf, valueClue } from '../conditions.js';
import { demandsOf } from '../demands.js';
import { draftOf, tokensIn, type Draft } from '../draft.js';
import type { ColumnLink } from '../link-columns.js';
import { wordsOf, type LinkedQuestion } from '../linked-question.js';
import { isAmount } from '../identifiers.js';
import { isTemporal, isYears, type QuestionColumn } from '../question-table.js';
import type { Condition, Measure, TableQuery } from '../table-query.js';

interface Side {
  readonly from: number;
  readonly to: number;
  readonly condition: Condition;
  readonly column: QuestionColumn;
  readonly quality: number;
  readonly assumption: string | undefined;
}

const UP =
  /^(?:more|higher|larger|bigger|greater|longer|taller|heavier|faster|newer|later|younger|better|most|highest|largest|biggest|greatest|longest|tallest|heaviest|latest)$/;
const DOWN =
  /^(?:less|fewer|lower|smaller|shorter|lighter|slower|cheaper|earlier|older|worse|first|least|fewest|lowest|smallest|shortest|earliest|oldest|cheapest)$/;
const IN_TIME = /^(?:newer|later|younger|earlier|older|first|latest|earliest|oldest|youngest)$/;
const GAP =
  /\b(?:difference|differ|how (?:many|much) (?:more|fewer|less|higher|lower|larger|smaller|longer|shorter|taller|older|heavier)|by how (?:many|much)|how many years (?:between|from|apart|passed|separate))\b/;
const CHANGE = /^(?:grow|rise|increas|chang|fall|decreas|drop|gain|declin|shrink)$/;

/** `how many more … than`, `the difference between … and …`, `by how much did … grow from … to …`. */
export function readDifference(question: LinkedQuestion): Draft | undefined {
  const text = wordsOf(question, 0, question.tokens.length);
  const hasChange = question.tokens.some(({ stem }) => CHANGE.test(stem)) && /\bhow much\b|\bchange\b/.test(text);
  if (!GAP.test(text) && !hasChange) return undefined;
  const sides = twoSides(question);
  if (sides === undefined) return undefined;
  const taken = tokensIn(...sides);
  const mention = yearsApart(question, text) ?? bestAmount(question, taken);
  const others = cluesOf(question, { taken: new Set([...taken, ...tokensIn(mention)]), asked: mention?.column });
  if (mention === undefined && !/\bhow many (?:more|fewer|less)\b/.test(text)) return undefined;
  const measure: Measure =
    mention === undefined ? { function: 'count', column: undefined } : { function: 'sum', column: mention.column };
  const query = {
    kind: 'difference' as const,
    table: question.table,
    where: demandsOf(others),
    measure,
    first: [sides[0].condition],
    second: [sides[1].condition],
    signed: hasChange,
  };
  const used = question.tokens.flatMap(({ text: word, stem }, at) =>
    UP.test(word) ||
    DOWN.test(word) ||
    CHANGE.test(stem) ||
    /^(?:difference|differ|between|than|how|much|many)$/.test(word)
      ? [at]
      : [],
  );
  return draftOf(query, mention === undefined ? 0.8 : 0.93, [...sides, linkPart(mention), ...others], { used });
}

/** `which is longer, … or …`; `did … or … win in 1999`. */
export function readChoice(question: LinkedQuestion): Draft | undefined {
  const sides = twoSides(question, true);
  if (sides === undefined) return undefined;
  const [one, other] = sides;
  const { column } = one;
  const taken = tokensIn(...sides);
  const at = question.tokens.findIndex(({ text }, index) => !taken.has(index) && (UP.test(text) || DOWN.test(text)));
  const either: Condition = { kind: 'any', of: [one.condition, other.condition] };
  if (at < 0) return plainChoice(question, sides, either, taken);
  const word = question.tokens[at]!.text;
  const measure = measureOf(question, word, taken, column);
  const clues = cluesOf(question, { taken: new Set([...taken, ...tokensIn(measure?.link)]), asked: column });
  const where = [either, ...demandsOf(clues)];
  const used = [at, ...orThan(question)];
  if (measure === undefined) {
    if (!/^(?:more|most|less|fewer|least|fewest)$/.test(word)) return undefined;
    return draftOf(mostFrequent(question, where, column, UP.test(word)), 0.85, [one, other, ...clues], { used });
  }
  const isTime = isTemporal(measure.column);
  const isAge = /^(?:older|oldest|younger|youngest)$/.test(word);
  // The older one of two has the greater age, or the earlier date.
  const descending = isAge ? word.startsWith('old') !== isTime : UP.test(word);
  const query = {
    kind: 'rows' as const,
    table: question.table,
    where,
    columns: [column],
    distinct: false,
    order: { by: measure.column, descending },
    limit: 1,
  };
  return draftOf(query, 0.93, [one, other, linkPart(measure.link), ...clues], { used });
}

function mostFrequent(
  { table }: LinkedQuestion,
  where: readonly Condition[],
  by: QuestionColumn,
  descending: boolean,
): TableQuery {
  const measure: Measure = { function: 'count', column: undefined };
  return { kind: 'groups', table, where, by, measure, descending, limit: 1, showMeasure: false, having: undefined };
}

function plainChoice(
  question: LinkedQuestion,
  sides: readonly [Side, Side],
  either: Condition,
  taken: ReadonlySet<number>,
): Draft | undefined {
  const { column } = sides[0];
  const clues = cluesOf(question, { taken, asked: column });
  if (clues.length === 0) return undefined;
  const where = [either, ...demandsOf(clues)];
  const query = {
    kind: 'rows' as const,
    table: question.table,
    where,
    columns: [column],
    distinct: true,
    order: undefined,
    limit: undefined,
  };
  return draftOf(query, 0.85, [...sides, ...clues], { used: orThan(question) });
}

function measureOf(
  question: LinkedQuestion,
  word: string,
  taken: ReadonlySet<number>,
  column: QuestionColumn,
): { column: QuestionColumn; link: ColumnLink | undefined } | undefined {
  const amount = bestAmount(question, taken);
  if (amount !== undefined && amount.column.name !== column.name) return { column: amount.column, link: amount };
  const time = question.table.columns.find((one) => isTemporal(one) && one.name !== column.name);
  return IN_TIME.test(word) && time !== undefined ? { column: time, link: undefined } : undefined;
}

/** `how many years between … and …`. */
function yearsApart({ table }: LinkedQuestion, text: string): ColumnLink | undefined {
  const place = /\bhow many years (?:between|from|apart|passed|separate)\b/.exec(text)?.index;
  const column = place === undefined ? undefined : table.columns.find(isYears);
  const from = text.slice(0, place).split(' ').length - 1;
  return column === undefined ? undefined : { column, from, to: from + 4, score: 1, isSynonym: false };
}

function bestAmount(question: LinkedQuestion, taken: ReadonlySet<number>): ColumnLink | undefined {
  return question.columns
    .filter(({ column, from }) => isAmount(column, question.table) && !taken.has(from))
    .toSorted((a, b) => b.score - a.score || a.from - b.from)[0];
}

/** Two values of one column, or two years. */
function twoSides(question: LinkedQuestion, needsOr = false): readonly [Side, Side] | undefined {
  const asked = askedColumn(question)?.column;
  const clues = question.values.map((link) => ({ link, clue: valueClue(question, link, { asked: undefined }) }));
  const sides = clues.flatMap(({ link, clue }) => sideOf(link, clue));
  for (let at = 0; at + 1 < sides.length; at += 1) {
    const [one, other] = [sides[at]!, sides[at + 1]!];
    const between = wordsOf(question, one.to, other.from);
    const isChoice = /(?:^|\s)or(?:\s|$)/.test(between) && between.split(' ').length <= 4;
    if (one.column.name === other.column.name && (!needsOr || isChoice)) return [one, other];
  }
  return yearSides(question, needsOr, asked);
}

function sideOf(
  { from, to }: { readonly from: number; readonly to: number },
  { condition, quality, assumption }: Clue,
): Side[] {
  return 'column' in condition && (condition.kind === 'in' || condition.kind === 'has_text')
    ? [{ from, to, condition, column: condition.column, quality, assumption }]
    : [];
}

function yearSides(
  question: LinkedQuestion,
  needsOr: boolean,
  _asked: QuestionColumn | undefined,
): readonly [Side, Side] | undefined {
  const column = question.table.columns.find(isYears) ?? question.table.columns.find(isTemporal);
  if (column === undefined) return undefined;
  const years = question.numbers.filter(({ isYear }) => isYear);
  const side = (value: number, from: number, to: number): Side => ({
    from,
    to,
    column,
    quality: 1,
    assumption: undefined,
    condition: isYears(column)
      ? { kind: 'compare', column, op: '=', value }
      : { kind: 'date_part', column, part: 'year', op: '=', value },
  });
  const [one, other] = years;
  if (one?.op === 'between' && !needsOr) return [side(one.value, one.from, one.to), side(one.high!, one.from, one.to)];
  if (one === undefined || other === undefined) return undefined;
  if (needsOr && !/(?:^|\s)or(?:\s|$)/.test(wordsOf(question, one.to, other.from))) return undefined;
  return [side(one.value, one.from, one.to), side(other.value, other.from, other.to)];
}

function orThan({ tokens }: LinkedQuestion): number[] {
  return tokens.flatMap(({ text }, at) => (/^(?:or|than|between|both)$/.test(text) ? [at] : []));
}

function linkPart(
  link: ColumnLink | undefined,
): { from: number; to: number; quality: number; assumption: undefined } | undefined {
  return link === undefined
    ? undefined
    : { from: link.from, to: link.to, quality: 0.65 + 0.35 * link.score, assumption: undefined };
}
