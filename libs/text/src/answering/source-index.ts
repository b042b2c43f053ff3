import type { TextRange } from '../language/split-sentences.js';
import { supportOf, TermBag, termsOf, type Term } from './overlap.js';
import { splitStatements } from './statements.js';

/** A sentence of a source with its terms. */
export interface IndexedSentence extends TextRange {
  bag: TermBag;
}

/** The stretch of a source that supports a statement best, in offsets of the source's text. */
export interface SupportingSpan extends TextRange {
  score: number;
}

/** A neighbouring sentence is added to the span when it adds at least this much support. */
const WORTH_A_SENTENCE = 0.3;

/** Most sentences of a supporting span. */
const MAX_SPAN_SENTENCES = 3;

/** Splits a text into statements with their terms; a row of a table says what its header says too. */
export function indexSentences(text: string): IndexedSentence[] {
  return splitStatements(text).map(({ start, end, header }) => {
    const terms = termsOf(text.slice(start, end));
    const headed = header === null ? terms : [...terms, ...termsOf(header)];
    return { start, end, bag: new TermBag(headed) };
  });
}

/**
 * The sentence, or up to three neighbouring ones, that support a statement best; null when none shares a content word with
 * it. A statement that stands word for word in the source finds the sentences around it, with score 1. The first wins a tie.
 */
export function findSupport(
  statement: string,
  terms: readonly Term[],
  source: { text: string; sentences: readonly IndexedSentence[] },
): SupportingSpan | null {
  const { sentences } = source;
  const verbatim = findVerbatim(statement, source.text, sentences);
  if (verbatim !== null) return verbatim;
  const scores = sentences.map((sentence) => supportOf(terms, sentence.bag));
  const first = scores.indexOf(Math.max(0, ...scores));
  if (first < 0 || !sharesContent(terms, sentences[first]?.bag)) return null;
  let [from, to, score] = [first, first, scores[first] as number];
  while (to - from + 1 < MAX_SPAN_SENTENCES) {
    const before = from > 0 ? supportOfRange(terms, sentences, from - 1, to) : 0;
    const after = to + 1 < sentences.length ? supportOfRange(terms, sentences, from, to + 1) : 0;
    if (Math.max(before, after) < score + WORTH_A_SENTENCE) break;
    if (after >= before) to++;
    else from--;
    score = Math.max(before, after);
  }
  return { start: (sentences[from] as TextRange).start, end: (sentences[to] as TextRange).end, score };
}

function sharesContent(terms: readonly Term[], bag: TermBag | undefined): boolean {
  return bag !== undefined && terms.some((term) => term.isContent && bag.match(term) > 0);
}

function supportOfRange(
  terms: readonly Term[],
  sentences: readonly IndexedSentence[],
  from: number,
  to: number,
): number {
  return supportOf(terms, new TermBag(sentences.slice(from, to + 1).flatMap((sentence) => sentence.bag.terms)));
}

function findVerbatim(statement: string, text: string, sentences: readonly IndexedSentence[]): SupportingSpan | null {
  const at = statement.length === 0 ? -1 : text.indexOf(statement);
  if (at < 0) return null;
  const inside = sentences.filter((sentence) => sentence.end > at && sentence.start < at + statement.length);
  const start = Math.min(at, inside[0]?.start ?? at);
  const end = Math.max(at + statement.length, inside.at(-1)?.end ?? 0);
  return { start, end, score: 1 };
}
