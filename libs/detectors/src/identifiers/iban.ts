import { countrySpecs, validateIBAN, ValidationErrorsIBAN } from 'ibantools';
import type { Detector, Match } from '../finding.js';

const BEGINNING = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9]{2})/g;

/** The end of `length` letters and digits with at most one space or hyphen between two; undefined where there are fewer. */
function endOf(text: string, start: number, length: number): number | undefined {
  let taken = 0;
  for (let index = start; index < text.length; index += 1) {
    if (/[A-Za-z0-9]/.test(text[index]!)) taken += 1;
    else if (!/[ \u00a0-]/.test(text[index]!) || !/[A-Za-z0-9]/.test(text[index + 1] ?? '')) return undefined;
    if (taken === length) return index + 1;
  }
  return undefined;
}

function matchAt(text: string, start: number): Match | undefined {
  const length = countrySpecs[text.slice(start, start + 2).toUpperCase()]?.chars;
  if (length === undefined || length === null) return undefined;
  const end = endOf(text, start, length);
  if (end === undefined || /[A-Za-z0-9]/.test(text[end] ?? '')) return undefined;
  const value = text
    .slice(start, end)
    .replace(/[ \u00a0-]/g, '')
    .toUpperCase();
  const { valid, errorCodes } = validateIBAN(value);
  if (valid) return { rule: 'iban', start, end, score: 0.98 };
  // A bank's own check inside the number may be older than the number: what the standard says outranks it.
  const isNational = errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum);
  return isNational ? { rule: 'iban_without_national_check', start, end, score: 0.85 } : undefined;
}

/** International bank account numbers (ISO 13616), judged by `ibantools`. */
export const iban: Detector = {
  severity: 'high',
  isNumber: true,
  find: (text) => [...text.matchAll(BEGINNING)].flatMap(({ index }) => matchAt(text, index) ?? []),
};
