import { isRepeated, weighedSum } from '../digits.js';
import { patternDetector } from '../pattern-detector.js';
import { alone, numberForm } from './number-forms.js';

const words = { supports: /\bcpf\b|cadastro de pessoas|contribuinte/ };

function checkDigit(digits: readonly number[], length: number): number {
  const weights = Array.from({ length }, (_, index) => length + 1 - index);
  const rest = (weighedSum(digits, weights) * 10) % 11;
  return rest === 10 ? 0 : rest;
}

function isValid(digits: readonly number[]): boolean {
  return !isRepeated(digits) && checkDigit(digits, 9) === digits[9] && checkDigit(digits, 10) === digits[10];
}

/** Taxpayer numbers of persons in Brazil, with two check digits. */
export const brCpf = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({
    rule: 'dots',
    pattern: alone('\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}'),
    words,
    scores: { bare: 0.95, supported: 0.98 },
    isValid,
  }),
  numberForm({
    rule: 'plain',
    pattern: alone('\\d{11}|\\d{9}-\\d{2}'),
    words,
    scores: { bare: 0.7, supported: 0.97 },
    isValid,
  }),
);
