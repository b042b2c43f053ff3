import { patternDetector } from '../pattern-detector.js';
import { numberForm } from './number-forms.js';

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const words = { supports: /\bdni\b|\bnif\b|\bnie\b|documento nacional|identidad|extranjero/ };
const scores = { bare: 0.85, supported: 0.97 };

function hasLetter(number: number, value: string): boolean {
  return LETTERS[number % 23] === value.at(-1)!.toUpperCase();
}

/** National identity numbers of Spain: eight digits and a letter that follows from them. */
export const esDni = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({
    rule: 'dni',
    pattern: /(?<![\dA-Za-z_]|\d[.,-])(?:\d{8}|\d{2}\.\d{3}\.\d{3})[ -]?[A-HJ-NP-TV-Z](?![\dA-Za-z_])/g,
    words,
    scores,
    isValid: (digits, value) => digits.some((digit) => digit > 0) && hasLetter(Number(digits.join('')), value),
  }),
);

/** Identity numbers of foreigners in Spain: X, Y or Z, seven digits and the letter. */
export const esNie = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({
    rule: 'nie',
    pattern: /(?<![\dA-Za-z_-])[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z](?![\dA-Za-z_])/g,
    words,
    scores,
    isValid: (digits, value) => hasLetter(Number(`${'XYZ'.indexOf(value[0]!)}${digits.join('')}`), value),
  }),
);
