import type { Detector, Match } from '../finding.js';
import { entropyOf, isSample } from './entropy.js';
import { ISSUER_FORMATS, type IssuerFormat } from './issuer-formats.js';

const escaped = (prefix: string): string => prefix.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
/** Longer prefixes first, so that `sk-ant-` is not taken for `sk-`. */
const BY_LENGTH = ISSUER_FORMATS.toSorted((left, right) => right.prefix.length - left.prefix.length);
const FORMATS = new Map<string, readonly IssuerFormat[]>(
  Object.entries(Object.groupBy(BY_LENGTH, ({ prefix }) => prefix)) as [string, IssuerFormat[]][],
);
const PREFIXES = new RegExp([...FORMATS.keys()].map(escaped).join('|'), 'g');

const NAMES =
  'pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_ -]?key|apikey|access[_ -]?key|private[_ -]?key|auth|bearer|credentials?|' +
  'passwort|kennwort|zugangsdaten|contraseña|clave|mot de passe|senha|wachtwoord|hasło|пароль|токен|ключ|şifre|parola|anahtar|' +
  '密码|密碼|口令|令牌|密钥|รหัสผ่าน|โทเค็น|คีย์|كلمة المرور|كلمة السر|الرمز|مفتاح';
/** A name of a secret, a sign of assignment, and what is assigned. */
const ASSIGNMENT = new RegExp(
  String.raw`(?:${NAMES})[\w-]{0,24}["'\u2019]?\s{0,3}(?:=>|:=|[:=：]|\b(?:is|ist|es|est|lautet|является)\b|是|คือ|هو|هي)?\s{0,3}["'\u201c\u2018«\x60]?([A-Za-z0-9!#$%&*+,./:;=?@^_~|-]{8,256})`,
  'gi',
);

function issuedSecrets(text: string): Match[] {
  const matches: Match[] = [];
  let last = 0;
  for (const { 0: prefix, index } of text.matchAll(PREFIXES)) {
    if (index < last) continue;
    if (/[A-Za-z0-9]/.test(text[index - 1] ?? '') && !/^[:h-]|^disc/.test(prefix)) continue;
    for (const { rule, form, score } of FORMATS.get(prefix) ?? []) {
      form.lastIndex = index;
      const value = form.exec(text)?.[0];
      if (value === undefined) continue;
      const match = wholeMatch(text, rule, index, value, score ?? 0.97);
      matches.push(match);
      last = match.end;
      break;
    }
  }
  return matches;
}

function wholeMatch(text: string, rule: string, index: number, value: string, score: number): Match {
  const end = index + value.length;
  const certainty = rule !== 'private_key' && isSample(value) ? 0.3 : score;
  if (rule === 'telegram_bot_token') {
    const id = /(?<!\d)\d{8,10}$/.exec(text.slice(Math.max(0, index - 11), index))?.[0];
    return { rule, start: index - (id?.length ?? 0), end, score: id === undefined ? 0 : certainty };
  }
  if (rule !== 'private_key') return { rule, start: index, end, score: certainty };
  const close = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.exec(value);
  return { rule, start: index, end: close === null ? end : index + close.index + close[0].length, score: certainty };
}

/** Between a word of a language and a random string: kinds of characters and entropy. */
function assignedScore(value: string): number {
  if (isSample(value) || /^https?:|^www\.|^[./]|^\d+(?:[.,:/-]\d+)*$/.test(value)) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const entropy = entropyOf(value);
  if (!/\d/.test(value) && kinds < 3) return 0;
  if (value.length >= 16 && entropy >= 3 && kinds >= 2) return 0.85;
  return kinds >= 3 && entropy >= 2.5 ? 0.7 : 0;
}

function assignedSecrets(text: string): Match[] {
  const matches: Match[] = [];
  for (const found of text.matchAll(ASSIGNMENT)) {
    const value = found[1]!.replace(/[.,;:!?]{1,3}$/, '');
    const start = found.index + found[0].length - found[1]!.length;
    const isAssigned =
      /(?:[:=：]|\bis|\bist|\bes|\best|lautet|является|是|คือ|هو|هي|["'`“‘«]|bearer|basic)\s{0,3}["'`“‘«]?$/iu.test(
        text.slice(found.index, start),
      );
    const score = assignedScore(value);
    if (score > 0)
      matches.push({ rule: 'assigned', start, end: start + value.length, score: isAssigned ? score : score - 0.25 });
  }
  return matches;
}

/** Keys, tokens and passwords: in the forms that issuers publish, or random enough behind a word that announces one. */
export const secret: Detector = {
  severity: 'critical',
  isNumber: false,
  find(text) {
    const issued = issuedSecrets(text).filter(({ score }) => score > 0);
    const isInside = ({ start, end }: Match): boolean => issued.some((one) => one.start < end && start < one.end);
    return [...issued, ...(issued.length > 1000 ? [] : assignedSecrets(text).filter((match) => !isInside(match)))];
  },
};
