/** A part of a passage's text, in UTF-16 code units from its beginning. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A result of a search, as far as its text goes. Offsets of matches are those of the document's canonical text. */
export interface Passage {
  readonly text?: string;
  readonly highlights?: readonly Highlight[];
  readonly position: { readonly char_start: number };
}

interface Highlight {
  readonly text: string;
  readonly matches: readonly { readonly char_start: number; readonly char_end: number }[];
}

/** The words that match, in order and without overlaps. Offsets of the interface are those of the canonical text. */
export function spansOf({ text = '', highlights = [], position }: Passage): readonly Span[] {
  const spans = highlights
    .flatMap(({ matches }) => matches)
    .map((match) => ({ start: match.char_start - position.char_start, end: match.char_end - position.char_start }))
    .filter(({ start, end }) => start >= 0 && end <= text.length && end > start)
    .toSorted((a, b) => a.start - b.start);
  const apart: Span[] = [];
  for (const span of spans) if (span.start >= (apart.at(-1)?.end ?? 0)) apart.push(span);
  return apart;
}

/** How much stands before the first marked word, so that it is read in its sentence. */
const LEAD = 120;

/** The part of a text that is shown at first: at most so many characters around the first marked words, cut between words. */
export function excerptOf(text: string, spans: readonly Span[], most: number): Span {
  if (text.length <= most) return { start: 0, end: text.length };
  const first = spans[0]?.start ?? 0;
  const wanted = first + LEAD < most ? 0 : Math.min(first - LEAD, text.length - most);
  const start = wanted <= 0 ? 0 : afterSpace(text, wanted, first);
  const last = start + most;
  return { start, end: last >= text.length ? text.length : beforeSpace(text, last, start) };
}

function afterSpace(text: string, from: number, limit: number): number {
  const at = text.slice(from, limit).search(/\s/);
  return at === -1 ? wholeCharacter(text, from) : from + at + 1;
}

function beforeSpace(text: string, to: number, limit: number): number {
  const at = text.slice(limit, to).search(/\s\S*$/);
  return at < 1 ? wholeCharacter(text, to) : limit + at;
}

/** Not between the halves of a character outside the basic plane. */
function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at;
}

/** The sentence that speaks for a passage: its first highlight, else its beginning. */
export function evidenceOf({ text = '', highlights = [] }: Passage, most: number): string {
  const sentence = highlights[0]?.text ?? text;
  return sentence.slice(0, sentence.length <= most ? undefined : wholeCharacter(sentence, most)).trim();
}

/** A line this long was broken by a width, not by a thought. */
const WRAPPED = /(?<=[^\n]{60})\n(?=[^\s\-*#|>])/g;

/** A text without the line breaks that a fixed width has made; every other character keeps its place. */
export function unwrapped(text: string): string {
  return text.replaceAll(WRAPPED, ' ');
}
