import { wordForms } from '#libs/ranking';
import { cellsOf } from '#libs/text';
import { isMonth } from './stated-dates.js';
import { foldText, termsOf } from './overlap.js';
import { isUnit } from './stated-units.js';

/** One of several that are told apart by their numbers or letters: `Year 7`, `Haus 16`, `Block D`. */
interface Numbered {
  /** Stem of the word before the number. */
  readonly label: string;
  /** Of a letter its code. */
  readonly number: number;
}

const LABELLED = /(?<![\p{L}\p{N}-])(\p{L}{3,})\s(\d{1,3})(?![\p{L}\p{N}]|[.,:/]\d|\s?[%\p{Sc}])(?=\s*([\p{L}²³]*))/gu;
/** A bound tells of many, and so does what holds for some only: “from Year 5”, “up to room 12”, “only Years 5 and 6”. */
const BOUND =
  /(?<!\p{L})(?:only(?:\s\p{L}+){0,3}|nur(?:\s\p{L}+){0,3}|seule?s?(?:\s\p{L}+){0,3}|sólo(?:\s\p{L}+){0,3}|solo(?:\s\p{L}+){0,3}|from|since|over|under|above|below|beyond|before|after|until|till|up to|as of|than|ab|seit|bis|über|unter|vor|nach|als|dès|depuis|avant|après|jusqu['’]\p{L}+|partir d[eu]|plus de|moins de|desde|hasta|partir de|antes de|después de)\s(?:(?:the|age|der|dem|den|la|le|el)\s)?$/iu;
const OR_MORE =
  /^\s?(?:\+|and|or|und|oder|et|ou|y|o)\s?(?:over|above|older|up|upwards|below|under|younger|älter|höher|jünger|plus|más|moins|menos)(?!\p{L})|^\s?(?:\+|upwards|onwards|aufwärts)/iu;
/** The numbers behind a label: “Years 5, 6 and 8 to 10”. */
const LISTED =
  /(?<![\p{L}\p{N}-])(\p{L}{3,})\s((?:\d{1,3}(?:\s?(?:,|;|&|\/|[-–]|and|or|to|und|oder|bis|et|ou|à|y|o|a)\s?)?)+)(?![\p{L}\p{N}])/gu;
/** A capital letter alone behind a word; *I* is none. */
const LETTERED = /(?<![\p{L}\p{N}-])(\p{L}{3,})\s((?!I)\p{Lu})(?![\p{L}\p{M}\p{N}'’&.-])/gu;
/** The letters behind a label: “Blocks A, B and D”, “rows A to F”. */
const LETTERS =
  /(?<![\p{L}\p{N}-])(\p{L}{3,})\s((?:(?!I)\p{Lu}(?![\p{L}\p{M}\p{N}'’])(?:\s?(?:,|;|&|\/|[-–]|(?:and|or|to|und|oder|bis|et|ou|à|y|o)(?=\s))\s?)?)+)/gu;
const LETTER_SPAN = /(\p{Lu})\s?(?:[-–]|to|bis|à)\s?(\p{Lu})/gu;
const SPAN = /(\d{1,3})\s?(?:[-–]|to|bis|à|a)\s?(\d{1,3})/gu;

/**
 * Whether a statement tells of another one that is called by the same word, and not of the one that is asked about: a teacher of Year 4 is none of
 * Year 7, although the class may be in room 7. In a row the column with that word as its head holds its numbers.
 * @param header names of the columns, joined by ` | `; null for what is no row
 */
export function isOfOtherNumber(question: string, own: string, header: string | null): boolean {
  const asked = numberedIn(question);
  if (asked.length === 0) return false;
  const told = toldIn(own, header);
  return asked.some(({ label, number }) => {
    const same = told.filter((one) => one.label === label);
    return same.length > 0 && !same.some(({ from, to }) => from <= number && number <= to);
  });
}

function numberedIn(question: string): Numbered[] {
  const content = new Set(termsOf(question).flatMap(({ form, isContent }) => (isContent ? [form] : [])));
  const numbered = [...question.matchAll(LABELLED)].flatMap(([, word = '', number, unit = '']): Numbered[] => {
    const form = foldText(word);
    const isLabel = content.has(form) && !isMonth(form) && !isUnit(foldText(unit));
    return isLabel ? [{ label: wordForms(form).stem, number: Number(number) }] : [];
  });
  const lettered = [...question.matchAll(LETTERED)].flatMap(([, word = '', letter = '']): Numbered[] =>
    content.has(foldText(word))
      ? [{ label: letteredLabel(wordForms(foldText(word)).stem), number: letter.charCodeAt(0) }]
      : [],
  );
  return [...numbered, ...lettered];
}

/** A number and the code of a letter may be the same: their labels keep them apart. */
function letteredLabel(label: string): string {
  return `${label} letter`;
}

/** Whether a question tells with a number which one it means: “week 16”, „Haus 4“. */
export function isNumberOfOne(question: string, number: string): boolean {
  const content = new Set(termsOf(question).flatMap(({ form, isContent }) => (isContent ? [form] : [])));
  return [...question.matchAll(LABELLED)].some(
    ([, word = '', found]) => found === number && content.has(foldText(word)) && !isMonth(foldText(word)),
  );
}

interface Told {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

function toldIn(own: string, header: string | null): Told[] {
  const named = [...own.matchAll(LISTED)].flatMap(({ 0: whole, 1: word, 2: numbers, index }) =>
    BOUND.test(own.slice(0, index)) || OR_MORE.test(own.slice(index + whole.replace(/\D+$/u, '').length))
      ? []
      : spansOf(wordForms(foldText(word!)).stem, numbers!),
  );
  const lettered = [...own.matchAll(LETTERS)].flatMap(([, word, letters]) =>
    letterSpansOf(wordForms(foldText(word!)).stem, letters!),
  );
  if (header === null) return [...named, ...lettered];
  const cells = cellsOf(own);
  const columns = cellsOf(header).flatMap((head, at) => {
    const [label, ...more] = termsOf(head).filter(({ isContent }) => isContent);
    if (label === undefined || more.length > 0) return [];
    const [stem, cell] = [wordForms(label.form).stem, cells[at] ?? ''];
    return [...spansOf(stem, cell), ...(/^\p{Lu}$/u.test(cell.trim()) ? letterSpansOf(stem, cell) : [])];
  });
  return [...named, ...lettered, ...columns];
}

function letterSpansOf(stem: string, letters: string): Told[] {
  const label = letteredLabel(stem);
  const spans = [...letters.matchAll(LETTER_SPAN)].map(([, from = '', to = '']) => ({
    label,
    from: from.charCodeAt(0),
    to: to.charCodeAt(0),
  }));
  const rest = letters.replace(LETTER_SPAN, ' ').match(/\p{Lu}/gu) ?? [];
  return [...spans, ...rest.map((letter) => ({ label, from: letter.charCodeAt(0), to: letter.charCodeAt(0) }))];
}

function spansOf(label: string, numbers: string): Told[] {
  const spans = [...numbers.matchAll(SPAN)].map(([, from, to]) => ({ label, from: Number(from), to: Number(to) }));
  const rest = numbers.replace(SPAN, ' ').match(/(?<![\d.,:]|\p{L}[-–]?)\d{1,3}(?![\d:]|[.,]\d)/gu) ?? [];
  return [...spans, ...rest.map((number) => ({ label, from: Number(number), to: Number(number) }))];
}
