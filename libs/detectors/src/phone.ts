import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import { OTHER_NUMBERS } from './context.js';
import type { Detector, Match } from './finding.js';
import { regionsAround } from './phone-regions.js';

const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;
const LONGEST = 32;
const WORDS =
  /\b(?:phone|tel|telephone|mobile|cell(?: ?phone)? ?(?:no\.?|number)?:|fax|call|whatsapp|hotline|rufnummer|telefon\w{0,8}|handy|mobil|durchwahl|teléfono|móvil|llam\w{1,3}|téléphone|portable|appel\w{1,4}|telefone|celular|cellulare|telefono|gsm|ara\w{1,5})\b|телефон|тел\.|звон|моб\.|电话|電話|手机|手機|致电|โทร|เบอร์|هاتف|جوال|اتصل|फ़ोन/;
/** Signs in a number that no counted thing, date or version has. */
const EXTENSION = /^[ ,]{0,2}(?:x|ext\.?|extension|доб\.?|durchwahl)[ .]{0,2}\d{1,6}(?!\d)/i;

interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly digits: string;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Space, hyphen, dot, slash, brackets, no-break space, non-breaking hyphen and en dash. */
function isSeparator(code: number): boolean {
  return (
    code === 32 ||
    code === 45 ||
    code === 46 ||
    code === 47 ||
    code === 40 ||
    code === 41 ||
    code === 0xa0 ||
    code === 0x2011 ||
    code === 0x2013
  );
}

function isWordCharacter(text: string, index: number): boolean {
  return /[A-Za-z0-9_]/.test(text[index] ?? '');
}

/** One pass over the text: stretches of digits with at most two separators between two of them. */
function* candidatesOf(text: string): Generator<Candidate> {
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (!isDigit(code) && code !== 43 && code !== 40) {
      index += 1;
      continue;
    }
    const { end, digits } = stretchFrom(text, index);
    const enough = digits.length >= FEWEST_DIGITS && digits.length <= MOST_DIGITS + 3 && end - index <= LONGEST;
    if (enough) yield { start: index, end, value: text.slice(index, end), digits };
    index = Math.max(end, index + 1);
  }
}

function stretchFrom(text: string, start: number): { readonly end: number; readonly digits: string } {
  let end = start;
  let index = text.charCodeAt(start) === 43 ? start + 1 : start;
  let gap = 0;
  let digits = '';
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      digits += text[index]!;
      end = index + 1;
      gap = 0;
    } else if (isSeparator(code) && gap < 2) gap += 1;
    else break;
  }
  return { end, digits };
}

/** Dates, years, amounts, IP addresses, books: written with the same signs. */
function isOther({ value, digits }: Candidate): boolean {
  return (
    /^\(?(?:1[5-9]|20)\d{2}\)?(?:[ –/-]{1,3}(?:1[5-9]|20)\d{2}\)?)+$/.test(value) ||
    /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})/.test(value) ||
    /^\d{1,3}(?:[. ]\d{3})+$/.test(value) ||
    /^\d{1,3}(?:\.\d{1,3}){3}$/.test(value) ||
    /^97[89][ -]/.test(value) ||
    /^\d{3}-\d{2}-\d{4}$|^\d{3}\.\d{3}\.\d{3}-\d{2}$|^\d{4} \d{4} \d{4}$/.test(value) ||
    /^(\d)\1+$/.test(digits)
  );
}

