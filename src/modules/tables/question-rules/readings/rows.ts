import { askedColumn, placeColumn, subjectOf, type Asked } from '../asked-column.js';
import { isOfTwo, type Clue } from '../clue.js';
import { columnConditions } from '../column-conditions.js';
import { cluesOf } from '../conditions.js';
import { demandsOf } from '../demands.js';
import { cueTokens, draftOf, isHeavy, tokensIn, type Draft } from '../draft.js';
import { wordsOf, type LinkedQuestion } from '../linked-question.js';
import { isKey, isNumeric, isTemporal, type QuestionColumn, type QuestionTable } from '../question-table.js';
import { isOfMaking } from '../time-conditions.js';
import { headerWords } from '../link-columns.js';
import { namesKindsOf, namesRows } from '../row-kinds.js';
import { isFiller, stemOf } from '../words.js';
import { superlativeOf, type Superlative } from '../superlative.js';

const COUNTED =
  /(?<!(?:most|least|highest|lowest|largest|greatest|smallest|fewest|maximum|minimum|average|mean) )(?:total )?(?<!(?:most|least|highest|lowest|largest|greatest|smallest|fewest|maximum|minimum|average|mean) )number of/;
const TOTALS = /^(?:total|overall|combined|altogether|sum|cumulative)$/;
/** What a second question is about: the rows of the first one. */
const OF_IT = /^(?:is|are|located) (?:it|they|this|that|these|those|there|he|she|er|sie|il|elle|ils|elles|esta|estan)$/;
const AVERAGES = /^(?:average|mean)$/;
const TIME_STEMS: ReadonlySet<string> = new Set('date day month year season week time period'.split(' ').map(stemOf));
/** How much surer it is what is asked for where a word names the rows. */
const NAMED = 0.07;
const LISTING = /^(?:list|all|show|every|name|names)$/;

/** `which … have …`, `what is the … of …`: cells of the rows that fit. */
export function readLookup(question: LinkedQuestion): Draft | undefined {
  if (isCounted(question)) return undefined;
  // The rows of a roster are those who work.
  const sure = question.roster?.chosen === undefined ? 0.8 : 0.93;
  const asked = askedColumn(question) ?? leftover(question) ?? subjectAsked(question, sure);
  if (asked === undefined) return undefined;
  const further = [...furtherAsked(question, asked), ...placeAsked(question, asked)];
  const clues = cluesOf(question, { taken: tokensIn(asked, ...further), asked: asked.column });
  const { table } = question;
  const listed = cueTokens(question, LISTING);
  const isPlural = /^(?:which|what) \w*[^s]s\b/.test(question.tokens.map(({ text }) => text).join(' '));
  if (clues.length === 0 && listed.length === 0 && !isPlural) return undefined;
  // `what colour is Bolt`: what no column has.
  const subject = subjectOf(question.table)?.name;
  const isOpen = asked.to - asked.from === 2 && asked.assumption !== undefined;
  if (isOpen && clues.some(({ condition }) => 'column' in condition && condition.column.name === subject))
    return undefined;
  const isSaidTwice =
    clues.length > 0 &&
    clues.every(
      ({ condition }) => condition.kind === 'in' && !condition.not && condition.column.name === asked.column.name,
    );
  const ofSubject = clues.filter(({ condition }) => 'column' in condition && condition.column.name === subject);
  if (isSaidTwice || isBesideOther(question, asked, clues) || isOfTwo(question, ofSubject)) return undefined;
  const isDistinct = !isKey(asked.column, table);
  const query = {
    kind: 'rows' as const,
    table,
    where: demandsOf(clues),
    columns: [asked.column, ...further.map(({ column }) => column)],
    distinct: isDistinct && further.length === 0,
    order: undefined,
    limit: undefined,
  };
  return draftOf(query, clues.length === 0 ? 0.8 : 0.93, [asked, ...further, ...clues], { used: listed });
}

/** `Who works late with Ilse on Friday?`: the row of Ilse is not that of who is asked for. */
function isBesideOther({ roster }: LinkedQuestion, { column }: Asked, clues: readonly Clue[]): boolean {
  return (
    roster !== undefined &&
    clues.some(({ condition }) => condition.kind === 'in' && !condition.not && condition.column.name === column.name)
  );
}

