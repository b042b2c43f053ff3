import { passesVerhoeff } from '../digits.js';
import { patternDetector } from '../pattern-detector.js';
import { alone, numberForm } from './number-forms.js';

const words = { supports: /aadhaa?r|\buidai?\b|\buid\b|आधार/ };

function isValid(digits: readonly number[]): boolean {
  const number = digits.join('');
  return digits[0]! >= 2 && number !== [...number].toReversed().join('') && passesVerhoeff(digits);
}

/** Identity numbers of India: twelve digits with the check of Verhoeff, none of which begins with 0 or 1 or reads the same backwards. */
export const inAadhaar = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({
    rule: 'groups',
    pattern: alone('\\d{4}([ -])\\d{4}\\1\\d{4}(?![ ]\\d)'),
    words,
    scores: { bare: 0.75, supported: 0.97 },
    isValid,
  }),
  numberForm({ rule: 'plain', pattern: alone('\\d{12}'), words, scores: { bare: 0.5, supported: 0.95 }, isValid }),
);
