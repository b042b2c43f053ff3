import { isHeaderNoun } from './header-synonyms.js';
import { linkDates } from './link-dates.js';
import { isOfAll, isOfHeaderInPlural, isPieceOf } from './header-phrases.js';
import { headerWords, type ColumnLink } from './link-columns.js';
import { isCommon, type ValueLink, type ValueOption } from './link-values.js';
import type { LinkedQuestion } from './linked-question.js';
import { isNumeric, isTemporal, type QuestionColumn } from './question-table.js';
import { namesRows } from './row-kinds.js';
import type { TableQuery } from './table-query.js';
import { isFiller, stemOf, tokensOf, type Token } from './words.js';

/** Small words that choose rows: one that nothing in the statement represents is a condition left out. */
const CHOOSING =
  /^(?:before|after|not|no|nor|non|never|neither|next|previous|first|last|since|until|till|without|other|others|same|most|least|more|less|fewer|between|than|or|per|each|above|below|under|against|within|average|mean|median)$|^(?:do|does|did|is|are|was|were|has|have|had|ca|can|could|wo|would|should)nt$/;
/** Someone whom only what was said before names. */
const PERSONS = /^(?:he|she|him)$/;
const ASKED = /^(?:who|whom|where|when|why|how)$/;
/** Cells that are shown as they are do not say what these ask for. */
const SUMMING = /^(?:total|sum|combined|altogether|together|overall)$/;
/** Verbs that only say that something belongs to something: what it is, is beside them. */
const RELATING =
  setOf(`belong contain include work live join complete locate base situate lie stand sit cross span reach achieve gain obtain
  get got gotten give gave make made hold held do done earn sell sold buy bought score assign call concern regard relate correspond associate mention want need
  know exist employ generate bring brought say said mean bear carry involve keep kept total`);
/** `won` says nothing new of rows that have no result. */
const OF_A_RESULT = setOf('win won finish place');
const RESULTS = stemsOf('result outcome score position pos rank place standing win losses points status');
/** Words of politeness and of asking. */
const ASKING =
  setOf(`hello hi thanks thank kindly quickly wonder wondering question answer overview exact exactly precise precisely
  calculate compute sum add together altogether combined sort sorted order ordered list according whole entire complete respective respectively
  following available existing given possible alphabetical ascending descending`);
const UNITS =
  setOf(`people persons person percent euro dollar pound cent kilometre kilometer km metre meter mile feet foot inch cm mm kg kilogram gram ton tonne
  litre liter hour minute second day week month year piece unit item degree celsius square cubic seat point hectare acre mwh kwh watt time`);
const KINDS =
  setOf(`plant office branch region area team department company firm city town country station site shop store group project line class type
  kind model brand section division house harbour port airport school university hotel hospital club category practice
  surgery clinic library museum restaurant cafe workshop factory depot`);

/** What of a draft counts here: the tokens that it explains. */
export interface Placed {
  readonly used: ReadonlySet<number>;
  readonly query: TableQuery;
}

/** Words of a question that may restrict rows and have no place in the statement, those that are together as one. */
export function openWords(question: LinkedQuestion, placed: Placed): string[] {
  const { tokens } = question;
  const phrases: string[][] = [];
  let last = -2;
  tokens.forEach(({ text }, at) => {
    if (!isOpen(question, placed, at)) return;
    if (at === last + 1) phrases.at(-1)!.push(text);
    else phrases.push([text]);
    last = at;
  });
  return [...new Set(phrases.map((words) => words.join(' ')))];
}

function isOpen(question: LinkedQuestion, { used, query }: Placed, at: number): boolean {
  const { tokens } = question;
  const token = tokens[at]!;
  if (question.relative.some(({ from, to }) => from <= at && at < to)) return true;
  if (isShut(question, at)) return true;
  if (used.has(at)) return false;
  if (token.text === 'may' && linkDates(tokens).some(({ from, to }) => from <= at && at < to)) return true;
  const { chosen } = question;
  if (chosen !== undefined && chosen.from <= at && at < chosen.to) return true;
  if (CHOOSING.test(token.text)) return !isOfHeaderInPlural(question, at);
  if (SUMMING.test(token.text) && isPlain(query)) return true;
  if (isOfOtherTime(question, token)) return true;
  if (isSecondQuestion(question, at) || PERSONS.test(token.text)) return true;
  if (isFiller(token.text)) return false;
  const value = question.values.find(({ from, to }) => from <= at && at < to);
  if (value !== undefined && !isCommon(value)) return !isSaidAlready(question, used, token);
  if (value !== undefined && isInEveryRow(value)) return false;
  if (/\d/.test(token.text) || question.numbers.some((link) => link.at === at))
    return !isSaidAlready(question, used, token);
  return !isHarmless(question, used, at);
}

/** A year that the cells of every row have restricts none. */
function isInEveryRow({ text, options }: ValueLink): boolean {
  const isAll = ({ column, parts, whole, items }: ValueOption): boolean =>
    !column.nullable && [...parts, ...whole, ...items].length === column.distinct;
  return /^(?:19|20)\d\d$/.test(text) && options.some(isAll);
}

