import type { CountryCode } from 'libphonenumber-js';

/** Scripts and words of the text around a number → the countries whose way of writing is tried for numbers without a country code. */
const REGIONS_BY_SCRIPT: readonly (readonly [RegExp, readonly CountryCode[]])[] = [
  [/[\u3040-\u30ff]/, ['JP']],
  [/[\uac00-\ud7af]/, ['KR']],
  [/[\u4e00-\u9fff]/, ['CN', 'TW', 'HK']],
  [/[\u0e00-\u0e7f]/, ['TH']],
  [/[\u0600-\u06ff]/, ['EG', 'SA', 'AE', 'JO', 'IR']],
  [/[\u0590-\u05ff]/, ['IL']],
  [/[\u0900-\u097f]/, ['IN']],
  [/[\u0400-\u04ff]/, ['RU', 'UA', 'BG']],
  [/[\u0370-\u03ff]/, ['GR']],
  [/[ğışİ]/, ['TR']],
  [/ß|[äöü]|\b(?:und|der|die|das|nicht)\b/, ['DE', 'AT', 'CH']],
  [/[ñ¿¡]|\b(?:los|las|una|para|por)\b/, ['ES', 'MX', 'AR', 'CO']],
  [/[àâçèêëîïôûœ]|\b(?:les|des|une|est|dans)\b/, ['FR', 'BE', 'CH', 'CA']],
  [/[ãõ]|\b(?:uma|não|para|dos)\b/, ['BR', 'PT']],
  [/[ąęłńśźż]/, ['PL']],
  [/[åæø]/, ['DK', 'NO', 'SE']],
  [/[čěřšůž]/, ['CZ', 'SK']],
  [/\b(?:het|een|van|niet)\b/, ['NL', 'BE']],
  [/\b(?:il|della|che|sono|per)\b/, ['IT']],
];
/** Tried for every text. */
const ALWAYS: readonly CountryCode[] = ['US', 'GB', 'DE', 'FR', 'IN', 'ES', 'IT'];

const AROUND = 160;

/** The countries to try for a number at this place, the likeliest first. */
export function regionsAround(text: string, start: number, end: number): CountryCode[] {
  const around = text.slice(Math.max(0, start - AROUND), end + AROUND).toLowerCase();
  const found = REGIONS_BY_SCRIPT.flatMap(([sign, regions]) => (sign.test(around) ? regions : []));
  return [...new Set([...found, ...ALWAYS])];
}
