import { scoreNear } from '../context.js';
import { type Candidate, patternDetector } from '../pattern-detector.js';

const WORDS = { supports: /\bnino\b|\bnational insurance\b|\bni (?:no|number)\b|\bhmrc\b/ };
/** Letters that are not used, and prefixes that are kept back (HMRC, NIM39110). */
const PREFIX = /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]/;

function score({ text, value, start, end }: Candidate, bare: number): number {
  return PREFIX.test(value) ? scoreNear(text, { start, end }, { bare, supported: 0.95 }, WORDS) : 0;
}

/** National Insurance numbers of the United Kingdom; they have no check digit. */
export const ukNino = patternDetector(
  { severity: 'high', isNumber: true },
  {
    rule: 'spaces',
    pattern: /(?<![\dA-Za-z_-])[A-Z]{2} \d{2} \d{2} \d{2} [A-D](?![\dA-Za-z_-])/g,
    score: (candidate) => score(candidate, 0.85),
  },
  {
    rule: 'plain',
    pattern: /(?<![\dA-Za-z_-])[A-Z]{2} ?\d{6} ?[A-D](?![\dA-Za-z_-])/g,
    score: (candidate) => score(candidate, 0.75),
  },
);
