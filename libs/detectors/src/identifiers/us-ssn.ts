import { patternDetector } from '../pattern-detector.js';
import { alone, numberForm } from './number-forms.js';

const words = { supports: /\bssn\b|\bsocial[ -]security\b|\bsoc\.? sec\b/ };

/** Never given out: 000, 666 and 900–999 in front, zeros in a group, numbers of advertisements (SSA, 2011). */
function isValid(digits: readonly number[]): boolean {
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].map((part) =>
    Number(part.join('')),
  );
  if (area === 0 || area === 666 || area! >= 900 || group === 0 || serial === 0) return false;
  return !['078051120', '219099999', '123456789', '111111111', '222222222', '333333333'].includes(digits.join(''));
}

/** Social Security numbers of the United States; they have no check digit, so that nine bare digits need words. */
export const usSsn = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({
    rule: 'hyphens',
    pattern: alone('\\d{3}-\\d{2}-\\d{4}'),
    words,
    scores: { bare: 0.7, supported: 0.95 },
    isValid,
  }),
  numberForm({
    rule: 'spaces',
    pattern: alone('\\d{3} \\d{2} \\d{4}'),
    words,
    scores: { bare: 0.5, supported: 0.95 },
    isValid,
  }),
  numberForm({ rule: 'plain', pattern: alone('\\d{9}'), words, scores: { bare: 0.2, supported: 0.85 }, isValid }),
);
