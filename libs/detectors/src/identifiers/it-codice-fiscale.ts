import { patternDetector } from '../pattern-detector.js';
import { numberForm } from './number-forms.js';

const words = { supports: /codice fiscale|\bcod\.? ?fisc|\bc\.? ?f\.?\b/ };
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function valueOf(character: string): number {
  return character >= '0' && character <= '9' ? Number(character) : character.charCodeAt(0) - 65;
}

/** Every second place counts by a table of its own; the sum by 26 is the last letter (decree of 23 December 1976). */
function isValid(_digits: readonly number[], written: string): boolean {
  const value = written.replace(/[ -]/g, '').toUpperCase();
  const day = Number(value.slice(9, 11).replace(/[LMNPQRSTUV]/g, (letter) => String('LMNPQRSTUV'.indexOf(letter))));
  if (day === 0 || (day > 31 && day < 41) || day > 71) return false;
  let sum = 0;
  for (let index = 0; index < 15; index += 1) {
    const place = valueOf(value[index]!);
    sum += index % 2 === 0 ? ODD[place]! : place;
  }
  return value.charCodeAt(15) - 65 === sum % 26;
}

/** Tax codes of Italy, also with the letters that replace digits where two persons would share a code. */
export const itCodiceFiscale = patternDetector(
  { severity: 'high', isNumber: true },
  numberForm({
    rule: 'codice_fiscale',
    pattern:
      /(?<![\dA-Za-z_-])[A-Za-z]{6} ?[0-9LMNP-Vlmnp-v]{2}[A-EHLMPR-Ta-ehlmpr-t][0-9LMNP-Vlmnp-v]{2} ?[A-Za-z][0-9LMNP-Vlmnp-v]{3}[A-Za-z](?![\dA-Za-z_-])/g,
    words,
    scores: { bare: 0.95, supported: 0.98 },
    isValid,
  }),
);
