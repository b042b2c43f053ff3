import type { Clue } from './clue.js';
import { headerWords } from './link-columns.js';
import type { LinkedQuestion } from './linked-question.js';
import { isNumeric, type QuestionColumn } from './question-table.js';
import { tokensOf } from './words.js';

const EVERY = /^(?:every|all|each)$/;
const COUNTS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const INTERVAL =
  /^(?:intervals?|cycles?|frequency|period|periodicity|intervall|zyklus|turnus|rhythmus|\p{L}+intervall|intervalle|periodicite|frequence|intervalo|frecuencia|periodicidad)$/u;
const UNITS: Readonly<Record<string, RegExp>> = {
  day: /^(?:days?|tagen?|tage|jours?|dias?)$/,
  week: /^(?:weeks?|wochen?|semaines?|semanas?)$/,
  month: /^(?:months?|monaten?|monate?|mois|mes|meses)$/,
  year: /^(?:years?|jahren?|jahre?|ans?|annees?|anos?)$/,
};
/** Units that a whole number of the other is. */
const FACTORS: Readonly<Record<string, number>> = { 'year month': 12, 'week day': 7 };

/** `every three months` where a header is `Interval (months)`; undefined where no column, or several, are of such a time. */
export function intervalConditions({ tokens, table }: LinkedQuestion): Clue[] {
  const columns = table.columns.flatMap((column) => {
    const unit = unitOfInterval(column);
    return unit === undefined ? [] : [{ column, unit }];
  });
  const [only, ...others] = columns;
  if (only === undefined || others.length > 0) return [];
  return tokens.flatMap(({ text }, from): Clue[] => {
    if (!EVERY.test(text)) return [];
    const count = countOf(tokens[from + 1]?.text ?? '');
    const at = count === undefined ? from + 1 : from + 2;
    const unit = unitOf(tokens[at]?.text ?? '');
    // `all months` is of no interval.
    const times = unit === undefined || (count === undefined && text !== 'every') ? undefined : factor(unit, only.unit);
    if (times === undefined) return [];
    const condition = { kind: 'compare', column: only.column, op: '=', value: (count ?? 1) * times } as const;
    return [{ from, to: at + 1, condition, quality: 1, assumption: undefined, mention: undefined }];
  });
}

function unitOfInterval(column: QuestionColumn): string | undefined {
  if (!isNumeric(column) || !headerWords(column).some(({ text }) => INTERVAL.test(text))) return undefined;
  const units = tokensOf(`${column.label} ${column.unit ?? ''}`).flatMap(({ text }) => unitOf(text) ?? []);
  return new Set(units).size === 1 ? units[0] : undefined;
}

function unitOf(text: string): string | undefined {
  return Object.keys(UNITS).find((unit) => UNITS[unit]!.test(text));
}

function countOf(text: string): number | undefined {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const place = COUNTS.indexOf(text);
  return place < 0 ? undefined : place + 1;
}

function factor(unit: string, own: string): number | undefined {
  return unit === own ? 1 : FACTORS[`${unit} ${own}`];
}
