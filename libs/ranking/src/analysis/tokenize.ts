import { classAt, DIGIT, IDEOGRAPH, LETTER, SEPARATOR, UPPER, widthAt } from './characters.js';
import type { CharacterClass, HANGUL, UNSPACED } from './characters.js';
import { splitCompound } from './compounds.js';

/** Scripts that are cut by n-grams instead of words. */
export type RunClass = typeof IDEOGRAPH | typeof HANGUL | typeof UNSPACED;

/** Receives the tokens of a text in their order; every string is lower case. */
export interface TokenVisitor {
  /** A word of letters, with nothing to split. */
  word(word: string): void;
  /** A number, an identifier or a compound: forms that represent the whole, and the parts in order. */
  compound(wholes: readonly string[], parts: readonly string[]): void;
  /** Characters of a script that is written without spaces, or of Korean. */
  run(characters: string, script: RunClass): void;
}

const APOSTROPHES = new Set(["'", '\u2019', '\u02bc']);

function isAlphanumeric(kind: CharacterClass): boolean {
  return kind === LETTER || kind === UPPER || kind === DIGIT;
}

/** Whether the character at `index`, which follows a letter or digit, holds an identifier together. */
function joins(text: string, index: number): boolean {
  const joiner = text[index];
  if (joiner !== '-' && joiner !== '_' && joiner !== '.' && joiner !== '/' && joiner !== ':' && joiner !== ',')
    return false;
  if (index + 1 >= text.length) return false;
  const next = classAt(text, index + 1);
  if (!isAlphanumeric(next)) return false;
  if (joiner === '-' || joiner === '_' || joiner === '.') return true;
  const before = classAt(text, index - 1);
  return joiner === '/' ? before === DIGIT || next === DIGIT : before === DIGIT && next === DIGIT;
}

/** Walks over a normalised text; `lower` is its lower-case form of the same length. */
export function visitTokens(text: string, lower: string, visitor: TokenVisitor): void {
  let index = 0;
  while (index < text.length) {
    const kind = classAt(text, index);
    if (kind === SEPARATOR) index += widthAt(text, index);
    else if (isAlphanumeric(kind)) index = visitAlphanumeric(text, lower, index, visitor);
    else {
      let end = index + widthAt(text, index);
      while (end < text.length && classAt(text, end) === kind) end += widthAt(text, end);
      visitor.run(lower.slice(index, end), kind as RunClass);
      index = end;
    }
  }
}

/** Reads one token of letters, digits and joiners from `start`; returns its end. */
function visitAlphanumeric(text: string, lower: string, start: number, visitor: TokenVisitor): number {
  let end = start;
  let plain = true;
  let previous: CharacterClass = SEPARATOR;
  let capitals = 0;
  while (end < text.length) {
    const kind = classAt(text, end);
    if (isAlphanumeric(kind)) {
      if (kind === DIGIT || (kind === UPPER && previous === LETTER)) plain = false;
      if (kind === UPPER) capitals += 1;
      else if (capitals > 1) plain = false;
      previous = kind;
      end += widthAt(text, end);
    } else if (joins(text, end)) {
      plain = false;
      previous = SEPARATOR;
      capitals = 0;
      end += 1;
    } else break;
  }
  const sign = signAround(text, start, end);
  if (plain && sign === '') {
    if (!isClitic(text, start, end)) visitor.word(lower.slice(start, end));
    return end;
  }
  const { wholes, parts } = splitCompound(text.slice(start, end), lower.slice(start, end));
  if (sign === '') visitor.compound(wholes, parts);
  else {
    const signed = sign === '§' ? `§${wholes[0]}` : `${wholes[0]}${sign}`;
    if (parts.length === 0) visitor.compound([signed], wholes);
    else visitor.compound([signed, ...wholes], parts);
  }
  return end;
}

/** The `s` of *Prandtl's* and the `l` of *l'avion*. */
function isClitic(text: string, start: number, end: number): boolean {
  if (end - start !== 1) return false;
  return APOSTROPHES.has(text[start - 1] ?? '') || APOSTROPHES.has(text[end] ?? '');
}

/** A sign that belongs to the token: the section sign before a number, `++` or `#` after a letter (C++, F#). */
function signAround(text: string, start: number, end: number): '' | '§' | '++' | '#' {
  if (classAt(text, start) === DIGIT) {
    const before = text[start - 1] === ' ' ? text[start - 2] : text[start - 1];
    return before === '§' ? '§' : '';
  }
  if (end - start > 3) return '';
  const sign = text.startsWith('++', end) ? '++' : text[end] === '#' ? '#' : '';
  const after = end + sign.length;
  return sign !== '' && (after >= text.length || classAt(text, after) === SEPARATOR) ? sign : '';
}
