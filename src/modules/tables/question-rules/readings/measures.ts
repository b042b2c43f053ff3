import { type Clue } from '../clue.js';
import { cluesOf } from '../conditions.js';
import { demandsOf } from '../demands.js';
import { cueTokens, draftOf, isHeavy, tokensIn, type Draft } from '../draft.js';
import type { ColumnLink } from '../link-columns.js';
import { nearestColumn, wordsOf, type LinkedQuestion } from '../linked-question.js';
import { isAmount, isIdentifier } from '../identifiers.js';
import { isCommon } from '../link-values.js';
import { quantitiesOf } from '../quantities.js';
import { isKey, isTemporal, type QuestionColumn } from '../question-table.js';
import type { Aggregate, Measure, TableQuery } from '../table-query.js';
import { namesRows } from '../row-kinds.js';
import { isFiller, isSameWord, tokensOf, type Token } from '../words.js';

interface Cue {
  readonly function: Aggregate;
  readonly from: number;
  readonly to: number;
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly quality: number;
  readonly assumption: string | undefined;
}

const DISTINCT = /^(?:different|distinct|unique|separate)$/;
const TOTALS = /^(?:total|sum|combined|altogether|overall|cumulative|together)$/;
const EACH = /^(?:per|each|every|by)$/;
/** What happened is counted; `how often is it serviced` asks for an interval. */
const HAPPENED = /^(?:did|has|have|had|was|were)$/;

/** `how many`, `the average …`, `the total …`, for all rows that fit or for each group of them. */
export function readMeasure(question: LinkedQuestion): Draft | undefined {
  const counted = countCue(question);
  const cue = aggregateCue(question, counted);
  if (cue !== undefined) return readAggregate(question, cue, counted);
  return counted === undefined ? undefined : readCount(question, counted);
}

function readAggregate(question: LinkedQuestion, cue: Cue, counted: Cue | undefined): Draft | undefined {
  const mention = measured(question, cue);
  if (mention === undefined) return counted === undefined ? undefined : readCount(question, counted, [cue]);
  const group = groupOf(question, mention);
  const clues = cluesOf(question, { taken: tokensIn(cue, counted, mention, group), asked: mention.column });
  const measure: Measure = { function: cue.function, column: mention.column };
  return draftOf(measureQuery(question, measure, clues, group?.column), 0.95, [
    partOf(cue),
    linkPart(mention),
    partOf(counted),
    group,
    ...clues,
  ]);
}

function readCount(question: LinkedQuestion, cue: Cue, extra: readonly Cue[] = []): Draft | undefined {
  const noun = nounBehind(question, cue.to);
  const distinct = cueTokens(question, DISTINCT);
  if (noun?.link !== undefined && isAmount(noun.link.column, question.table) && distinct.length === 0) {
    return readAmount(question, cue, noun.link, extra);
  }
  const amounts = distinct.length === 0 && countsCells(question, cue) ? quantitiesOf(question.table) : [];
  const [quantity, ...others] = amounts;
  if (quantity !== undefined) return others.length > 0 ? undefined : readQuantity(question, cue, quantity);
  if (wordsOf(question, cue.from, cue.to) === 'how much') return undefined;
  // A word like a part of a header names the rows, not the column.
  const column =
    noun?.link !== undefined && (noun.link.score >= 0.85 || distinct.length > 0) && noun.link.column.type !== 'boolean'
      ? noun.link.column
      : undefined;
  if (distinct.length > 0 && column === undefined) return undefined;
  const group = groupOf(question, noun?.link);
  const taken = tokensIn(cue, noun?.link?.column.type === 'boolean' ? undefined : noun, group);
  const clues = cluesOf(question, { taken, asked: column });
  // `how many dogs does Ada have`, `how often did Ada win`: what the row of Ada does not say.
  const isOfOneRow = clues.some(
    ({ condition }) => condition.kind === 'in' && !condition.not && isKey(condition.column, question.table),
  );
  const isOften = wordsOf(question, cue.from, cue.to) === 'how often';
  const isOther =
    noun !== undefined && noun.link === undefined && !namesRows(question.tokens[noun.from]!.stem, question.table);
  if (isOfOneRow && (isOften || isOther)) return undefined;
  const isRepeated = column !== undefined && column.type === 'text' && !isKey(column, question.table);
  const isRepeatedTime = column !== undefined && isTemporal(column) && !isKey(column, question.table);
  const isDistinct =
    column !== undefined && (distinct.length > 0 || isRepeatedTime || (isRepeated && clues.length === 0));
  const measure: Measure = isDistinct
    ? { function: 'count_distinct', column }
    : { function: 'count', column: undefined };
  const assumptions = isDistinct && distinct.length === 0 ? [`Each “${column.label}” is counted once.`] : [];
  const parts = [partOf(cue), nounPart(question, noun), group, ...extra.map(partOf), ...clues];
  const base = clues.length > 0 || isDistinct ? 0.95 : 0.85;
  return draftOf(measureQuery(question, measure, clues, group?.column), base, parts, { used: distinct, assumptions });
}