/** `the highest …`, `the last …`, `the three largest …`. */
export function readSuperlative(question: LinkedQuestion): Draft | undefined {
  if (isCounted(question)) return undefined;
  const named = askedColumn(question);
  const superlative = superlativeOf(question, named?.column);
  if (superlative === undefined || isOfComparison(question, superlative)) return undefined;
  const isMeasureAsked = named !== undefined && named.column.name === superlative.column?.name;
  if (superlative.kind === 'amount' && superlative.count === 1 && (isMeasureAsked || named === undefined)) {
    const extreme = readExtreme(question, superlative, named);
    if (extreme !== undefined) return extreme;
  }
  const asked = named ?? subjectAsked(question, 0.85, superlative.to);
  if (asked === undefined || isTimeOfOther(question, asked, superlative)) return undefined;
  const taken = tokensIn(asked, superlative, superlative.mention);
  const clues = cluesOf(question, { taken, asked: asked.column });
  if (superlative.kind === 'place') return ordered(question, asked, superlative, clues, superlative.column ?? 'row');
  if (asked.column.type === 'text' || isTemporal(asked.column)) {
    const grouped = readGroups(question, asked, superlative, clues);
    if (grouped !== undefined) return grouped;
  }
  if (superlative.column === undefined) return undefined;
  return ordered(question, asked, superlative, clues, superlative.column);
}

/** `the newest vehicle` where rows are trips of vehicles: their dates are not the age of a vehicle. */
function isTimeOfOther({ table }: LinkedQuestion, asked: Asked, { word, column, mention }: Superlative): boolean {
  const isOwn = mention !== undefined || isKey(asked.column, table) || (column !== undefined && isOfMaking(column));
  return !isOwn && column !== undefined && isTemporal(column) && /^(?:newest|oldest|youngest)$/.test(word);
}

/** `below their minimum` where that is a column: nothing is the least of all. */
function isOfComparison(question: LinkedQuestion, { from }: Superlative): boolean {
  const against = columnConditions(question, { taken: new Set(), asked: undefined });
  return against.some((one) => one.from <= from && from < one.to);
}

/** `what is the highest amount`: the amount itself. */
function readExtreme(question: LinkedQuestion, superlative: Superlative, named: Asked | undefined): Draft | undefined {
  const { column } = superlative;
  if (column === undefined || !(isNumeric(column) || isTemporal(column))) return undefined;
  const isWhat = question.tokens.some(({ text }, at) => text === 'what' && at < superlative.from);
  if (named === undefined && (!isWhat || superlative.mention === undefined)) return undefined;
  const clues = cluesOf(question, { taken: tokensIn(superlative, superlative.mention, named), asked: column });
  const measure = { function: superlative.descending ? ('max' as const) : ('min' as const), column };
  return draftOf({ kind: 'measure', table: question.table, where: demandsOf(clues), measure }, 0.95, [
    superlativePart(superlative),
    named,
    ...clues,
  ]);
}

function readGroups(
  question: LinkedQuestion,
  asked: Asked,
  superlative: Superlative,
  clues: readonly Clue[],
): Draft | undefined {
  const { table } = question;
  if (isKey(asked.column, table)) return undefined;
  const totals = cueTokens(question, TOTALS);
  const averages = cueTokens(question, AVERAGES);
  const { column, word } = superlative;
  const isAmount = column !== undefined && isNumeric(column);
  const isSum =
    isAmount && (totals.length > 0 || ((word === 'most' || word === 'least') && superlative.mention !== undefined));
  const isCount = column === undefined && /^(?:most|least|fewest|top|highest|greatest|largest)$/.test(word);
  if (!isSum && !isCount && !(isAmount && averages.length > 0)) return undefined;
  const fn = averages.length > 0 && isAmount ? ('avg' as const) : isSum ? ('sum' as const) : ('count' as const);
  const query = {
    kind: 'groups' as const,
    table,
    where: demandsOf(clues),
    by: asked.column,
    measure: { function: fn, column: isCount ? undefined : column },
    descending: superlative.descending,
    limit: superlative.count,
    showMeasure: superlative.count > 1,
    having: undefined,
  };
  const counted = isCount ? rowWords(question, superlative.to) : [];
  // `most` alone says less of what is counted than `the most games`.
  const quality = counted.length > 0 ? 0.95 : 0.9;
  const part = isCount ? { ...superlativePart(superlative), quality } : superlativePart(superlative);
  return draftOf(query, 0.93, [asked, part, ...clues], { used: [...totals, ...averages, ...counted] });
}

/** What is counted (`the most games`), where that is a word for the rows. */
function rowWords({ tokens, table }: LinkedQuestion, at: number): number[] {
  return [at, at + 1].filter((place) => tokens[place] !== undefined && namesRows(tokens[place].stem, table));
}

function ordered(
  question: LinkedQuestion,
  asked: Asked,
  superlative: Superlative,
  clues: readonly Clue[],
  by: QuestionColumn | 'row',
): Draft {
  const query = {
    kind: 'rows' as const,
    table: question.table,
    where: demandsOf(clues),
    columns: [asked.column],
    distinct: false,
    order: { by, descending: superlative.descending },
    limit: superlative.count,
  };
  return draftOf(query, 0.94, [asked, superlativePart(superlative), ...clues], {
    used: rowWords(question, superlative.to),
  });
}

