import { toNormalForm } from '#libs/common';
import { isUnspacedScript, splitSentences, type TextRange } from '#libs/text';
import { splitAtMarkers, SUPPORTED_SCORE } from './citations.js';
import { stripMarkers } from './markers.js';
import { supportOf, TermBag, termsOf } from './overlap.js';

/** A citation as far as it is measured: where its statement is in the answer, and what is cited for it. */
export interface MeasuredCitation {
  readonly answerStart: number;
  /** Exclusive. */
  readonly answerEnd: number;
  readonly citedText: string;
  /** Share of the statement's words that the cited text holds, 0 to 1. */
  readonly supportScore: number;
  /** Whether the cited text is in the document, byte for byte. */
  readonly isExact: boolean;
}

/** Articles that SQuAD's measure passes over. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the']);

/** Share of the citations whose text supports the statement that they are behind; null without citations. */
export function citationPrecision(citations: readonly MeasuredCitation[]): number | null {
  return shareOf(citations, ({ supportScore }) => supportScore >= SUPPORTED_SCORE);
}

/** Share of the citations whose text is in the document as it is cited; null without citations. */
export function citationExactness(citations: readonly MeasuredCitation[]): number | null {
  return shareOf(citations, ({ isExact }) => isExact);
}

/**
 * Share of the statements of an answer that the texts cited for them support together; a statement without a citation is not supported.
 * Null for an answer that says nothing.
 */
export function citationRecall(answer: string, citations: readonly MeasuredCitation[]): number | null {
  return shareOf(statementsOf(answer), (statement) => {
    const cited = citations.filter(({ answerStart, answerEnd }) => overlaps(statement, answerStart, answerEnd));
    if (cited.some(({ supportScore }) => supportScore >= SUPPORTED_SCORE)) return true;
    const bag = new TermBag(termsOf(cited.map(({ citedText }) => citedText).join('\n')));
    const said = termsOf(stripMarkers(answer.slice(statement.start, statement.end)));
    return cited.length > 0 && supportOf(said, bag) >= SUPPORTED_SCORE;
  });
}

/** 1 when the expected answer is in the answer, without regard to case, spaces and signs; else 0. */
export function answerContainment(answer: string, expected: string): number {
  const wanted = lettersOf(expected);
  return wanted !== '' && lettersOf(stripMarkers(answer)).includes(wanted) ? 1 : 0;
}

/** Harmonic mean of the shares of words that answer and expected answer have in common, each as often as it is in both. */
export function tokenF1(answer: string, expected: string): number {
  const [given, wanted] = [tokensOf(stripMarkers(answer)), tokensOf(expected)];
  if (given.length === 0 || wanted.length === 0) return given.length === wanted.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const token of wanted) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of given) {
    const n = left.get(token) ?? 0;
    if (n > 0) common += 1;
    left.set(token, n - 1);
  }
  return (2 * common) / (given.length + wanted.length);
}

/** Sentences, parted where markers are, that say something. */
function statementsOf(answer: string): TextRange[] {
  return splitSentences(answer)
    .flatMap((range) => splitAtMarkers(answer, range))
    .filter(({ start, end }) => termsOf(stripMarkers(answer.slice(start, end))).some((term) => term.isContent));
}

function overlaps({ start, end }: TextRange, from: number, to: number): boolean {
  return from < end && to > start;
}

function lettersOf(text: string): string {
  return toNormalForm(text, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/** Words in lower case without articles; of scripts without spaces each character. */
function tokensOf(text: string): string[] {
  const words =
    toNormalForm(text, 'NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => partsOf(word)).filter((token) => !ARTICLES.has(token));
}

function partsOf(word: string): string[] {
  const parts: string[] = [];
  let open = '';
  for (const character of word) {
    if (!isUnspacedScript(character.charCodeAt(0))) {
      open += character;
      continue;
    }
    if (open !== '') parts.push(open);
    open = '';
    parts.push(character);
  }
  return open === '' ? parts : [...parts, open];
}

function shareOf<T>(items: readonly T[], test: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(test).length / items.length;
}