function isOpen(text: string, { start, end, value }: Candidate): boolean {
  const before = text[start - 1] ?? '';
  if (/[A-Za-z0-9_#$€£%=]/.test(before) || (/[.,:/-]/.test(before) && /\d/.test(text[start - 2] ?? ''))) return true;
  if (/[-/]/.test(before) && /[A-Za-z]/.test(text[start - 2] ?? '')) return true;
  if (value.startsWith('(') !== value.includes(')') && value.startsWith('(')) return true;
  return isWordCharacter(text, end)
    ? !EXTENSION.test(text.slice(end, end + 20))
    : /^[:,.]\d|^\s?%/.test(text.slice(end, end + 2));
}

/** How a number is written tells how likely it is one of a telephone. */
function shapeScore({ value, digits }: Candidate, hasWords: boolean): number {
  if (hasWords) return 0.9;
  const groups = value.split(/[^\d]+/).filter((group) => group !== '').length;
  if (/^\(\d{2,5}\)/.test(value)) return 0.8;
  if (/^0\d{1,5}[/ -]/.test(value) || /^0[\d() -]*\(/.test(value)) return 0.7;
  if (
    /^\d{3}[-. ]\d{3}[-. ]\d{4}$|^\d{2} \d{4,5}-\d{4}$|^\d{2,4}([-.])\d{2,4}(?:\1\d{2,4}){1,3}$/.test(value) &&
    digits.length >= 9
  )
    return 0.65;
  if (groups === 1 && digits.startsWith('0') && digits.length >= 10) return 0.55;
  // Seconds since 1970 have ten digits, too, and begin with 1.
  return groups === 1 && /^[2-9]\d{9}$/.test(digits) ? 0.5 : 0.3;
}

/** Eleven digits that begin like many other numbers: only in a Chinese text. */
function isChineseMobile(text: string, { start, end, digits }: Candidate): boolean {
  return /^1[3-9]\d{9}$/.test(digits) && /[\u4e00-\u9fff]/.test(text.slice(Math.max(0, start - 40), end + 40));
}

function isValid(value: string, region?: CountryCode): boolean {
  return parsePhoneNumberFromString(value, { defaultCountry: region, extract: false })?.isValid() === true;
}

function isPossible(value: string): boolean {
  return parsePhoneNumberFromString(value, { extract: false })?.isPossible() === true;
}

/** Numbers that begin with a country's code, or with what is dialled before it. */
function internationalScore({ value }: Candidate, hasWords: boolean): number | undefined {
  const dialled = /^(?:00|011)[1-9]/.exec(value.replace(/[^\d]/g, '')) !== null && /^(?:00|011)/.test(value);
  if (!value.startsWith('+') && !dialled) return undefined;
  const plain = `+${value.replace(/^(?:\+|00|011)/, '').replace('(0)', '')}`;
  if (isValid(plain)) return 0.95;
  if (!isPossible(plain)) return undefined;
  return hasWords || value.startsWith('+') ? 0.6 : 0.5;
}

function judge(text: string, candidate: Candidate): number {
  const before = text.slice(Math.max(0, candidate.start - 40), candidate.start).toLowerCase();
  const hasWords = WORDS.test(before);
  const international = internationalScore(candidate, hasWords);
  if (international !== undefined) return international;
  if (isOther(candidate) || candidate.digits.length > MOST_DIGITS) return 0;
  const shape = isChineseMobile(text, candidate) ? 0.6 : shapeScore(candidate, hasWords);
  if (shape < 0.5 || (!hasWords && OTHER_NUMBERS.test(before))) return 0;
  const regions = regionsAround(text, candidate.start, candidate.end);
  return regions.some((region) => isValid(candidate.value, region)) ? shape : 0;
}

/** Telephone numbers: this finds stretches that look like one in a single pass, `libphonenumber-js` knows which numbers there are. */
export const phone: Detector = {
  severity: 'medium',
  isNumber: true,
  find(text) {
    const matches: Match[] = [];
    for (const candidate of candidatesOf(text)) {
      if (isOpen(text, candidate)) continue;
      const score = judge(text, candidate);
      const extension = EXTENSION.exec(text.slice(candidate.end, candidate.end + 20))?.[0].length ?? 0;
      if (score > 0) matches.push({ rule: 'number', start: candidate.start, end: candidate.end + extension, score });
    }
    return matches;
  },
};
