import { trimRange, splitSentences, type TextRange } from '#libs/text';
import { resolveMarkers, stripMarkers, type Marker } from './markers.js';
import { findSupport, indexSources, type IndexedSource, type SourceText } from './source-index.js';
import { statementTerms } from './statement-terms.js';
import { withoutNotes } from './answerer-notes.js';

/** A chunk that was given to the model under a number. */
export interface CitationSource extends SourceText {
  /** The number of the marker, from 1. */
  number: number;
  /** Text of the chunk, as stored. */
  text: string;
  /** Offset of the chunk in the document's canonical text, in UTF-16 code units. */
  start: number;
}

/** One marker of an answer with the statement it represents and the text that supports it. */
export interface AnswerCitation {
  number: number;
  /** The marker as it is in the cleaned answer: `[1]`. */
  marker: string;
  /** The statement in the cleaned answer, without markers at its ends; UTF-16 code units, `end` exclusive. */
  answerStart: number;
  answerEnd: number;
  /** Offsets of `citedText` in the document's canonical text, in UTF-16 code units. */
  sourceStart: number;
  sourceEnd: number;
  /** Exact part of the source, whole sentences; the whole source when no sentence of it shares a word with the statement. */
  citedText: string;
  /** Share of the statement's words that the cited text holds, 0..1; 1 when it is there word for word. */
  supportScore: number;
}

/** An answer with its citations. */
export interface CitedAnswer {
  /** The answer without markers that point nowhere; groups such as `[1, 2]` are written `[1][2]`. */
  answer: string;
  /** One for each remaining marker, in order. */
  citations: AnswerCitation[];
  removedMarkers: number;
}

/** Whether the sources say what the answer says. */
export interface Grounding {
  /** `supported`: every sentence is. `unsupported`: none is. */
  status: 'supported' | 'partial' | 'unsupported';
  /** Mean support of the sentences, weighted by their length, 0..1. */
  score: number;
  /** Sentences of the answer that no source supports, in order. */
  unsupportedSpans: TextRange[];
}

/** From this support on a sentence counts as supported. */
export const SUPPORTED_SCORE = 0.6;

interface PreparedSource extends IndexedSource {
  readonly start: number;
}

/**
 * Finds what each marker of an answer represents and which sentences of its source support it.
 * Deterministic; compares words, their forms and, for scripts without spaces, character n-grams, not meanings.
 */
export function resolveCitations(answer: string, sources: readonly CitationSource[]): CitedAnswer {
  const marked = resolveMarkers(answer, new Set(sources.map(({ number }) => number)));
  return {
    answer: marked.answer,
    citations: citeMarkers(marked.answer, marked.markers, sources),
    removedMarkers: marked.removed,
  };
}

/** What each of the given markers of an answer represents; each must name a source. */
export function citeMarkers(
  answer: string,
  markers: readonly Marker[],
  sources: readonly CitationSource[],
): AnswerCitation[] {
  const cited = new Set(markers.map(({ number }) => number));
  const used = sources.filter(({ number, documentId }) => documentId !== undefined || cited.has(number));
  const indexed = indexSources(used);
  const byNumber = new Map(
    used.map(({ number, start }, at): [number, PreparedSource] => [number, { ...indexed[at]!, start }]),
  );
  const sentences = splitSentences(answer);
  return markers.map((marker, index) => {
    const statement = findStatement(answer, markers, index, sentences);
    return cite(answer, marker, statement, byNumber.get(marker.number) as PreparedSource);
  });
}

/** True when `citedText` is at `[start, end)` of `sourceText`, code unit for code unit, and is well-formed text. */
export function verifyCitation(citedText: string, sourceText: string, start: number, end: number): boolean {
  if (!Number.isInteger(start) || !Number.isInteger(end)) return false;
  if (start < 0 || end <= start || end > sourceText.length) return false;
  return citedText === sourceText.slice(start, end) && !/[\ud800-\udbff]$|^[\udc00-\udfff]/.test(citedText);
}

/**
 * Measures how far the sources support an answer, sentence by sentence, whichever markers it carries. Sentences that say
 * nothing (“Yes.”) are passed over; an answer of such sentences only is unsupported with score 0.
 * @param question what is answered: what it names is a name at the beginning of a sentence, too.
 */
