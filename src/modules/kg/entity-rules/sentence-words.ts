import { CONNECTORS, NEVER_NAMES } from './name-cues.js';

/** A word of a sentence. */
export interface Word {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** Begins with a capital letter. */
  readonly capital: boolean;
  /** Begins the sentence, a line or a cell of a table, so that its capital letter tells nothing and no word in front of it belongs to it. */
  readonly begins: boolean;
  readonly piece: Piece;
}

/** What a word is in: a cell of a table, a line that was not broken by the width of a page, or a sentence. */
export interface Piece {
  /** Says something with words in small letters: titles, labels and cells do not. */
  prose: boolean;
  readonly cell: boolean;
}

const WORD = /\p{L}[\p{L}\p{M}\p{N}]*(?:['’.&-][\p{L}\p{M}\p{N}]+)*|\p{N}[\p{L}\p{M}\p{N}]*/gu;
const CAPITAL = /^\p{Lu}/u;
const APOSTROPHE = /['’]/u;
const SMALL = /^\p{Ll}{2}/u;
/** A line of running text is at least as long, where the width of a page broke it. */
const BROKEN_LINE = 40;
const ENDS_LINE = /[.:;!?>]$/u;

/** The words of a sentence. In Turkish what follows an apostrophe is an ending and no part of a name. */
export function wordsOf(sentence: string, language: string): Word[] {
  const words: Word[] = [];
  let last = 0;
  let piece: Piece | null = null;
  for (const match of sentence.matchAll(WORD)) {
    let text = match[0].replace(/['’]s?$/u, '');
    if (language === 'tr') text = text.split(APOSTROPHE)[0]!;
    const begins: boolean = piece === null || startsPiece(sentence, last, match.index);
    if (begins || piece === null) piece = { prose: false, cell: isCell(sentence, last, match.index) };
    const lower = text.toLowerCase();
    if (!piece.prose && SMALL.test(text) && !NEVER_NAMES.has(lower) && !CONNECTORS.has(lower)) piece.prose = true;
    last = match.index + match[0].length;
    words.push({
      text,
      lower,
      start: match.index,
      end: match.index + text.length,
      capital: CAPITAL.test(text),
      begins,
      piece,
    });
  }
  return words;
}

/** Whether what is between two words parts them: the border of a cell, or the end of a line that was ended on purpose. */
function startsPiece(sentence: string, from: number, to: number): boolean {
  if (to - from === 1) return /[|\t\n]/u.test(sentence[from]!) && startsAt(sentence, from, to);
  return startsAt(sentence, from, to);
}

function startsAt(sentence: string, from: number, to: number): boolean {
  const gap = sentence.slice(from, to);
  if (/[|\t]/u.test(gap)) return true;
  const at = gap.lastIndexOf('\n');
  if (at < 0) return false;
  const lineEnd = from + gap.indexOf('\n');
  const line = sentence.slice(sentence.lastIndexOf('\n', lineEnd - 1) + 1, lineEnd).trimEnd();
  const isBroken =
    gap.indexOf('\n') === at && line.length >= BROKEN_LINE && !line.includes('|') && !ENDS_LINE.test(line);
  return !isBroken || /[^\s]/u.test(gap.slice(at));
}

function isCell(sentence: string, from: number, to: number): boolean {
  if (/[|\t]/u.test(sentence.slice(from, to))) return true;
  const end = sentence.indexOf('\n', to);
  return /[|\t]/u.test(sentence.slice(to, end < 0 ? undefined : end));
}
