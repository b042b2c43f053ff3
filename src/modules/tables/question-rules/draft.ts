import type { Clue } from './clue.js';
import { demandsOf } from './demands.js';
import { subjectOf, type Asked } from './asked-column.js';
import { isOfAll, isOfHeaderInPlural, isPieceOf } from './header-phrases.js';
import { isKindOfTitle } from './open-words.js';
import { isCommon, type ValueLink } from './link-values.js';
import type { LinkedQuestion } from './linked-question.js';
import type { Condition, TableQuery } from './table-query.js';
import { isFiller, tokensOf } from './words.js';

/** One way to understand a question. */
export interface Draft {
  readonly query: TableQuery;
  /** Up to 1: how sure the form is, and every part of it. */
  readonly quality: number;
  /** Tokens that it explains. */
  readonly used: ReadonlySet<number>;
  readonly assumptions: readonly string[];
}

type Part = Pick<Clue, 'from' | 'to' | 'quality' | 'assumption'> & Partial<Pick<Clue, 'mention' | 'further'>>;

/** Small words that change what is asked: a reading that leaves one out is wrong more often than not. */
const TELLING =
  /^(?:most|least|more|less|fewer|before|after|next|previous|first|last|not|no|never|only|between|total|different|same|each|per|average|or|than|both|above|below|other|without|since|until)$/;
const HEAVY =
  /^(?:consecutive|consecutively|percentage|ratio|proportion|combined|difference|median|except|twice|half|double|change|increase|decrease|tied|straight|longest|highest|lowest|largest|smallest|either|neither|correlation|trend|forecast|predict)$/;
/** Verbs that say that something has something. */
const LIGHT_VERBS =
  /^(?:win|wins|won|score|scores|scored|earn|earns|earned|get|gets|got|finish|finishes|finished|work|works|worked|live|lives|lived|join|joined|cost|costs|sell|sells|sold|buy|bought|complete|completed|contain|contains|include|includes|included|located|based|belong|belongs|reach|reached|achieve|achieved|gain|gained|obtain|obtained|give|gave|given|made|held|done)$/;
const LIGHT = 0.95;
const LIGHT_VERB = 0.92;
const UNEXPLAINED = 0.8;
const UNEXPLAINED_TELLING = 0.8;
const UNEXPLAINED_HEAVY = 0.55;

/** Gathers what makes a draft. */
export function draftOf(
  query: TableQuery,
  base: number,
  parts: readonly (Part | Asked | undefined)[],
  extra: { readonly used?: readonly number[]; readonly assumptions?: readonly string[] } = {},
): Draft {
  const used = new Set<number>(extra.used ?? []);
  const assumptions = [...(extra.assumptions ?? [])];
  let quality = base;
  for (const part of parts) {
    if (part === undefined) continue;
    quality *= part.quality;
    for (let at = part.from; at < part.to; at += 1) used.add(at);
    if ('mention' in part && part.mention !== undefined) {
      for (let at = part.mention.from; at < part.mention.to; at += 1) used.add(at);
    }
    if ('further' in part) for (const at of tokensIn(...(part.further ?? []))) used.add(at);
    if (part.assumption !== undefined) assumptions.push(part.assumption);
  }
  return { query, quality, used, assumptions: [...new Set(assumptions)] };
}

/** How sure a draft is, with the words that it leaves unexplained. */
export function confidenceOf(
  question: LinkedQuestion,
  { quality, used }: Draft,
): { confidence: number; unexplained: string[] } {
  const { tokens, columns, values, table } = question;
  const unexplained: string[] = [];
  const known = new Set(tokensOf(`${table.title} ${table.name.replaceAll('_', ' ')}`).map(({ stem }) => stem));
  const seen = new Set<string>();
  let confidence = quality;
  const mentionsUsed = columns.filter(({ from, to }) => [...used].some((at) => from <= at && at < to));
  const cellsAt = (at: number): ValueLink | undefined => values.find(({ from, to }) => from <= at && at < to);
  const subject = subjectOf(table)?.name;
  /** `gold medals`: the word behind a column belongs to it; and the word for what rows are about says nothing new. */
  const lightCost = (at: number): number => {
    const isBehind = used.has(at - 1) && columns.some(({ to }) => to === at);
    const isSubject = columns.some(({ from, to, column }) => from <= at && at < to && column.name === subject);
    const cells = cellsAt(at);
    const isKind = cells !== undefined && isCommon(cells);
    return isBehind || isSubject || isKind ? LIGHT : LIGHT_VERBS.test(tokens[at]!.text) ? LIGHT_VERB : 0;
  };
  tokens.forEach(({ text, stem }, at) => {
    if (
      used.has(at) ||
      [isOfHeaderInPlural, isPieceOf, isOfAll, isKindOfTitle].some((isPlaced) => isPlaced(question, at))
    )
      return;
    // The same word again, or a column that is meant already.
    if (tokens.some((other, index) => used.has(index) && other.stem === stem)) return;
    if (mentionsUsed.some(({ from, to }) => from <= at && at < to)) return;
    const cost = Math.max(costOf(text, cellsAt(at) !== undefined), lightCost(at));
    if (cost >= 1 || seen.has(stem) || (known.has(stem) && cost === UNEXPLAINED)) return;
    seen.add(stem);
    unexplained.push(text);
    confidence *= cost;
  });
  return { confidence, unexplained };
}

function costOf(text: string, isCell: boolean): number {
  if (isHeavy(text) || isCell || /^\d/.test(text)) return UNEXPLAINED_HEAVY;
  if (TELLING.test(text)) return UNEXPLAINED_TELLING;
  return isFiller(text) ? 1 : UNEXPLAINED;
}

/** Words of forms that no reading has. */
export function isHeavy(text: string): boolean {
  return HEAVY.test(text);
}

/** A set of all tokens of some spans. */
export function tokensIn(
  ...spans: readonly ({ readonly from: number; readonly to: number } | undefined)[]
): Set<number> {
  const all = new Set<number>();
  for (const span of spans) {
    if (span !== undefined) for (let at = span.from; at < span.to; at += 1) all.add(at);
  }
  return all;
}

/** Tokens of words that match anywhere in the question. */
export function cueTokens({ tokens }: LinkedQuestion, words: RegExp): number[] {
  return tokens.flatMap(({ text }, at) => (words.test(text) ? [at] : []));
}

export function whereOf(clues: readonly Clue[]): Condition[] {
  return demandsOf(clues);
}
