import { cellsOf } from '#libs/text';
import { asksForList } from './answer-hints.js';
import { frameWeight } from './frame-words.js';
import { TIMES, type QuestionProfile } from './question-profile.js';
import type { ReadSentence, ReadSource } from './source-reader.js';

/** What is held less than this far is lacking. */
const HELD = 0.4;
/** What holds a word as it is holds more of it than what has another form of it, or another word for it. */
const MORE = 0.25;
/** What says that a price is asked for is no matter. */
export const PRICE_WORD =
  /^(?:costs?|prices?|fees?|fares?|charges?|rates?|pay|kosten?|kostet|preise?|gebuhr(?:en)?|couter?|coute|prix|tarifs?|precios?|cuestan?|tarifas?)$/;

/** What names one of several with letters and digits: “G7”, “T4a”. */
const CODE = /^(?=.*\p{L})(?=.*\p{N})/u;

/** Fewest words of a cell that is a sentence. */
const PROSE_WORDS = 5;

/** Whether a row is no record: one of its two cells is a sentence, as in a list of rules with their catchwords. */
export function isProse(row: string): boolean {
  const cells = cellsOf(row).filter((cell) => cell !== '');
  return (
    cells.length === 2 && cells.some((cell) => /[.!?。！？]$/.test(cell) && cell.split(/\s+/).length >= PROSE_WORDS)
  );
}

/**
 * Whether a row of a table is one of several that hold the same of the question, while a word of it is in none of them: the word that would tell
 * which one is meant is of a row that is not there (the price of the panel in moss green, where there is one in cream and one in grey). Only where one
 * thing is asked for, or where the word is a code: grade G7 is in no row of G1 to G4.
 */
export function isTiedRow(profile: QuestionProfile, source: ReadSource, at: number): boolean {
  const { text, terms, kind, sort } = profile;
  const row = source.sentences[at]!;
  if (row.kind !== 'row' || asksForList(text)) return false;
  const beside = source.sentences.filter((one) => one.kind !== 'row');
  const held = (term: number): number =>
    Math.max(row.matches[term]!, source.title[term]!, ...beside.map(({ matches }) => matches[term]!));
  const lacking = terms.filter(
    (term, index) =>
      term.sort === 'word' && frameWeight(term.form) === 1 && !PRICE_WORD.test(term.form) && held(index) < HELD,
  );
  const lacksCode = lacking.some(({ form }) => CODE.test(form));
  if (lacking.length === 0 || (kind === 'any' && sort === 'any' && !lacksCode)) return false;
  const others = source.sentences.filter(
    (other) => other !== row && other.kind === 'row' && !other.isHead && other.header === row.header,
  );
  return others.some((other) => holdsSame(row, other));
}

/**
 * Whether a name of the question is in another row of the table and something else of it in this one alone, so that neither is the row asked for:
 * the family ticket of Larn, where there is one of Ness and in Larn one for adults.
 */
export function isOfSplitRows({ text, terms }: QuestionProfile, source: ReadSource, at: number): boolean {
  const row = source.sentences[at]!;
  if (row.kind !== 'row' || row.isHead || asksForList(text)) return false;
  const beside = source.sentences.filter((one) => one.kind !== 'row');
  const isHere = terms.map(
    (_, term) =>
      Math.max(row.matches[term]!, source.title[term]!, ...beside.map(({ matches }) => matches[term]!)) >= HELD,
  );
  const telling = terms.flatMap(({ form }, term) =>
    frameWeight(form) === 1 && !PRICE_WORD.test(form) && !TIMES.test(form) ? [term] : [],
  );
  const others = source.sentences.filter(
    (other) => other !== row && other.kind === 'row' && !other.isHead && other.header === row.header,
  );
  return others.some(({ own, matches }) => {
    const there = telling.filter((term) => !isHere[term] && own[term]! >= HELD);
    const here = telling.filter((term) => row.own[term]! >= HELD && matches[term]! < HELD);
    return there.some((one) => here.some((other) => terms[one]!.isProper !== terms[other]!.isProper));
  });
}

function holdsSame({ own: one }: ReadSentence, { own: other }: ReadSentence): boolean {
  return one.every((match, term) => Math.abs(match - other[term]!) < MORE);
}
