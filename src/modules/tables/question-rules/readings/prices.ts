import { isOfTwo, type Clue } from '../clue.js';
import { cluesOf } from '../conditions.js';
import { demandsOf } from '../demands.js';
import { draftOf, type Draft } from '../draft.js';
import { wordsOf, type LinkedQuestion } from '../linked-question.js';
import { headerWords } from '../link-columns.js';
import { isMoneyWord, priceColumn } from '../money-columns.js';
import { isAmount } from '../identifiers.js';
import type { QuestionColumn } from '../question-table.js';
import { subjectOf } from '../asked-column.js';

const COSTS = /^(?:cost|costs|price|prices|charge|charges|kostet|kosten|coute|coutent|cuesta|cuestan)$/;
const PAST = /^(?:did|had|was|were|paid|spent|charged)$/;
/** A column whose header the question says. */
const SAID = 0.75;
const MOST_PLACES = 5;

/** `How much is a canoe for half a day?`, `What does a day ticket cost?`: the price of what a row names. */
export function readPrice(question: LinkedQuestion): Draft | undefined {
  const { tokens, table } = question;
  const cue = tokens.findIndex((_, at) => wordsOf(question, at, at + 2) === 'how much');
  const word = tokens.findIndex(({ text }) => COSTS.test(text));
  const isAsked = cue >= 0 || (word >= 0 && /^what$/.test(tokens[0]?.text ?? ''));
  if (!isAsked || tokens.some(({ text }) => PAST.test(text))) return undefined;
  const said = columnOfPrice(question);
  const all = said === undefined ? columnsOfPlaces(question) : [said];
  const [asked] = all;
  if (asked === undefined) return undefined;
  const spans = question.columns.filter(({ column }) => column.name === asked.name);
  const places = spans.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index));
  const leads = [...(cue < 0 ? [0] : [cue, cue + 1]), ...(word < 0 ? [] : [word])];
  const clues = cluesOf(question, { taken: new Set([...leads, ...places]), asked });
  const named = clues.filter(({ condition }) => condition.kind === 'in' || condition.kind === 'has_text');
  if (named.length === 0 || named.some(isDenied) || isOfTwo(question, named)) return undefined;
  // `for two`: a number of what, and no price.
  if (clues.some(({ condition }) => 'column' in condition && condition.column.name === asked.name)) return undefined;
  const subject = subjectOf(table);
  // Beside what tells the rows apart, the price alone is the answer; `a night` in a column of units is of several.
  const isOne =
    named.every(({ condition }) => condition.kind === 'in' && condition.values.length === 1) &&
    named.some(({ condition }) => 'column' in condition && condition.column.name === subject?.name);
  const query = {
    kind: 'rows' as const,
    table,
    where: demandsOf(clues),
    columns: (isOne && all.length === 1) || subject === undefined ? all : [subject, ...all],
    distinct: false,
    order: undefined,
    limit: undefined,
  };
  return draftOf(query, 0.93, clues, { used: [...leads, ...places] });
}

/** The column of the time that is named; else the one amount that the question says, or the one that is a price. */
function columnOfPrice({ chosen, tariff, columns, table }: LinkedQuestion): QuestionColumn | undefined {
  if (chosen !== undefined) return tariff === undefined ? undefined : chosen.column;
  const isOfMoney = (column: QuestionColumn): boolean =>
    isAmount(column, table) || (column.type === 'text' && /[€$£]/.test(column.label));
  const said = columns.filter(({ column, score }) => score >= SAID && isOfMoney(column));
  const names = new Set(said.map(({ column }) => column.name));
  if (names.size > 0) return names.size === 1 ? said[0]!.column : undefined;
  return tariff === undefined ? priceColumn(table) : undefined;
}

/** `Leeds (£)`, `York (£)`; `Adults €`, `Children €`: where the question names none of them, the price of each is told. */
function columnsOfPlaces({ chosen, tariff, columns, table }: LinkedQuestion): readonly QuestionColumn[] {
  const prices = table.columns.filter((column) => /[€$£]/.test(`${column.label} ${column.unit ?? ''}`));
  const isNamed = columns.some((link) => prices.some(({ name }) => name === link.column.name));
  const isKind = (column: QuestionColumn): boolean => !headerWords(column).some(({ text }) => isMoneyWord(text));
  const areAll = prices.length >= 2 && prices.length <= MOST_PLACES && prices.every(isKind);
  return areAll && !isNamed && chosen === undefined && tariff === undefined ? prices : [];
}

function isDenied({ condition }: Clue): boolean {
  return (condition.kind === 'in' || condition.kind === 'has_text') && condition.not;
}
