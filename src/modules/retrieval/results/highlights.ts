import { splitSentences, type TextRange } from '#libs/text';
import { latinLanguageOf, wordHashes, type EvidenceUnit, type LatinLanguage, type QueryTerms } from '#libs/ranking';
import { WordBeginnings } from './word-beginnings.js';

/** A sentence with the words of it that match the query, in UTF-16 code units of the text. */
export interface MarkedSentence extends TextRange {
  readonly matches: readonly TextRange[];
}

const SENTENCES_MAX = 3;
const MATCHES_MAX = 32;
/** What lies further behind in a very long chunk is not marked. */
const TEXT_MAX = 20_000;

/** Scripts whose words no spaces part: the units of a query in them are n-grams and are looked for as they are. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+$/u;
const WORD =
  /[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]]+/gv;

const FIRST_BEYOND_ASCII = 0x80;

interface Match extends TextRange {
  readonly unit: EvidenceUnit;
}

/** Finds the words of one query in texts. Keeps what it learned about each word, so use one marker for all results of a search. */
export class HighlightMarker {
  private readonly unitsByHash = new Map<number, EvidenceUnit>();
  private readonly runs: readonly EvidenceUnit[];
  private readonly unitsByWord = {
    tr: new Map<string, EvidenceUnit | null>(),
    other: new Map<string, EvidenceUnit | null>(),
  };
  private readonly beginnings: WordBeginnings;

  constructor(query: QueryTerms) {
    this.runs = query.units.filter(({ text }) => UNSPACED.test(text));
    const spaced = query.units.filter(({ text }) => !UNSPACED.test(text));
    this.beginnings = new WordBeginnings(spaced.map(({ text }) => text));
    for (const unit of spaced) {
      for (const hash of unit.words) if (!this.unitsByHash.has(hash)) this.unitsByHash.set(hash, unit);
    }
  }

  /** The up to three sentences that hold most of the query's content words, in the order of the text; none without a match. */
  mark(text: string): MarkedSentence[] {
    const marked = text.slice(0, TEXT_MAX);
    const matches = [...this.wordMatches(marked), ...this.runMatches(marked)].sort(
      (a, b) => a.start - b.start || b.end - a.end,
    );
    if (matches.length === 0) return [];
    return matchesBySentence(splitSentences(marked), matches)
      .filter(({ inside }) => inside.length > 0)
      .map(({ sentence, inside }) => ({ sentence, inside, weight: weightOf(inside) }))
      .sort((a, b) => b.weight - a.weight || a.sentence.start - b.sentence.start)
      .slice(0, SENTENCES_MAX)
      .sort((a, b) => a.sentence.start - b.sentence.start)
      .map(({ sentence, inside }) => ({
        start: sentence.start,
        end: sentence.end,
        matches: joined(inside).slice(0, MATCHES_MAX),
      }));
  }

  private wordMatches(text: string): Match[] {
    const matches: Match[] = [];
    if (this.unitsByHash.size === 0) return matches;
    const latin = latinLanguageOf(text);
    let end = 0;
    for (let start = firstWord(text, end); start >= 0; start = firstWord(text, end)) {
      end = endOfWord(text, start);
      const unit = this.beginnings.mayMatch(text, start, end) ? this.unitOf(text.slice(start, end), latin) : null;
      if (unit !== null) matches.push({ start, end, unit });
    }
    return matches;
  }

  /** The analysis decides, so that every inflected form by which a chunk was found is marked too. */
  private unitOf(word: string, latin: LatinLanguage): EvidenceUnit | null {
    const units = this.unitsByWord[latin ?? 'other'];
    const known = units.get(word);
    if (known !== undefined) return known;
    const hash = wordHashes(word, latin).find((one) => this.unitsByHash.has(one));
    const found = hash === undefined ? undefined : this.unitsByHash.get(hash);
    units.set(word, found ?? null);
    return found ?? null;
  }

  private *runMatches(text: string): Generator<Match> {
    for (const unit of this.runs) {
      for (let at = text.indexOf(unit.text); at !== -1; at = text.indexOf(unit.text, at + 1)) {
        yield { start: at, end: at + unit.text.length, unit };
      }
    }
  }
}

/** Where the first word at or behind `from` begins; -1: there is none. Most words begin with an ASCII letter or digit, which is told by its code. */
function firstWord(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isAsciiWord(code)) return index;
    if (code < FIRST_BEYOND_ASCII) continue;
    WORD.lastIndex = index;
    return WORD.exec(text)?.index ?? -1;
  }
  return -1;
}

/** Where the word that begins at `start` ends. */
function endOfWord(text: string, start: number): number {
  let end = start;
  while (isAsciiWord(text.charCodeAt(end))) end += 1;
  if (!(text.charCodeAt(end) >= FIRST_BEYOND_ASCII)) return end;
  WORD.lastIndex = start;
  WORD.test(text);
  return WORD.lastIndex;
}

function isAsciiWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}

/** Each content word counts once, however often it is there. */
function weightOf(matches: readonly Match[]): number {
  return [...new Set(matches.map(({ unit }) => unit))].reduce((sum, { weight }) => sum + weight, 0);
}

/** Ranges that touch or overlap, as n-grams of one word do, become one. */
function joined(matches: readonly Match[]): TextRange[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of matches) {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

/** For each sentence the matches that lie in it. Both lists are in the order of the text, and gone through once. */
function matchesBySentence(
  sentences: readonly TextRange[],
  matches: readonly Match[],
): { readonly sentence: TextRange; readonly inside: Match[] }[] {
  let next = 0;
  return sentences.map((sentence) => {
    const inside: Match[] = [];
    while (next < matches.length && matches[next]!.start < sentence.start) next += 1;
    for (; next < matches.length && matches[next]!.start < sentence.end; next += 1) {
      if (matches[next]!.end <= sentence.end) inside.push(matches[next]!);
    }
    return { sentence, inside };
  });
}