function superlativePart({ from, to, quality, mention }: Superlative) {
  return { from, to, quality, mention, assumption: undefined };
}

/** `the names and cities of …`: columns that `and` joins to the first. */
function furtherAsked(question: LinkedQuestion, asked: Asked): Asked[] {
  const further: Asked[] = [];
  let { to } = asked;
  for (const link of question.columns) {
    const isJoined = link.from > to && /^(?:(?:and|the|their|its) ?)+$/.test(wordsOf(question, to, link.from));
    if (!isJoined || link.score < 0.75 || link.column.name === asked.column.name) continue;
    further.push({
      column: link.column,
      from: to,
      to: link.to,
      quality: 0.6 + 0.4 * link.score,
      assumption: undefined,
    });
    ({ to } = link);
  }
  return further;
}

/** `…, and where is it?`: the place of the same row. */
function placeAsked(question: LinkedQuestion, asked: Asked): Asked[] {
  const { tokens } = question;
  const at = tokens.findIndex(
    ({ text }, place) => text === 'where' && place > asked.to && tokens[place - 1]!.text === 'and',
  );
  const isOfRow = at >= 0 && OF_IT.test(wordsOf(question, at + 1, tokens.length));
  const place = isOfRow ? placeColumn(question, at) : undefined;
  return place === undefined || place.column.name === asked.column.name
    ? []
    : [{ ...place, from: at - 1, to: tokens.length, quality: 0.95 }];
}

/** The one column that is mentioned beside the demands. */
function leftover(question: LinkedQuestion): Asked | undefined {
  const clues = cluesOf(question, { taken: new Set(), asked: undefined });
  const columns = new Set(clues.flatMap(({ condition }) => ('column' in condition ? [condition.column.name] : [])));
  const free = question.columns.filter(({ column, score }) => score >= 0.75 && !columns.has(column.name));
  const [only] = free;
  if (only === undefined || clues.length === 0 || free.some(({ column }) => column.name !== only.column.name))
    return undefined;
  return {
    from: only.from,
    to: only.to,
    column: only.column,
    quality: 0.95 * (0.6 + 0.4 * only.score),
    assumption: undefined,
  };
}

function subjectAsked(question: LinkedQuestion, quality: number, nounAt?: number): Asked | undefined {
  const column = subjectOf(question.table);
  const at = question.tokens.findIndex(({ text }) => /^(?:which|what|who|whom|where|when|list|show|name)$/.test(text));
  if (column === undefined || (at < 0 && nounAt === undefined)) return undefined;
  if (/^whom?$/.test(question.tokens[at]?.text ?? '') && isNobody(column)) return undefined;
  if (at < 0)
    return {
      column,
      from: nounAt ?? 0,
      to: (nounAt ?? 0) + rowWords(question, nounAt ?? 0).length,
      quality,
      assumption: `The answer is taken from “${column.label}”.`,
    };
  const assumption = `The answer is taken from “${column.label}”.`;
  // `what is the longest trip`
  const isBehind = nounAt !== undefined && rowWords(question, nounAt)[0] === nounAt;
  if (!isOpenNoun(question, at + 1))
    return { column, from: at, to: at + 1, quality: quality + (isBehind ? NAMED : 0), assumption };
  // `which conference room`: the word for the rows is before the header.
  const isCompound = question.columns.some((link) => link.from === at + 2 && link.column.name === column.name);
  return { column, from: at, to: isCompound ? at + 3 : at + 2, quality: quality + NAMED, assumption };
}

/** Numbers and times are no persons, nor are texts whose header says that they are times. */
function isNobody(column: QuestionColumn): boolean {
  return column.type !== 'text' || headerWords(column).some(({ stem }) => TIME_STEMS.has(stem));
}

/** `which vehicle`: a word for the rows, which no header has. */
function isOpenNoun({ tokens, columns, values, table }: LinkedQuestion, at: number): boolean {
  const word = tokens[at];
  if (
    word === undefined ||
    isFiller(word.text) ||
    isHeavy(word.text) ||
    !namesKind(word.stem, table) ||
    /\d|^\w+est$/.test(word.text)
  )
    return false;
  if (!/^(?:which|what)$/.test(tokens[at - 1]!.text)) return false;
  return ![...columns, ...values].some(({ from, to }) => from <= at && at < to);
}

/** A word for the rows, or any word where the rows have nothing but names. */
function namesKind(stem: string, table: QuestionTable): boolean {
  return (
    namesRows(stem, table) ||
    namesKindsOf(stem, table) ||
    /^(?:name|title)$/i.test(subjectOf(table)?.label.trim() ?? '')
  );
}

function isCounted({ tokens }: LinkedQuestion): boolean {
  const text = tokens.map((token) => token.text).join(' ');
  return /\bhow (?:many|often|much)\b/.test(text) || COUNTED.test(text);
}
