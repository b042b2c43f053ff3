import { chineseNumbers } from './chinese-numbers.js';
import { numbersInWords, withWordsAsDigits } from './number-words.js';
import { readDates } from './stated-dates.js';
import { statedOrdinals } from './stated-numbers.js';
import { plainNumber, type Quantity } from './written-numbers.js';

type Groups = Readonly<Record<string, string | undefined>>;

const THREE_QUARTERS = /(?<!\p{L})(?:three quarters|drei ?viertel|trois quarts|tres cuartos)(?!\p{L})/giu;
const WRITTEN: readonly (readonly [RegExp, (groups: Groups) => readonly (readonly string[])[]])[] = [
  [/(?<![\d.,:])(?<h>\d{1,2})(?:[:.](?<min>\d{2}))?\s?(?<half>[ap])\.?\s?m(?!\p{L})/gu, halfDayForms],
  [/(?<![\d.,:])(?<h>\d{1,2})[:h](?<min>\d{2})(?!\d)/g, clockForms],
  [/(?<![\d.,:])(?<h>\d{1,2})\.(?<min>\d{2})(?=\s?(?:uhr|h)(?!\p{L}))/gu, clockForms],
  [/(?<!\p{L})(?:half (?:of|the|price)|halfte|la moitie|la mitad)(?!\p{L})/gu, () => [['50', '1/2', '0.5']]],
  [THREE_QUARTERS, () => [['75', '3/4', '0.75']]],
  [/(?<!\p{L})(?:(?:a|one) third of|ein drittel|un tiers|un tercio)(?!\p{L})/gu, () => [['33', '1/3']]],
  [/(?<!\p{L})(?:a quarter of the|ein viertel|le quart|la cuarta parte)(?!\p{L})/gu, () => [['25', '1/4', '0.25']]],
  [/\d{1,3}(?:[.,'’ ]\d{3})+(?:[.,]\d{1,2})?(?![\d])|\d+(?:[.,]\d+)?/g, () => []],
];
const HALF_DAY = /(?<![\d.,:])(\d{1,2})(?:[:.](\d{2}))?\s?([ap])\.?\s?m(?!\p{L})/giu;
const CLOCK = /(?<![\d.,:])(\d{1,2})(?:h(?=\d{2}(?!\d))|\.(?=\d{2}\s?(?:uhr|h)(?!\p{L})))/giu;

/** All that a text states in numbers, in no order. */
export function readQuantities(text: string): Quantity[] {
  const dates = readDates(text);
  const found = [...dates.found];
  let rest = dates.rest;
  for (const [pattern, formsOf] of WRITTEN) {
    rest = rest.replace(pattern, (...match: unknown[]) => {
      const groups = match.at(-1);
      const all = formsOf(typeof groups === 'object' ? (groups as Groups) : {});
      const stated = all.length > 0 ? all : [[plainNumber(String(match[0]))]];
      found.push(...stated.map((forms) => ({ forms, isTelling: true })));
      return ' | ';
    });
  }
  const ordinals = statedOrdinals(text).map((value) => ({ forms: [value], isTelling: false }));
  return [...found, ...numbersInWords(text.replace(THREE_QUARTERS, ' | ')), ...chineseNumbers(text), ...ordinals];
}

/** The text with each number written in one way only, so that “1,000”, “1.000,00” and “1000”, “three” and “3” are the same words. */
export function withPlainNumbers(text: string): string {
  const halves = text.replace(HALF_DAY, (_written, hour: string, minute: string | undefined, half: string) => {
    const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    return minute === undefined ? String(hours) : `${hours}:${minute}`;
  });
  const digits = halves
    .replace(CLOCK, '$1:')
    .replace(
      /(?<!\d)(?:\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d{1,2}:\d{2}|\d+(?:[.,]\d+)?)(?![\d])/g,
      (written) => (written.includes(':') ? written.replace(/^0(?=\d)|:00$/g, '') : plainNumber(written)),
    );
  return withWordsAsDigits(digits);
}

function halfDayForms({ h, min, half }: Groups): string[][] {
  const hour = Number(h) % 12;
  return [[String(half === 'p' ? hour + 12 : hour), plainNumber(h!)], ...minutes(min)];
}

function clockForms({ h, min }: Groups): string[][] {
  return [[plainNumber(h!)], ...minutes(min)];
}

function minutes(written: string | undefined): string[][] {
  return written === undefined || written === '00' ? [] : [[plainNumber(written)]];
}
