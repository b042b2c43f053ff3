import type { AnswerKind } from './answer-hints.js';
import type { AnswerSort } from './answer-sort.js';
import { holdsSort, isMarked } from './answer-sorts.js';
import type { Term } from './overlap.js';
import { contradictEachOther, sayTheSame } from './same-statement.js';
import { pointsBack } from './condense.js';
import { holdsOwn } from './told-before.js';
import type { ReadSentence } from './source-reader.js';

interface Rated {
  readonly quote: string;
  readonly score: number;
}

/** What holds the sort asked for counts before what holds more of the words, from this share of its score on. */
const OF_SORT = 0.6;

/** Whether a sentence asks something itself. */
export function asks(quote: string): boolean {
  return /[?？؟]["'”’»」）)*_]*$/.test(quote);
}

/** A quotation of fewer words is a label where the question holds all of them: “Roof.” says nothing of who mends it. */
const FEWEST_WORDS = 3;

/** Whether a quotation only names what the question names. */
export function isLabel(quote: string, { kind, hits, length }: ReadSentence): boolean {
  // A number before it is a word more, and each pair of characters of a script without spaces.
  if (kind === 'row' || kind === 'heading' || hits.length === 0 || length > FEWEST_WORDS) return false;
  const words = quote.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
  return words < FEWEST_WORDS && words <= new Set(hits.map(({ at }) => at)).size && !/[:：]$/.test(quote);
}

/** Where something says as much, what asks is no answer. */
export function withoutQuestions<T extends Rated>(candidates: readonly T[]): T[] {
  const saying = candidates.filter(({ quote }) => !asks(quote));
  return bestOf(saying) < OF_SORT * bestOf(candidates) ? [...candidates] : saying;
}

/** A line of more words that no mark ends is no heading. */
const HEADING_WORDS = 8;

/** Whether a statement is certainly a heading: it is marked as one, or the document knows it as one. */
export function isCertainHeading({ kind, isKnownHeading }: ReadSentence): boolean {
  return kind === 'heading' || isKnownHeading === true;
}

/** A heading as it is marked, or a short line of its own that no mark ends. */
export function isHeading(text: string, sentence: ReadSentence): boolean {
  const { start, end, kind, length } = sentence;
  if (isCertainHeading(sentence)) return true;
  if (kind !== 'sentence') return false;
  const isAlone = (start === 0 || text[start - 1] === '\n') && (end === text.length || text[end] === '\n');
  const line = text.slice(start, end);
  return isAlone && length <= HEADING_WORDS && !line.includes('\n') && /[\p{L}\p{N}]$/u.test(line);
}

/** A heading, or a line of words alone with an empty line behind it: it says what follows, and nothing itself. */
export function isTitle(text: string, sentence: ReadSentence): boolean {
  if (isCertainHeading(sentence)) return true;
  const isApart = /^[^\S\n]*\n[^\S\n]*\n/u.test(text.slice(sentence.end));
  return isApart && isHeading(text, sentence) && !/[\p{N}:@]/u.test(text.slice(sentence.start, sentence.end));
}

/** Most words of the lines that a text opens with before an empty line. */
const HEAD_WORDS = 20;

/** Whether a statement is what a text is called: lines that no mark ends, with an empty line behind them. */
export function isHead(text: string, sentence: ReadSentence): boolean {
  const { start, end, kind, length, isField } = sentence;
  if (isCertainHeading(sentence)) return true;
  const lines = text.slice(start, end).trim();
  return (
    kind === 'sentence' &&
    !isField &&
    length <= HEAD_WORDS &&
    /[\p{L}\p{N}]$/u.test(lines) &&
    !lines.includes(':') &&
    /^[^\S\n]*\n[^\S\n]*\n/u.test(text.slice(end))
  );
}

const bestOf = (candidates: readonly Rated[]): number => Math.max(0, ...candidates.map(({ score }) => score));

/** Where something holds a price, a duration, a count or a time that is asked for, what holds none is no answer. */
export function withoutOtherSorts<T extends Rated>(sort: AnswerSort, candidates: readonly T[]): T[] {
  if (!isMarked(sort)) return [...candidates];
  const holding = candidates.filter(({ quote }) => holdsSort(sort, quote));
  return bestOf(holding) < OF_SORT * bestOf(candidates) ? [...candidates] : holding;
}

/** Leaves out the numbers that the question itself names: they are no answer. */
export function withoutNumbers(text: string, terms: readonly Pick<Term, 'form' | 'sort'>[]): string {
  return terms.filter(({ sort }) => sort === 'number').reduce((rest, { form }) => rest.replaceAll(form, ' '), text);
}

/** 1 when all found terms are side by side, towards 0 when they are scattered over a long sentence. */
export function closeness({ hits }: Pick<ReadSentence, 'hits'>): number {
  const places = new Set(hits.map(({ at }) => at));
  return places.size < 2 ? 0 : places.size / (Math.max(...places) - Math.min(...places) + 1);
}

/** Statements below a heading that may answer what is asked of it. */
const UNDER_HEADING = 4;

/** Sentences of a reply that are looked at. */
const OF_REPLY = 4;

/**
 * The question of the text that a sentence answers, where it shares words with the one that is asked: it is answered there, in whatever words. The
 * reply is the paragraph behind it.
 */
export function questionOver(
  text: string,
  sentences: readonly ReadSentence[],
  index: number,
): ReadSentence | undefined {
  const { kind, start, end } = sentences[index]!;
  if (kind === 'row' || kind === 'heading' || asks(text.slice(start, end).trim())) return undefined;
  const from = Math.max(0, index - OF_REPLY);
  const at = sentences.slice(from, index).findLastIndex((one) => asks(text.slice(one.start, one.end).trim()));
  if (at < 0) return undefined;
  const question = sentences[from + at]!;
  const between = sentences.slice(from + at, index + 1);
  const isOne = between.every((one, place) => place === 0 || (one.kind !== 'row' && one.kind !== 'heading'));
  const first = between[1]!;
  if (!isOne || /\n\s*\n/.test(text.slice(first.start, start)) || question.kind === 'row') return undefined;
  return question.matches.every((match) => match === 0) ? undefined : question;
}

/**
 * The heading over a sentence that holds the very sort of thing that is asked for, where the question shares words with it: “Office / Monday to
 * Friday, 8 to 4” answers when the office is open, and need not name it again.
 */
export function headingOver(
  sort: AnswerSort,
  text: string,
  sentences: readonly ReadSentence[],
  index: number,
): ReadSentence | undefined {
  const { start, end, kind } = sentences[index]!;
  if (sort === 'any' || !isMarked(sort) || kind === 'row' || kind === 'heading') return undefined;
  const heading = sentences.slice(Math.max(0, index - UNDER_HEADING), index).findLast((one) => isHeading(text, one));
  if (heading === undefined || heading.matches.every((match) => match === 0)) return undefined;
  return holdsSort(sort, text.slice(start, end)) ? heading : undefined;
}

/** Statements below a heading that say what it announces. */
const OF_SECTION = 2;

/**
 * The heading that a sentence is among the first below: what it announces is said there, in whatever words. “What happened / At 15:40 the clamp
 * opened” answers what happened.
 */
export function sectionOver(text: string, sentences: readonly ReadSentence[], index: number): ReadSentence | undefined {
  const sentence = sentences[index]!;
  // A heading opens the list below it, and is quoted with its items.
  if (sentence.kind === 'row' || sentence.kind === 'item' || isHeading(text, sentence)) return undefined;
  const heading = sentences.slice(Math.max(0, index - OF_SECTION), index).findLast((one) => isHeading(text, one));
  return heading?.matches.some((match) => match > 0) === true ? heading : undefined;
}

/** What belongs to something may be said of the sentence's own subject: “Electric parts are taken back only in their sealed package.” */
const POSSESSIVE =
  /(?<!\p{L})(?:its|theirs?|his|hers|sein\p{L}{0,2}|ihr\p{L}{0,2}|leurs?|sus?|suo\p{L}?|loro)(?!\p{L})/giu;

/** The sentence before one in its paragraph, where this one takes up what it is about with a pronoun: “Bertram orders it by 20 February.” */
export function pronounOf(text: string, sentences: readonly ReadSentence[], index: number): ReadSentence | undefined {
  const before = sentences[index - 1];
  const { start, end, kind, isField } = sentences[index]!;
  if (before === undefined || kind !== 'sentence' || isField || before.kind === 'row' || before.kind === 'heading')
    return undefined;
  // What holds nothing has nothing to lend.
  if (before.matches.every((match) => match === 0)) return undefined;
  const isOne = !/\n\s*\n/.test(text.slice(before.end, start));
  return isOne && pointsBack(text.slice(start, end).replace(POSSESSIVE, ' ')) ? before : undefined;
}

/** Places of the sentences beside one, the next one first, that hold what is asked for and stand in the same paragraph. */
export function besideOf(
  { text, sentences }: { readonly text: string; readonly sentences: readonly ReadSentence[] },
  index: number,
  sort: AnswerSort,
): number[] {
  const { start, end, kind, isField } = sentences[index]!;
  if (kind !== 'sentence' || isField) return [];
  return [index + 1, index - 1].filter((at) => {
    const other = sentences[at];
    if (other?.kind !== 'sentence' || other.isField) return false;
    const between = text.slice(Math.min(end, other.end), Math.max(start, other.start));
    return !/\n\s*\n/.test(between) && holdsSort(sort, text.slice(other.start, other.end));
  });
}

/** The place of the sentence behind one in its paragraph; none at its end. */
export function behindOf(
  { text, sentences }: { readonly text: string; readonly sentences: readonly ReadSentence[] },
  index: number,
): number[] {
  const next = sentences[index + 1];
  const isText = next?.kind === 'sentence' || next?.kind === 'item';
  return isText && !/\n\s*\n/.test(text.slice(sentences[index]!.end, next.start)) ? [index + 1] : [];
}

/** Words add a statement to a list that meaning began where it holds this share of the question's words. */
const COVERING = 0.4;

/** What a list is told by: statements that mean most, then those that hold most of the words. */
export function fill<T extends { readonly quote: string; readonly coverage: number }>(
  meant: readonly T[],
  byWords: readonly T[],
  most: number,
): T[] {
  const filled = [...meant];
  for (const one of byWords) {
    const isSaid = filled.some(({ quote }) => quote === one.quote || sayTheSame(quote, one.quote));
    if (filled.length < most && one.coverage >= COVERING && !isSaid) filled.push(one);
  }
  return filled;
}

/** Whether words found a statement that contradicts the one that means most: then both are quoted, the newer one first. */
export function isDisputed<T extends { readonly quote: string }>(
  [meant]: readonly T[],
  byWords: readonly T[],
): boolean {
  return meant !== undefined && byWords.some(({ quote }) => contradictEachOther(meant.quote, quote));
}

/**
 * Words decide where what they found covers this much of the question, and what means most holds less than this share of as much; `whole` where they found
 * next to all of it (“fishing permit one week”).
 */
const OUTDONE = { coverage: 0.65, share: 0.5, whole: { coverage: 0.9, share: 0.7 } };

/** Whether words found a statement that says nearly all that is asked about, and holds what is asked for, while the one that means most holds little of it. */
export function isOutdone<
  T extends Pick<Rated, 'quote'> & { readonly coverage: number; readonly about: readonly number[] },
>(
  [meant]: readonly T[],
  [first]: readonly T[],
  sort: AnswerSort,
  weigh: (matches: readonly number[]) => number,
): boolean {
  if (meant === undefined || first === undefined || first.coverage < OUTDONE.coverage) return false;
  if (isMarked(sort) && !holdsSort(sort, first.quote)) return false;
  const { share } = first.coverage >= OUTDONE.whole.coverage ? OUTDONE.whole : OUTDONE;
  return weigh(meant.about) < share * weigh(first.about);
}

/** What may be quoted beside the best. */
export function nearBest<T extends Rated>(candidates: readonly T[]): T[] {
  const most = bestOf(candidates);
  return candidates.filter(({ score }) => score >= most / 2);
}

/**
 * What a document is called is no answer beside a sentence, although it is capitalised as names are (“Board of the Harbour Trust, 21 April 2026”); its
 * date may be one, but not to a follow-up of which it holds no word.
 */
export function withoutHeads<T extends Rated & { readonly sourceIndex: number; readonly sentence: ReadSentence }>(
  candidates: readonly T[],
  heads: readonly (ReadSentence | null)[],
  { kind, isOwn }: { readonly kind: AnswerKind; readonly isOwn: readonly boolean[] },
): T[] {
  const others = candidates.filter(({ sourceIndex, sentence }) => {
    const mayTell = kind === 'date' && (!isOwn.includes(true) || holdsOwn(sentence, isOwn));
    return mayTell || sentence !== heads[sourceIndex];
  });
  return bestOf(others) < bestOf(candidates) / 2 ? [...candidates] : others;
}

/** The best first, the others by their sources' best and in the order of the text. */
export function arrange<T extends { readonly sourceIndex: number; readonly sentenceIndex: number }>([
  first,
  ...others
]: readonly T[]): T[] {
  if (first === undefined) return [];
  const order = [...new Set([first, ...others].map((candidate) => candidate.sourceIndex))];
  const rest = others.toSorted(
    (a, b) => order.indexOf(a.sourceIndex) - order.indexOf(b.sourceIndex) || a.sentenceIndex - b.sentenceIndex,
  );
  return [first, ...rest];
}
