import { areSynonyms } from './header-synonyms.js';
import { endInEnglish } from './languages/header-words.js';
import { headerWords } from './link-columns.js';
import type { QuestionColumn } from './question-table.js';
import { stemOf } from './words.js';

/** What adjectives measure without naming it: `tall` a height; the first that a table has is meant. */
const MEASURES: Readonly<Record<string, readonly string[]>> = {
  long: ['length', 'duration', 'runtime', 'distance', 'hours', 'days', 'time'],
  short: ['length', 'duration', 'distance', 'height', 'hours'],
  tall: ['height'],
  high: ['height', 'elevation', 'altitude'],
  heavy: ['weight', 'mass'],
  light: ['weight', 'mass'],
  fast: ['speed'],
  slow: ['speed'],
  cheap: ['price', 'cost', 'fee', 'rate'],
  expensive: ['price', 'cost', 'fee', 'rate'],
  old: ['age'],
  young: ['age'],
  far: ['distance'],
  deep: ['depth'],
  wide: ['width'],
  large: ['area', 'size', 'population', 'capacity', 'seats'],
  big: ['area', 'size', 'population', 'capacity', 'seats'],
  small: ['area', 'size', 'population', 'capacity', 'seats'],
  good: ['score', 'points', 'rating'],
  bad: ['score', 'points', 'rating'],
};
const FORMS = new Map([
  ['better', 'good'],
  ['best', 'good'],
  ['worse', 'bad'],
  ['worst', 'bad'],
  ['further', 'far'],
  ['furthest', 'far'],
]);

/** The column that an adjective in any form (`tall`, `taller`, `tallest`) is about. */
export function columnMeasuredBy(adjective: string, columns: readonly QuestionColumn[]): QuestionColumn | undefined {
  const plain = FORMS.get(adjective) ?? baseOf(adjective);
  for (const word of MEASURES[plain] ?? []) {
    const stem = stemOf(word);
    const column =
      columns.find((one) => headerWords(one).some((own) => own.stem === stem)) ??
      columns.find((one) => headerWords(one).some((own) => areSynonyms(stem, own.stem))) ??
      columns.find((one) => headerWords(one).some((own) => endInEnglish(own.text).includes(stem)));
    if (column !== undefined) return column;
  }
  return undefined;
}

function baseOf(adjective: string): string {
  const candidates = [
    adjective,
    adjective.replace(/(?:er|est)$/, ''),
    adjective.replace(/(?:r|st)$/, ''),
    adjective.replace(/(.)\1(?:er|est)$/, '$1'),
    adjective.replace(/i(?:er|est)$/, 'y'),
  ];
  return candidates.find((word) => MEASURES[word] !== undefined) ?? adjective;
}