export function measureGrounding(answer: string, sources: readonly SourceText[], question = ''): Grounding {
  const prepared = indexSources(sources, question);
  const unsupportedSpans: TextRange[] = [];
  let [weighted, length, judged] = [0, 0, 0];
  for (const sentence of splitSentences(answer).flatMap((range) => splitAtMarkers(answer, range))) {
    const text = withoutNotes(stripMarkers(answer.slice(sentence.start, sentence.end)).trim());
    const terms = statementTerms(text);
    if (!terms.some((term) => term.isContent)) continue;
    const scores = prepared.map((source) => findSupport(text, terms, source)?.score ?? 0);
    const score = Math.max(0, ...scores);
    weighted += score * text.length;
    length += text.length;
    judged++;
    if (score < SUPPORTED_SCORE) unsupportedSpans.push(sentence);
  }
  const supported = judged - unsupportedSpans.length;
  const status = supported === 0 ? 'unsupported' : supported === judged ? 'supported' : 'partial';
  return { status, score: length === 0 ? 0 : weighted / length, unsupportedSpans };
}

/** A sentence with markers inside is judged part by part, each with the markers behind it. */
export function splitAtMarkers(answer: string, { start, end }: TextRange): TextRange[] {
  const parts: TextRange[] = [];
  let from = start;
  for (const group of answer.slice(start, end).matchAll(/(?:\s?\[\d{1,3}\])+[.。!?！？]?/g)) {
    parts.push(trimRange(answer, from, start + group.index + group[0].length));
    from = start + group.index + group[0].length;
  }
  return [...parts, trimRange(answer, from, end)].filter((part) => part.end > part.start);
}

function cite(answer: string, marker: Marker, statement: TextRange, source: PreparedSource): AnswerCitation {
  const text = withoutNotes(stripMarkers(answer.slice(statement.start, statement.end)).trim());
  const support = findSupport(text, statementTerms(text), source) ?? { start: 0, end: source.text.length, score: 0 };
  return {
    number: marker.number,
    marker: `[${marker.number}]`,
    answerStart: statement.start,
    answerEnd: statement.end,
    sourceStart: source.start + support.start,
    sourceEnd: source.start + support.end,
    citedText: source.text.slice(support.start, support.end),
    supportScore: support.score,
  };
}

/** The text from the sentence's start, or from the markers before in the same sentence, to the group of markers. */
function findStatement(
  answer: string,
  markers: readonly Marker[],
  index: number,
  sentences: readonly TextRange[],
): TextRange {
  let first = index;
  while (first > 0 && isBetweenMarkers(answer, markers[first - 1] as Marker, markers[first] as Marker)) first--;
  const at = (markers[first] as Marker).start;
  let last = countBefore(sentences, at) - 1;
  while (last >= 0 && !hasWords(answer, sentences[last]!.start, at)) last -= 1;
  const sentence = sentences[last] ?? { start: 0 };
  const previous = first > 0 ? (markers[first - 1] as Marker).end : 0;
  const from = previous > sentence.start && hasWords(answer, previous, at) ? previous : sentence.start;
  return trimStatement(answer, from, at);
}

/** How many of the sentences begin before a place; they are in the order of the text. */
function countBefore(sentences: readonly TextRange[], at: number): number {
  let [low, high] = [0, sentences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sentences[middle]!.start < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Only white space or a separating comma is between markers of one group. */
function isBetweenMarkers(answer: string, left: Marker, right: Marker): boolean {
  return /^[\s,;、，]*$/.test(answer.slice(left.end, right.start));
}

function hasWords(answer: string, from: number, to: number): boolean {
  return /\p{L}|\p{N}/u.test(stripMarkers(answer.slice(from, to)));
}

/** Leaves out list marks, quotation marks of Markdown and the punctuation after an earlier marker. */
function trimStatement(answer: string, from: number, to: number): TextRange {
  const range = trimRange(answer, from, to);
  const lead = /^(?:[,;:.)\]。，、；]+\s*|#{1,6}\s+|[-*+•>]\s+|\d{1,3}[.)]\s+)+/.exec(
    answer.slice(range.start, range.end),
  );
  const start = range.start + (lead?.[0].length ?? 0);
  return start < range.end ? { start, end: range.end } : range;
}
