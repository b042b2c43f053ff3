import { patternDetector } from '../pattern-detector.js';
import { alone, numberForm } from './number-forms.js';

const words = { supports: /steuer|\bidnr\b|\btin\b|\btax id/ };

/** Of the first ten digits one comes twice or three times and the others once at most; ISO 7064 MOD 11,10 over all. */
function isValid(digits: readonly number[]): boolean {
  if (digits[0] === 0) return false;
  const counts = new Array<number>(10).fill(0);
  for (const digit of digits.slice(0, 10)) counts[digit]! += 1;
  const repeated = counts.filter((count) => count > 1);
  if (repeated.length !== 1 || repeated[0]! > 3) return false;
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (digit + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === digits[10];
}

/** Tax identification numbers of Germany. */
export const deSteuerId = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({
    rule: 'plain',
    pattern: alone('\\d{11}|\\d{2} \\d{3} \\d{3} \\d{3}'),
    words,
    scores: { bare: 0.75, supported: 0.95 },
    isValid,
  }),
);
