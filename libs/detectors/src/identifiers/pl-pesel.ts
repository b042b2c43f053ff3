import { isDayOfYear, weighedSum } from '../digits.js';
import { patternDetector } from '../pattern-detector.js';
import { alone, numberForm } from './number-forms.js';

const words = { supports: /\bpesel\b/ };

/** A day of birth, whose month tells the century, and a check digit. */
function isValid(digits: readonly number[]): boolean {
  const month = (digits[2]! * 10 + digits[3]!) % 20;
  if (!isDayOfYear(month, digits[4]! * 10 + digits[5]!)) return false;
  return weighedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

/** Numbers of the Polish register of persons. */
export const plPesel = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({ rule: 'plain', pattern: alone('\\d{11}'), words, scores: { bare: 0.65, supported: 0.97 }, isValid }),
);