/** Whether what is counted is what cells name, and not the rows: `how many masks` where rows are of items. */
function countsCells(question: LinkedQuestion, { from, to }: Cue): boolean {
  if (wordsOf(question, from, to) === 'how often') return false;
  const { tokens, values } = question;
  const isSmall = (text: string): boolean => (isFiller(text) || TOTALS.test(text)) && !isHeavy(text);
  const at = tokens.findIndex(({ text }, place) => place >= to && !isSmall(text));
  return values.some((link) => link.from === at && !isCommon(link));
}

/** `how many masks do we have`: the rows that name them say how many. */
function readQuantity(question: LinkedQuestion, cue: Cue, column: QuestionColumn): Draft {
  const group = groupOf(question, undefined);
  const clues = cluesOf(question, { taken: tokensIn(cue, group), asked: column });
  const query = measureQuery(question, { function: 'sum', column }, clues, group?.column);
  const assumptions = [`“${column.label}” is added up.`];
  return draftOf(query, 0.92, [partOf(cue), group, ...clues], { used: cueTokens(question, TOTALS), assumptions });
}

/** `how many points did … score`: the number in a column. */
function readAmount(question: LinkedQuestion, cue: Cue, mention: ColumnLink, extra: readonly Cue[]): Draft {
  const group = groupOf(question, mention);
  const clues = cluesOf(question, { taken: tokensIn(cue, mention, group), asked: mention.column });
  const measure: Measure = { function: 'sum', column: mention.column };
  const parts = [partOf(cue), linkPart(mention), group, ...extra.map(partOf), ...clues];
  const isRow = clues.some(({ condition }) => 'column' in condition && isKey(condition.column, question.table));
  const base = isRow ? 0.95 : 0.9;
  return draftOf(measureQuery(question, measure, clues, group?.column), base, parts);
}

function measureQuery(
  { table }: LinkedQuestion,
  measure: Measure,
  clues: readonly Clue[],
  by: QuestionColumn | undefined,
): TableQuery {
  const where = demandsOf(clues);
  if (by === undefined) return { kind: 'measure', table, where, measure };
  return {
    kind: 'groups',
    table,
    where,
    by,
    measure,
    descending: undefined,
    limit: undefined,
    showMeasure: true,
    having: undefined,
  };
}

function countCue({ tokens, columns }: LinkedQuestion): Cue | undefined {
  for (let at = 0; at + 1 < tokens.length; at += 1) {
    const pair = `${tokens[at]!.text} ${tokens[at + 1]!.text}`;
    const isCue = /^(?:how many|how often|how much|number of|count of|count the|count all)$/.test(pair);
    if (pair === 'how often' && !HAPPENED.test(tokens[at + 2]?.text ?? '')) continue;
    const isExtreme = /^(?:most|least|highest|lowest|largest|greatest|smallest|fewest|average|mean)$/.test(
      tokens[at - 1]?.text ?? '',
    );
    // `the phone number of Ada` counts nothing.
    const before = tokens[at - 1]?.text;
    const isName = pair === 'number of' && before !== undefined && !isFiller(before);
    if (!isCue || isExtreme || isName || columns.some(({ from, to }) => from <= at && at + 1 < to)) continue;
    return { function: 'count', from: tokens[at - 1]?.text === 'total' ? at - 1 : at, to: at + 2 };
  }
  return undefined;
}

function aggregateCue(question: LinkedQuestion, counted: Cue | undefined): Cue | undefined {
  const { tokens, columns } = question;
  const isHeader = (at: number): boolean => columns.some(({ from, to, score }) => score > 0.9 && from <= at && at < to);
  const find = (words: RegExp): number => tokens.findIndex(({ text }, at) => words.test(text) && !isHeader(at));
  const average = find(/^(?:average|mean|avg)$/);
  if (average >= 0) return { function: 'avg', from: average, to: average + 1 };
  const median = find(/^median$/);
  if (median >= 0) return { function: 'median', from: median, to: median + 1 };
  const total = find(TOTALS);
  const adds = tokens.findIndex(({ text }, at) => /^adds?$/.test(text) && tokens[at + 1]?.text === 'up');
  if (adds >= 0) return { function: 'sum', from: adds, to: adds + 2 };
  if (total < 0) return undefined;
  const noun = counted === undefined ? undefined : nounBehind(question, counted.to)?.link;
  // `the total number of games` counts games.
  if (counted !== undefined && noun === undefined) return undefined;
  if (noun !== undefined && !isAmount(noun.column, question.table)) return undefined;
  return { function: 'sum', from: total, to: total + 1 };
}

