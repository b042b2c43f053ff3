import { patternDetector } from '../pattern-detector.js';
import { alone, numberForm } from './number-forms.js';

const words = { supports: /\bnir\b|\binsee\b|sécurité sociale|securite sociale|\bsécu\b|carte vitale/ };

/** 97 minus the rest of the first thirteen places by 97; Corsica's 2A and 2B count as 19 and 18. */
function isValid(_digits: readonly number[], value: string): boolean {
  const compact = value.replace(/[ \u00a0.-]/g, '').toUpperCase();
  const month = Number(compact.slice(3, 5));
  if (!/^[12378]/.test(compact) || month === 0 || (month > 12 && month < 20) || (month > 42 && month < 50))
    return false;
  const body = compact.slice(0, 13).replace('2A', '19').replace('2B', '18');
  if (!/^\d{13}$/.test(body)) return false;
  return 97 - (Number(body) % 97) === Number(compact.slice(13));
}

/** Numbers of the French register of persons (numéro de sécurité sociale) with their key. */
export const frNir = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({
    rule: 'with_key',
    pattern: alone(
      '[12378]\\d{4}(?:\\d{2}|2[ABab])\\d{8}|[12378] \\d{2} \\d{2} (?:\\d{2}|2[ABab]) \\d{3} \\d{3} \\d{2}|[12378]\\d{4}(?:\\d{2}|2[ABab])\\d{6} \\d{2}',
    ),
    words,
    scores: { bare: 0.8, supported: 0.97 },
    isValid,
  }),
);
