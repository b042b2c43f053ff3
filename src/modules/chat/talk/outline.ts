import { splitSentences } from '#libs/text';
import type { AnswerCitation } from '#libs/answering';
import type { ShownPart } from '../turn/shown-documents.repository.js';

/** The first sentence of a section. */
export interface OutlinedSection {
  readonly heading: string | null;
  readonly chunk: ShownPart;
  /** Its place in the body of the chunk. */
  readonly start: number;
  readonly end: number;
}

/** Sections that an outline shows. */
export const MOST_SECTIONS = 12;
/** A line of markup, of a table or of next to nothing is no sentence. */
const NO_SENTENCE = /^\s*(?:#|\||[-=_*]{3,}\s*$|<)|^\P{L}*$/u;
const MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/u;

/** The sections of a document in order, each by its heading and its first sentence. */
export function outlineOf(chunks: readonly ShownPart[]): { sections: OutlinedSection[]; isWhole: boolean } {
  const sections: OutlinedSection[] = [];
  const known = new Set<string>();
  for (const chunk of chunks) {
    const path = chunk.heading_path.join('\n');
    if (known.has(path)) continue;
    const sentence = firstSentence(chunk);
    if (sentence === undefined) continue;
    known.add(path);
    if (sections.length === MOST_SECTIONS) return { sections, isWhole: false };
    sections.push({ heading: chunk.heading_path.at(-1) ?? null, chunk, ...sentence });
  }
  return { sections, isWhole: true };
}

function firstSentence({ body, heading_path }: ShownPart): { start: number; end: number } | undefined {
  const headings = new Set(heading_path.map((heading) => heading.trim()));
  for (const { 0: line, index } of body.matchAll(/[^\n]+/g)) {
    if (NO_SENTENCE.test(line) || headings.has(line.trim())) continue;
    const from = index + (MARK.exec(line)?.[0].length ?? line.search(/\S/));
    const paragraph = body.slice(from).split(/\n\s*\n/, 1)[0]!;
    const [first] = splitSentences(paragraph);
    if (first === undefined) continue;
    const text = paragraph.slice(first.start, first.end);
    const start = from + first.start + text.search(/\S/);
    return { start, end: start + text.trim().length };
  }
  return undefined;
}

/** A text under construction with what it cites. */
export class CitedText {
  content = '';
  readonly citations: AnswerCitation[] = [];

  /** A line that says what `quoted` says, with its marker. */
  quote(shown: string, { number, quoted, sourceStart }: { number: number; quoted: string; sourceStart: number }): void {
    const answerStart = this.content.length;
    this.content += shown;
    const place = { answerStart, answerEnd: this.content.length, sourceStart, sourceEnd: sourceStart + quoted.length };
    this.citations.push({ number, marker: `[${number}]`, ...place, citedText: quoted, supportScore: 1 });
    this.content += ` [${number}]`;
  }
}