/** The column that a word like `average` is about. */
function measured(question: LinkedQuestion, cue: Cue): ColumnLink | undefined {
  const { table } = question;
  const behind = question.columns
    .filter(({ from, column }) => isAmount(column, table) && from >= cue.to && from - cue.to <= 5)
    .toSorted((a, b) => a.from - b.from || b.score - a.score)[0];
  const near = behind ?? nearestColumn(question, cue, 12, ({ column }) => isAmount(column, table));
  const [only, ...others] = table.columns.filter((column) => isAmount(column, table) && column.unit !== '%');
  // `the total of the order numbers`: what names something is not added up, nor is another column in its place.
  const isOfNames = question.columns.some(({ from, column }) => from >= cue.to && isIdentifier(column, table));
  if (near === undefined && isOfNames) return undefined;
  if (near !== undefined || only === undefined || others.length > 0) return near;
  // Of money there is nothing else that a sum could be of.
  const score = only.unit === null ? 0.5 : 0.75;
  return { column: only, from: cue.from, to: cue.to, score, isSynonym: false };
}

/** Whether a word is the unit of a column, also as its header has it in brackets. */
function isUnitOf(token: Token, { label, unit }: QuestionColumn): boolean {
  const bracket = /[([]([^)\]]*)[)\]]/.exec(label)?.[1] ?? '';
  return tokensOf(`${unit ?? ''} ${bracket}`).some((word) => isSameWord(token, word) === 'same');
}

/** What is counted: the first word behind `how many` that is not small. */
function nounBehind(
  { tokens, columns, values }: LinkedQuestion,
  begin: number,
): { from: number; to: number; link: ColumnLink | undefined } | undefined {
  for (let at = begin; at < tokens.length && at < begin + 5; at += 1) {
    const link = columns.filter(({ from }) => from === at).toSorted((a, b) => b.score - a.score)[0];
    if (link !== undefined) return { from: link.from, to: link.to, link };
    // `litres of fuel`: the unit of a column before its name.
    const measure = tokens[at + 1]?.text === 'of' ? columns.find(({ from }) => from === at + 2) : undefined;
    if (measure !== undefined && isUnitOf(tokens[at]!, measure.column))
      return { from: at, to: measure.to, link: { ...measure, from: at } };
    if (values.some(({ from }) => from === at)) return undefined;
    const { text } = tokens[at]!;
    if (isHeavy(text)) return undefined;
    if (isFiller(text) || DISTINCT.test(text) || TOTALS.test(text)) continue;
    return { from: at, to: at + 1, link: undefined };
  }
  return undefined;
}

/** `per region`, `for each customer`, `by country`. */
function groupOf(
  question: LinkedQuestion,
  measure: ColumnLink | undefined,
): (Part & { column: QuestionColumn }) | undefined {
  const { tokens, table } = question;
  for (const link of question.columns) {
    const at = [link.from - 1, link.from - 2].find(
      (place) => EACH.test(tokens[place]?.text ?? '') && isSmallBetween(question, place + 1, link.from),
    );
    if (at === undefined || link.column.name === measure?.column.name) continue;
    if (isAmount(link.column, table) || (isKey(link.column, table) && /^(?:by|per)$/.test(tokens[at]!.text))) continue;
    const from = tokens[at - 1]?.text === 'for' ? at - 1 : at;
    return { column: link.column, from, to: link.to, quality: 0.6 + 0.4 * link.score, assumption: undefined };
  }
  return undefined;
}

function isSmallBetween({ tokens }: LinkedQuestion, from: number, to: number): boolean {
  return tokens.slice(from, to).every(({ text }) => isFiller(text));
}

function partOf(cue: Cue | undefined): Part {
  return cue === undefined
    ? { from: 0, to: 0, quality: 1, assumption: undefined }
    : { from: cue.from, to: cue.to, quality: 1, assumption: undefined };
}

function linkPart({ from, to, score }: ColumnLink): Part {
  return { from, to, quality: 0.65 + 0.35 * score, assumption: undefined };
}

/** A word that names the rows is explained by counting them; any other one is left over. */
function nounPart(
  { tokens, table }: LinkedQuestion,
  noun: { from: number; to: number; link: ColumnLink | undefined } | undefined,
): Part | undefined {
  if (noun === undefined) return undefined;
  if (noun.link !== undefined) return linkPart(noun.link);
  const to = namesRows(tokens[noun.from]!.stem, table) ? noun.to : noun.from;
  return { from: noun.from, to, quality: 0.95, assumption: undefined };
}
