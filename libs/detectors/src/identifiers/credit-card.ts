import { scoreNear } from '../context.js';
import { digitsOf, isRepeated, passesEan, passesLuhn } from '../digits.js';
import { type Candidate, patternDetector } from '../pattern-detector.js';

const WORDS = {
  supports:
    /\b(?:card|cards|visa|mastercard|amex|credit|debit|karte|kreditkarte|tarjeta|carte|carta|cartão|kart|kartı)\b|карт[аыу]|卡|บัตร|بطاقة/,
};

interface Issuer {
  readonly name: string;
  readonly beginning: RegExp;
  readonly lengths: readonly number[];
}

/** Ranges as the networks publish them; those of Maestro that are in use. */
const ISSUERS: readonly Issuer[] = [
  { name: 'visa', beginning: /^4/, lengths: [13, 16, 19] },
  { name: 'mastercard', beginning: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { name: 'amex', beginning: /^3[47]/, lengths: [15] },
  { name: 'discover', beginning: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { name: 'diners', beginning: /^(?:30[0-59]|3[689])/, lengths: [14, 16] },
  { name: 'jcb', beginning: /^35(?:2[89]|[3-8])/, lengths: [16, 19] },
  { name: 'jcb', beginning: /^(?:1800|2131)/, lengths: [15] },
  { name: 'unionpay', beginning: /^62/, lengths: [16, 17, 18, 19] },
  { name: 'mir', beginning: /^220[0-4]/, lengths: [16] },
  { name: 'maestro', beginning: /^(?:50(?:18|20|38)|5[678]|6304|6390|67)/, lengths: [12, 13, 14, 15, 16, 18, 19] },
];

function score({ text, value, start, end }: Candidate): number {
  const digits = digitsOf(value);
  const number = digits.join('');
  const issuer = ISSUERS.find(({ beginning, lengths }) => lengths.includes(digits.length) && beginning.test(number));
  if (issuer === undefined || isRepeated(digits) || !passesLuhn(digits)) return 0;
  // Thirteen digits and no context: rather a number of goods.
  if (digits.length === 13 && passesEan(digits))
    return scoreNear(text, { start, end }, { bare: 0.3, supported: 0.9 }, WORDS);
  const bare = digits.length < 14 ? 0.6 : 0.85;
  return scoreNear(text, { start, end }, { bare, supported: 0.98 }, WORDS);
}

/** Payment cards: the check digit of Luhn and the range of an issuer. */
export const creditCard = patternDetector(
  { severity: 'critical', isNumber: true },
  { rule: 'plain', pattern: /(?<![\dA-Za-z_]|\d[.,-])\d{12,19}(?![\dA-Za-z_]|[.,-]\d)/g, score },
  {
    rule: 'groups_of_four',
    pattern: /(?<![\dA-Za-z_]|\d[ .,-])\d{4}([ \u00a0-])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?(?![\dA-Za-z_]|[.,-]\d)/g,
    score,
  },
  {
    rule: 'four_six_rest',
    pattern: /(?<![\dA-Za-z_]|\d[ .,-])\d{4}([ \u00a0-])\d{6}\1\d{4,5}(?![\dA-Za-z_]|[ .,-]\d)/g,
    score,
  },
);