/** `not open on Sunday` denies that it is open, and not the day. */
function isShut({ tokens, columns, values }: LinkedQuestion, at: number): boolean {
  const isOpening = /^(?:open|geoffnet|offen|ouverte?s?|abiert[oa]s?)$/.test(tokens[at + 1]?.text ?? '');
  const isOwn = [...columns, ...values].some(({ from, to }) => from <= at + 1 && at + 1 < to);
  return isOpening && !isOwn && /^(?:not|never|isnt|arent)$/.test(tokens[at]!.text);
}

/** `low season` where the month chose the column of the high one. */
function isOfOtherTime({ tariff, chosen }: LinkedQuestion, { text, stem }: Token): boolean {
  if (tariff === undefined || chosen === undefined || isFiller(text)) return false;
  const has = (column: QuestionColumn): boolean => headerWords(column).some((word) => word.stem === stem);
  return tariff.some(has) && !has(chosen.column);
}

/** `…, and where is it?`: answered with the rest or not at all. */
function isSecondQuestion({ tokens }: LinkedQuestion, at: number): boolean {
  return ASKED.test(tokens[at]!.text) && tokens[at - 1]?.text === 'and' && at > 1;
}

/** Cells as they are. */
function isPlain(query: TableQuery): boolean {
  return query.kind === 'neighbour' || (query.kind === 'rows' && query.order === undefined);
}

function isHarmless(question: LinkedQuestion, used: ReadonlySet<number>, at: number): boolean {
  const { tokens, table, columns } = question;
  const token = tokens[at]!;
  if (isSaidAlready(question, used, token)) return true;
  const mentions = columns.filter(({ from, to }) => from <= at && at < to);
  if (mentions.length > 0) return mentions.some((link) => saysNothing(link, token, used));
  if (ASKING.has(token.text) || RELATING.has(token.text) || namesRows(token.stem, table)) return true;
  if (OF_A_RESULT.has(token.text)) return !hasResult(question);
  return (
    isUnit(question, used, at) ||
    isKindOfValue(question, used, at) ||
    isPieceOf(question, at) ||
    isOfAll(question, at) ||
    isKindOfTitle(question, at)
  );
}

/** The same word is in the statement. */
function isSaidAlready({ tokens }: LinkedQuestion, used: ReadonlySet<number>, { stem }: Token): boolean {
  return tokens.some((other, index) => used.has(index) && other.stem === stem);
}

/** The name of a column restricts nothing, unless it is an amount that was asked for, or a state (`delivered`) that not every row has. */
function saysNothing({ from, to, column }: ColumnLink, token: Token, used: ReadonlySet<number>): boolean {
  for (let at = from; at < to; at += 1) if (used.has(at)) return true;
  // Another number than the one that the statement is about.
  if (isNumeric(column) && !isTemporal(column)) return false;
  const isState = /(?:ed|en)$|^ge\p{L}+t$/u.test(token.text) && column.type !== 'text';
  if (isState) return !column.nullable;
  return token.text !== 'open' || headerWords(column).some(({ text }) => text === 'open');
}

function hasResult({ table }: LinkedQuestion): boolean {
  return table.columns.some((column) => headerWords(column).some(({ stem }) => RESULTS.has(stem)));
}

/** `200 people`, `10,000 square metres`: behind a number that has its place. */
function isUnit({ tokens, table }: LinkedQuestion, used: ReadonlySet<number>, at: number): boolean {
  const { text } = tokens[at]!;
  if (!UNITS.has(text) && !table.columns.some(({ unit }) => unit?.toLowerCase() === text)) return false;
  return [at - 1, at - 2].some((place) => used.has(place) && /^[\d.,]+$|^[%$€£]$/.test(tokens[place]?.text ?? ''));
}

/** `the car K-NB 114`, `the Brno plant`: what a value is. */
function isKindOfValue({ tokens, values }: LinkedQuestion, used: ReadonlySet<number>, at: number): boolean {
  const { text, stem } = tokens[at]!;
  // `Ada paid` says what she did, `Ada's pay` what there is of her.
  if (/^(?:paid|earned|charged|ordered|weighed|aged)$/.test(text)) return false;
  if (!KINDS.has(text) && !isHeaderNoun(stem)) return false;
  return values.some(({ from, to }) => used.has(from) && (to === at || from === at + 1));
}

/** `the Thornby practice` where the table is headed `Thornby`: what it is. */
export function isKindOfTitle({ tokens, table }: LinkedQuestion, at: number): boolean {
  const title = new Set(tokensOf(table.title).flatMap(({ text, stem }) => (isFiller(text) ? [] : [stem])));
  const isBeside = [at - 1, at + 1].some((place) => title.has(tokens[place]?.stem ?? ''));
  return isBeside && KINDS.has(tokens[at]!.text);
}

/** The words in all their regular forms: a stem would take "summer" for a form of "sum". */
function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).flatMap(formsOf));
}

function formsOf(word: string): string[] {
  const bare = word.replace(/e$/, '');
  const twice = word.replace(/([^aeiou][aeiou])([bdgmnprt])$/, '$1$2$2');
  const [plural, past] = /[^aeiou]y$/.test(word)
    ? [word.replace(/y$/, 'ies'), word.replace(/y$/, 'ied')]
    : [`${word}s`, `${bare}ed`];
  return [word, plural, `${word}es`, past, `${twice}ed`, `${bare}ing`, `${twice}ing`];
}

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(stemOf));
}
