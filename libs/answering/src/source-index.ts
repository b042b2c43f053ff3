import type { TextRange } from '#libs/text';
import { shareOf, TermBag, type Term } from './overlap.js';
import { saysOtherwise } from './says-otherwise.js';
import { statementTerms } from './statement-terms.js';
import { splitStatements } from './statements.js';

/** A source with what belongs to it. */
export interface SourceText {
  readonly text: string;
  /** Name of the document, or whatever the model was told of it. */
  readonly title?: string;
  /** What the sources of one document have in common. */
  readonly documentId?: string;
}

/** A sentence of a source with its terms. */
export interface IndexedSentence extends TextRange {
  bag: TermBag;
  /** The sentence; a row of a table with its header. */
  stated: string;
  /** The heading that it is under; empty where there is none. */
  above: string;
}

/** A source, arranged to find what supports a statement. */
export interface IndexedSource {
  readonly text: string;
  readonly sentences: readonly IndexedSentence[];
  readonly title: string;
  /** Words of its document, as far as its sources hold them, and of the titles. */
  readonly context: TermBag;
  readonly question: string;
}

/** The stretch of a source that supports a statement best, in offsets of the source's text. */
export interface SupportingSpan extends TextRange {
  score: number;
}

/** A neighbouring sentence is added to the span when it adds at least this much support. */
const WORTH_A_SENTENCE = 0.3;

/** Most sentences of a supporting span. */
const MAX_SPAN_SENTENCES = 3;

/** The most support by a passage that says something else than the statement where it counts, however many words they share. */
const SAYS_OTHERWISE = 0.5;

/** Splits a text into statements with their terms; a row of a table says what its header says too. */
export function indexSentences(text: string): IndexedSentence[] {
  let above = '';
  return splitStatements(text).map(({ start, end, header, kind }) => {
    const own = text.slice(start, end);
    const stated = header === null ? own : `${own}\n${header}`;
    const sentence = { start, end, bag: new TermBag(statementTerms(stated)), stated, above };
    if (kind === 'heading') above = own;
    return sentence;
  });
}

/** Arranges sources; what one of them names may be in another one of the same document. */
export function indexSources(sources: readonly SourceText[], question = ''): IndexedSource[] {
  const indexed = sources.map(({ text, title = '' }) => {
    const sentences = indexSentences(text);
    return { text, title, sentences, terms: [...sentences.flatMap(({ bag }) => bag.terms), ...statementTerms(title)] };
  });
  const documents = sources.map(({ documentId }, at) => documentId ?? at);
  const contexts = new Map<string | number, TermBag>();
  for (const id of new Set(documents)) {
    contexts.set(id, new TermBag(indexed.filter((_, at) => documents[at] === id).flatMap(({ terms }) => terms)));
  }
  return indexed.map(({ text, title, sentences }, at) => ({
    text,
    title,
    sentences,
    context: contexts.get(documents[at]!)!,
    question,
  }));
}

/**
 * The sentence, or up to three neighbouring ones, that support a statement best; null when none shares a content word with
 * it. A statement that is word for word in the source finds the sentences around it, with score 1. What says something else
 * where it counts supports it by one half at most. The first wins a tie.
 */
export function findSupport(statement: string, terms: readonly Term[], source: IndexedSource): SupportingSpan | null {
  const { sentences } = source;
  const verbatim = findVerbatim(statement, source.text, sentences);
  if (verbatim !== null) return verbatim;
  const support = (from: number, to: number): number =>
    supportOfRange(statement, terms, source, sentences.slice(from, to + 1));
  const scores = sentences.map((_, at) => support(at, at));
  const first = scores.indexOf(Math.max(0, ...scores));
  if (first < 0 || !sharesContent(terms, sentences[first]?.bag)) return null;
  let [from, to, score] = [first, first, scores[first] as number];
  while (to - from + 1 < MAX_SPAN_SENTENCES) {
    const before = from > 0 ? support(from - 1, to) : 0;
    const after = to + 1 < sentences.length ? support(from, to + 1) : 0;
    if (Math.max(before, after) < score + WORTH_A_SENTENCE) break;
    if (after >= before) to++;
    else from--;
    score = Math.max(before, after);
  }
  return { start: (sentences[from] as TextRange).start, end: (sentences[to] as TextRange).end, score };
}

/** Whether of what a statement is about nothing is there but its numbers: they may be those of something else. */
function sharesNumbersOnly(terms: readonly Term[], bag: TermBag): boolean {
  const words = terms.filter(({ isContent, sort }) => isContent && sort !== 'number');
  return words.length > 1 && words.every((term) => bag.match(term) === 0);
}

function sharesContent(terms: readonly Term[], bag: TermBag | undefined): boolean {
  return bag !== undefined && terms.some((term) => term.isContent && bag.match(term) > 0);
}

function supportOfRange(
  statement: string,
  terms: readonly Term[],
  { title, context, question }: IndexedSource,
  sentences: readonly IndexedSentence[],
): number {
  const bag = sentences.length === 1 ? sentences[0]!.bag : new TermBag(sentences.flatMap((one) => one.bag.terms));
  const share = shareOf(terms, bag);
  if (share <= SAYS_OTHERWISE) return share;
  if (sharesNumbersOnly(terms, bag)) return SAYS_OTHERWISE;
  const passage = sentences.map(({ stated }) => stated).join('\n');
  const above = `${title}\n${sentences[0]!.above}`;
  return saysOtherwise(statement, passage, { above, context, question }) ? SAYS_OTHERWISE : share;
}

function findVerbatim(statement: string, text: string, sentences: readonly IndexedSentence[]): SupportingSpan | null {
  const at = statement.length === 0 ? -1 : text.indexOf(statement);
  if (at < 0) return null;
  const inside = sentences.filter((sentence) => sentence.end > at && sentence.start < at + statement.length);
  const start = Math.min(at, inside[0]?.start ?? at);
  const end = Math.max(at + statement.length, inside.at(-1)?.end ?? 0);
  return { start, end, score: 1 };
}
