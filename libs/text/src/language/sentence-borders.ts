import { isWhitespace } from './characters.js';

/** Marks that end a sentence wherever they are, with or without a space after them. */
const STRONG = new Set([...'。！？｡．।॥۔؟։።፧།။។‼⁇⁈⁉'].map((mark) => mark.charCodeAt(0)));

/** Closing quotes and brackets that belong to the sentence before them. */
const CLOSERS = new Set([...'"\'”’»›)]}」』】）〕》〉*_`'].map((mark) => mark.charCodeAt(0)));

/** Abbreviations that are followed by more of the same sentence, lower case, without their last full stop. */
const ABBREVIATIONS = new Set(
  (
    'dr mr mrs ms prof st sr jr rev gen col lt sgt capt gov sen rep hon vs e.g i.e eg ie al cf fig figs vol no nos pp p art ' +
    'sec ch eq approx ca dept est inc ltd co corp u.s u.k ph.d z.b d.h u.a o.ä s.o s.u i.d.r bzw vgl nr bd hrsg abs str ' +
    'tel evtl ggf inkl exkl max min ca mio mrd sog geb gest jh m mme mlle mm av bd boul c.-à-d p.ex sra srta sto ud uds ' +
    'dott sig ing avv pag т.е т.д т.п г гг им ул стр рис др проф см ст bijv d.w.z o.a nl tzv např tj č s.a'
  ).split(' '),
);

/** Months that make a number before them an ordinal: „am 3. Oktober“, „3. října“. */
const ORDINAL_FOLLOWERS =
  /^(jan|feb|m[äa]r|apr|mai|jun|jul|aug|sep|okt|oct|nov|dez|des|dec|jahrhundert|jh|ledna|[úu]nora|b[řr]ezna|dubna|kv[ěe]tna|[čc]erv|srpna|z[áa][řr][íi]|[řr][íi]jna|listopadu|prosince)/iu;

const FULL_STOP = 0x2e;
const ELLIPSIS = 0x2026;

function isWeakMark(code: number): boolean {
  return code === FULL_STOP || code === 0x21 || code === 0x3f || code === ELLIPSIS;
}

/** True when the character can end a sentence, so that `sentenceEndAt` is worth asking. */
export function isSentenceMark(code: number): boolean {
  return isWeakMark(code) || (code > 0x580 && STRONG.has(code));
}

/**
 * Where the sentence ends whose closing mark is at `at`: the index after the mark, after repeated marks, closing quotes
 * and citation markers such as `[12]`; or -1 when the mark ends no sentence (decimal, abbreviation, initial, ordinal,
 * list number, file name). Reads at most some forty characters to each side.
 */
export function sentenceEndAt(text: string, at: number): number {
  const mark = text.charCodeAt(at);
  const strong = STRONG.has(mark);
  let end = at + 1;
  while (end < text.length && (isSentenceMark(text.charCodeAt(end)) || CLOSERS.has(text.charCodeAt(end)))) end++;
  end = skipMarkers(text, end);
  if (strong || end >= text.length) return end;
  if (!isWhitespace(text.charCodeAt(end)) && text.charCodeAt(end) < 0x3000) return -1;
  if (mark === FULL_STOP && end === at + 1 && !fullStopEnds(text, at)) return -1;
  return /^\s{1,3}\p{Ll}/u.test(text.slice(end, end + 5)) ? -1 : end;
}

/** Skips `[1]`, ` [2]`, `[3, 4]` after a sentence. */
function skipMarkers(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code !== 0x5b && !(code === 0x20 && text.charCodeAt(from + 1) === 0x5b)) return from;
  const markers = /^(?: ?\[\d{1,3}(?:\s?[,;]\s?\d{1,3})*\](?!\())+/.exec(text.slice(from, from + 48));
  return markers === null ? from : from + markers[0].length;
}

function fullStopEnds(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 16), at);
  const word = /[\p{L}\p{N}.-]+$/u.exec(before)?.[0] ?? '';
  if (word === '') return true;
  if (/^\p{Lu}$/u.test(word)) return false;
  if (/^\d{1,3}$/.test(word)) return !numberContinues(text, at, word.length);
  return !ABBREVIATIONS.has(word.toLowerCase());
}

/** A list number at the start of a line, or an ordinal before a month. */
function numberContinues(text: string, at: number, digits: number): boolean {
  return isLineStart(text, at - digits) || ORDINAL_FOLLOWERS.test(text.slice(at + 1, at + 24).trimStart());
}

function isLineStart(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const code = text.charCodeAt(i);
    if (code === 10) return true;
    if (!isWhitespace(code)) return false;
  }
  return true;
}
