import { expectedAnswer, holdsAnswer, type AnswerKind } from './answer-hints.js';
import { stripMarkers } from './markers.js';
import { supportOf, TermBag, termsOf, type Term } from './overlap.js';
import { indexSentences, type IndexedSentence } from './source-index.js';

/** A source that may answer a question. */
export interface ExtractiveSource {
  /** The number of its marker. */
  number: number;
  text: string;
  /** Retrieval score; only its ratio to the best source's counts. */
  score: number;
}

export interface ExtractiveOptions {
  /** Most sentences of the answer; default 3. */
  maxSentences?: number;
  /**
   * Least share of the question's content words, weighted by rarity, that the best sentence and its surroundings must hold,
   * 0..1; default 0: any content word at all suffices.
   */
  minCoverage?: number;
}

export interface ExtractiveAnswer {
  /** Sentences of the sources, word for word but for leading Markdown marks and line breaks, each followed by ` [n]`. */
  answer: string;
  /** Numbers of the quoted sources, in order of first use. */
  used: number[];
  /** Share of the question's content words that the best sentence and its surroundings hold, 0..1. */
  coverage: number;
}

/** How much a word counts that stands not in the sentence itself but near it. */
const CREDIT = { neighbour: 0.4, source: 0.25 };
const BONUS = { answer: 0.12, prior: 0.1, close: 0.08 };
const PENALTY = { question: 0.2, heading: 0.15, echo: 0.1 };

/** A further sentence is quoted when it comes near the best, or answers a part of the question that is still open. */
const NEAR_BEST = 0.85;
const OPEN_PART = 0.15;
const NEAR_EQUAL = 0.75;

interface Candidate {
  source: ExtractiveSource;
  sourceIndex: number;
  sentenceIndex: number;
  bag: TermBag;
  quote: string;
  /** For each question term, how far the sentence itself holds it. */
  matches: number[];
  coverage: number;
  score: number;
}

interface WeightedTerm extends Term {
  /** Base weight times rarity within the sources. */
  importance: number;
}

interface PreparedSource {
  source: ExtractiveSource;
  sentences: readonly IndexedSentence[];
  whole: TermBag;
}

/**
 * Answers a question with one to three sentences of the sources, without a model and in any language: those that hold most of
 * its content words, rare ones first, and something of the sort that it asks for (a number, a date, a name). Null when no
 * sentence shares a content word with the question. Deterministic: equal scores go by the order of sources and sentences.
 */
export function answerExtractively(
  question: string,
  sources: readonly ExtractiveSource[],
  options: ExtractiveOptions = {},
): ExtractiveAnswer | null {
  const { maxSentences = 3, minCoverage = 0 } = options;
  const prepared = sources.map(prepare);
  const terms = weighTerms(stripMarkers(question), prepared);
  if (terms.length === 0) return null;
  const best = Math.max(...sources.map((source) => source.score));
  const kind = expectedAnswer(question);
  const candidates = prepared.flatMap((source, index) => rate(source, index, terms, kind, best));
  candidates.sort((a, b) => b.score - a.score || a.sourceIndex - b.sourceIndex || a.sentenceIndex - b.sentenceIndex);
  const picked = pick(candidates, terms, maxSentences);
  const coverage = picked[0]?.coverage ?? 0;
  if (picked.length === 0 || coverage < minCoverage) return null;
  const ordered = arrange(picked);
  return {
    answer: ordered.map((candidate) => `${candidate.quote} [${candidate.source.number}]`).join(' '),
    used: [...new Set(ordered.map((candidate) => candidate.source.number))],
    coverage,
  };
}

/** A source without its own `[n]`: they are no content, and must not look like citations of ours. */
function prepare(given: ExtractiveSource): PreparedSource {
  const source = { ...given, text: stripMarkers(given.text) };
  const sentences = indexSentences(source.text);
  return { source, sentences, whole: new TermBag(sentences.flatMap((sentence) => sentence.bag.terms)) };
}

/** The question's content terms, each once, weighted by their rarity among all sentences. */
function weighTerms(question: string, sources: readonly PreparedSource[]): WeightedTerm[] {
  const unique = new Map(termsOf(question).map((term) => [term.form, term]));
  const bags = sources.flatMap(({ sentences }) => sentences.map((sentence) => sentence.bag));
  return [...unique.values()]
    .filter((term) => term.isContent)
    .map((term) => {
      const frequency = bags.reduce((sum, bag) => sum + (bag.match(term) > 0 ? 1 : 0), 0);
      return { ...term, importance: term.weight * Math.log(1 + (bags.length + 1) / (frequency + 0.5)) };
    });
}

