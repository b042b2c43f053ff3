import { isRepeated, weighedSum } from '../digits.js';
import { patternDetector } from '../pattern-detector.js';
import { alone, numberForm } from './number-forms.js';

const words = { supports: /\bbsn\b|burgerservice|sofinummer|\bsofi\b/ };

/** The test by eleven of the Dutch register of persons. */
function isValid(digits: readonly number[]): boolean {
  return !isRepeated(digits) && weighedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** Citizen service numbers of the Netherlands. One number of eleven passes the check by chance: words that name another number outweigh it. */
export const nlBsn = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({
    rule: 'plain',
    pattern: alone('\\d{9}|\\d{4}\\.\\d{2}\\.\\d{3}'),
    words,
    scores: { bare: 0.6, supported: 0.95 },
    isValid,
  }),
);
