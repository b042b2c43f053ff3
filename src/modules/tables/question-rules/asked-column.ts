import { areSynonyms } from './header-synonyms.js';
import { headerWords, type ColumnLink } from './link-columns.js';
import { columnMeasuredBy } from './measure-words.js';
import { wordsOf, type LinkedQuestion } from './linked-question.js';
import { isNumeric, isTemporal, type QuestionColumn, type QuestionTable } from './question-table.js';
import { isFiller, stemOf, tokensOf } from './words.js';

/** What a question asks for. */
export interface Asked {
  readonly column: QuestionColumn;
  /** Tokens that say so. */
  readonly from: number;
  readonly to: number;
  readonly quality: number;
  readonly assumption: string | undefined;
}

const QUESTION_WORD = /^(?:which|what|who|whom|whose|when|where|list|name|show|give|tell|find)$/;
/** Words between a question word and the column that is asked for. */
const BETWEEN =
  /^(?:most|least|highest|lowest|largest|smallest|biggest|greatest|first|last|next|previous|top|best|worst|longest|shortest|oldest|youngest|latest|earliest|average|mean|total|maximum|minimum|only|final|newest|fewest|tallest|fastest|slowest|cheapest|expensive|heaviest|strongest|weakest|busiest|quickest|nearest|\d+|two|three|four|five|ten)$/;
const OPEN = /^(?:open|geoffnet|offen|ouverte?s?|abiert[oa]s?)$/;
const HOURS = /^(?:hours|offnungszeit(?:en)?|horaires?|horarios?)$/;
const PERSONS =
  'person name winner player driver rider runner athlete employee designer author artist actor candidate member'.split(
    ' ',
  );
const PLACES = ['location', 'place', 'venue', 'site', 'city', 'stadium', 'country', 'address', 'room', 'region'];

/** The column that a question asks for; undefined where its words name none. */
export function askedColumn(question: LinkedQuestion): Asked | undefined {
  const measured = measuredColumn(question);
  if (measured !== undefined) return measured;
  const at = question.tokens.findIndex(({ text }) => QUESTION_WORD.test(text));
  if (at < 0) return firstMentioned(question, 0);
  const word = question.tokens[at]!.text;
  const isWho = /^who[ms]?/.test(word) && word !== 'whose';
  const near = firstMentioned(question, at + 1, isWho);
  if (near !== undefined) return near;
  if (word === 'when') return openingHours(question, at) ?? kindOf(question, at, isTemporal);
  if (word === 'where') return named(question, at, PLACES);
  if (word === 'who' || word === 'whom' || word === 'whose')
    return byVerb(question, at) ?? named(question, at, PERSONS);
  return undefined;
}

/** The column that tells the rows apart best: what a row is about. */
export function subjectOf({ columns, rowCount }: QuestionTable): QuestionColumn | undefined {
  const isCode = (column: QuestionColumn): boolean =>
    [...headerWords(column), ...tokensOf(column.label)].some(({ text }) => /^(?:number|id|code|key|nr|no)$/.test(text));
  const all = columns.filter(({ type }) => type === 'text');
  const texts = all.some((column) => !isCode(column)) ? all.filter((column) => !isCode(column)) : all;
  const titled = texts.find((column) => /^(?:name|title)$/i.test(column.label.trim()));
  if (titled !== undefined) return titled;
  const telling = texts.find(({ distinct }) => distinct !== null && distinct >= rowCount * 0.8);
  return telling ?? texts.toSorted((a, b) => (b.distinct ?? 0) - (a.distinct ?? 0))[0] ?? columns[0];
}

/** `how long`, `how old`, `how much`. */
function measuredColumn(question: LinkedQuestion): Asked | undefined {
  const at = question.tokens.findIndex(({ text }) => text === 'how');
  const adjective = question.tokens[at + 1]?.text;
  if (at < 0 || adjective === undefined) return undefined;
  const column = columnMeasuredBy(adjective, question.table.columns.filter(isNumeric));
  if (column === undefined) return undefined;
  return { from: at, to: at + 2, column, quality: 0.95, assumption: undefined };
}

