import { classAt, DIGIT, SEPARATOR, UPPER, widthAt } from './characters.js';
import type { CharacterClass } from './characters.js';

/** What an identifier, a number or a hyphenated word is found by. */
export interface CompoundForms {
  /** The whole and its larger pieces; never empty, each once, the whole first. */
  wholes: string[];
  /** The smallest pieces in their order, with repetitions; empty when the whole is one piece. */
  parts: string[];
}

const GROUPED_NUMBER = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const NUMBERS_IN_A_ROW = /\d+(?:[-_./:,]\d+)+/g;
const JOINER_BESIDE_LETTER = /(?<!\d)[-_./:,]|[-_./:,](?!\d)/g;
/** `PDFs`: no vowel tells a stemmer that the s is a plural. */
const PLURAL_OF_CAPITALS = /^\p{Lu}{2,}s$/u;
const JOINER = /[-_./:,]/;

/** A border lies between digits and letters, before a capital after a small letter, and in `HTTPServer` before `Server`. */
function isBorder(text: string, index: number, kind: CharacterClass, previous: CharacterClass): boolean {
  if (previous === SEPARATOR) return false;
  if ((kind === DIGIT) !== (previous === DIGIT)) return true;
  if (kind === UPPER) return previous !== UPPER || beginsWord(text, index);
  return false;
}

/** A capital followed by two small letters: the `S` of `HTTPServer`, but not the `F` of `PDFs`. */
function beginsWord(text: string, index: number): boolean {
  if (index + 2 >= text.length) return false;
  const next = classAt(text, index + 1);
  const second = classAt(text, index + 2);
  return (
    next !== UPPER &&
    next !== DIGIT &&
    next !== SEPARATOR &&
    second !== UPPER &&
    second !== DIGIT &&
    second !== SEPARATOR
  );
}

function smallestPieces(text: string, lower: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let previous: CharacterClass = SEPARATOR;
  for (let index = 0; index < text.length; index += widthAt(text, index)) {
    const kind = classAt(text, index);
    if (kind === SEPARATOR || isBorder(text, index, kind, previous)) {
      if (index > start) pieces.push(lower.slice(start, index));
      start = kind === SEPARATOR ? index + 1 : index;
    }
    previous = kind;
  }
  if (start < lower.length) pieces.push(lower.slice(start));
  return pieces;
}

/**
 * The forms of a token of letters, digits and joiners. Joiners stay between digits and vanish elsewhere, so that
 * `X-Request-ID`, `x_request_id` and `xRequestId` are one whole, while `2.19.5` is not `219.5`.
 */
export function splitCompound(text: string, lower: string): CompoundForms {
  const parts = smallestPieces(text, lower);
  const whole = GROUPED_NUMBER.test(lower) ? lower.replaceAll(',', '') : lower.replace(JOINER_BESIDE_LETTER, '');
  const wholes = new Set([whole]);
  if (PLURAL_OF_CAPITALS.test(text)) wholes.add(whole.slice(0, -1));
  if (JOINER.test(lower)) {
    const small = new Set(parts);
    for (const piece of lower.split(JOINER)) if (!small.has(piece)) wholes.add(piece);
    for (const [numbers] of lower.matchAll(NUMBERS_IN_A_ROW)) if (!GROUPED_NUMBER.test(numbers)) wholes.add(numbers);
  }
  return { wholes: [...wholes], parts: parts.length === 1 && parts[0] === whole ? [] : parts };
}