function rate(
  { source, sentences, whole }: PreparedSource,
  sourceIndex: number,
  terms: readonly WeightedTerm[],
  kind: AnswerKind,
  bestScore: number,
): Candidate[] {
  const all = terms.reduce((sum, term) => sum + term.importance, 0);
  const own = sentences.map(({ bag }) => terms.map((term) => bag.match(term)));
  const inSource = terms.map((term) => whole.match(term));
  const candidates: Candidate[] = [];
  for (const [index, { start, end, bag }] of sentences.entries()) {
    const matches = own[index] as number[];
    if (!matches.some((match) => match > 0)) continue;
    const near = (at: number): number => Math.max(own[index - 1]?.[at] ?? 0, own[index + 1]?.[at] ?? 0);
    const covered = terms.reduce((sum, term, at) => {
      const credit = Math.max(matches[at] ?? 0, CREDIT.neighbour * near(at), CREDIT.source * (inSource[at] ?? 0));
      return sum + term.importance * credit;
    }, 0);
    const text = source.text.slice(start, end);
    const prior = bestScore > 0 ? BONUS.prior * Math.max(0, source.score / bestScore) : 0;
    const score = covered / all + prior + adjust(text, bag, terms, matches, kind);
    const coverage = covered / all;
    candidates.push({ source, sourceIndex, sentenceIndex: index, bag, quote: quote(text), matches, coverage, score });
  }
  return candidates.filter((candidate) => candidate.quote !== '');
}

/** Bonuses and penalties that do not depend on how many words are found. */
function adjust(
  text: string,
  bag: TermBag,
  terms: readonly WeightedTerm[],
  matches: readonly number[],
  kind: AnswerKind,
): number {
  const asked = new TermBag(terms);
  const rest = bag.terms.filter((term) => term.isContent && asked.match(term) === 0);
  let sum = 0;
  if (kind !== 'any' && holdsAnswer(kind, withoutForms(text, terms))) sum += BONUS.answer;
  if (rest.length < 2) sum -= PENALTY.echo;
  if (/[?？؟]["'”’»」）)]*$/.test(text)) sum -= PENALTY.question;
  if (/^\s*#{1,6}\s/.test(text) || !/\p{P}$/u.test(text)) sum -= PENALTY.heading;
  return sum + BONUS.close * closeness(bag, terms, matches);
}

/** Leaves out the numbers that the question itself names: they are no answer. */
function withoutForms(text: string, terms: readonly WeightedTerm[]): string {
  return terms.filter((term) => term.sort === 'number').reduce((rest, term) => rest.replaceAll(term.form, ' '), text);
}

/** 1 when all found terms stand side by side, towards 0 when they are scattered over a long sentence. */
function closeness(bag: TermBag, terms: readonly WeightedTerm[], matches: readonly number[]): number {
  const found = new TermBag(terms.filter((_, at) => (matches[at] ?? 0) > 0));
  const positions = bag.terms.flatMap((term, at) => (term.isContent && found.match(term) > 0 ? [at] : []));
  if (positions.length < 2) return 0;
  const span = (positions.at(-1) as number) - (positions[0] as number) + 1;
  return positions.length / span;
}

function pick(candidates: readonly Candidate[], terms: readonly WeightedTerm[], most: number): Candidate[] {
  const [best, ...others] = candidates;
  if (best === undefined || most < 1) return [];
  const picked = [best];
  const held = [...best.matches];
  const all = terms.reduce((sum, term) => sum + term.importance, 0);
  for (const candidate of others) {
    if (picked.length >= most || candidate.score < best.score / 2) break;
    if (picked.some((other) => areNearEqual(other, candidate))) continue;
    const gain = terms.reduce(
      (sum, term, at) => sum + term.importance * Math.max(0, (candidate.matches[at] ?? 0) - (held[at] ?? 0)),
      0,
    );
    if (candidate.score < best.score * NEAR_BEST && gain / all < OPEN_PART) continue;
    picked.push(candidate);
    for (const [at, match] of candidate.matches.entries()) held[at] = Math.max(held[at] ?? 0, match);
  }
  return picked;
}

function areNearEqual(one: Candidate, other: Candidate): boolean {
  return Math.min(supportOf(one.bag.terms, other.bag), supportOf(other.bag.terms, one.bag)) >= NEAR_EQUAL;
}

/** Sources in the order of their best sentence, sentences of a source in the order of the text. */
function arrange(picked: readonly Candidate[]): Candidate[] {
  const order = [...new Set(picked.map((candidate) => candidate.sourceIndex))];
  return picked.toSorted(
    (a, b) => order.indexOf(a.sourceIndex) - order.indexOf(b.sourceIndex) || a.sentenceIndex - b.sentenceIndex,
  );
}

/** A sentence as it is quoted: on one line, without leading Markdown marks. */
function quote(text: string): string {
  return text
    .replace(/^(?:\s*(?:#{1,6}|[-*+•‣▪>]|\d{1,3}[.)])\s+)+/, '')
    .replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
    .trim();
}