/** The first mention behind a place, with nothing but small words in between. */
function firstMentioned(question: LinkedQuestion, begin: number, needsText = false): Asked | undefined {
  for (let at = begin; at < question.tokens.length && at <= begin + 7; at += 1) {
    const kind = at > 0 ? kindInCells(question, at) : undefined;
    if (kind !== undefined) return kind;
    if (question.values.some(({ from }) => from === at)) return undefined;
    // The day of a roster says of when the cells are, not what is asked for.
    const columns = question.columns.filter(({ column }) => !isDay(question, column));
    const link = best(columns.filter(({ from, column }) => from === at && !(needsText && isNoPerson(column))));
    if (link === undefined && needsText && columns.some(({ from }) => from === at)) return undefined;
    if (link !== undefined)
      return { ...spanOf(link), column: link.column, quality: 0.6 + 0.4 * link.score, assumption: undefined };
    const { text } = question.tokens[at]!;
    if (!isFiller(text) && !BETWEEN.test(text)) return undefined;
  }
  return undefined;
}

/** `which stadium …` where cells of a column have the word `stadium` among others. */
function kindInCells({ values, tokens }: LinkedQuestion, at: number): Asked | undefined {
  const link = values.find(({ from, to, isExact }) => from === at && to === at + 1 && !isExact);
  const [option] = link?.options ?? [];
  // Words of sentences name no kind.
  const isProse = (option?.parts ?? []).some((cell) => cell.length > 40);
  if (option === undefined || isProse || !/^(?:which|what)$/.test(tokens[at - 1]!.text) || option.parts.length < 2)
    return undefined;
  return {
    from: at,
    to: at + 1,
    column: option.column,
    quality: 0.85,
    assumption: `The answer is taken from “${option.column.label}”.`,
  };
}

/** `who selected …` where there is a column `Selected by`. */
function byVerb(question: LinkedQuestion, at: number): Asked | undefined {
  const link = question.columns.find(
    ({ from, column }) => from > at && from <= at + 3 && !isNoPerson(column) && !isDay(question, column),
  );
  if (link === undefined) return undefined;
  return { ...spanOf(link), column: link.column, quality: 0.95, assumption: undefined };
}

/** `When is … open?`: the hours, which are no date. */
function openingHours({ tokens, table }: LinkedQuestion, at: number): Asked | undefined {
  const open = tokens.findIndex(({ text }, place) => place > at && OPEN.test(text));
  const [column, ...others] = table.columns.filter((one) => headerWords(one).some(({ text }) => HOURS.test(text)));
  if (open < 0 || column?.type !== 'text' || others.length > 0) return undefined;
  const assumption = `“when … open” is answered by “${column.label}”.`;
  return { from: open, to: open + 1, column, quality: 0.97, assumption };
}

function kindOf(question: LinkedQuestion, at: number, fits: (column: QuestionColumn) => boolean): Asked | undefined {
  const column = question.columns.find((link) => fits(link.column))?.column ?? question.table.columns.find(fits);
  if (column === undefined) return undefined;
  return { from: at, to: at + 1, column, quality: 0.95, assumption: undefined };
}

/** The column of where something is. */
export function placeColumn(question: LinkedQuestion, at: number): Asked | undefined {
  return named(question, at, PLACES);
}

function named(question: LinkedQuestion, at: number, words: readonly string[]): Asked | undefined {
  const stems = words.map(stemOf);
  for (const wanted of stems) {
    const column = question.table.columns.find(
      (one) => one.type === 'text' && headerWords(one).some(({ stem }) => stem === wanted || areSynonyms(stem, wanted)),
    );
    if (column === undefined) continue;
    return {
      from: at,
      to: at + 1,
      column,
      quality: question.roster?.chosen === undefined ? 0.88 : 0.95,
      assumption: `“${wordsOf(question, at, at + 1)}” is answered by “${column.label}”.`,
    };
  }
  return undefined;
}

function isNoPerson(column: QuestionColumn): boolean {
  return column.type !== 'text' || headerWords(column).some(({ stem }) => areSynonyms(stem, 'rank'));
}

function isDay({ roster }: LinkedQuestion, { name }: QuestionColumn): boolean {
  return roster?.days.some((day) => day.name === name) === true;
}

function best(links: readonly ColumnLink[]): ColumnLink | undefined {
  return links.toSorted((a, b) => b.score - a.score)[0];
}

function spanOf({ from, to }: ColumnLink): { from: number; to: number } {
  return { from, to };
}
