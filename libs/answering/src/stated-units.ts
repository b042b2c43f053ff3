import { foldText } from './overlap.js';
import { withoutDates } from './stated-dates.js';
import { withPlainNumbers } from './stated-quantities.js';

interface Unit {
  readonly unit: string;
  readonly sort: string;
  /** Units of one base convert into each other: this many of the base are one of this. */
  readonly base: string;
  readonly factor: number;
}

/** A number with what it counts. */
export interface Amount extends Unit {
  readonly value: string;
}

const UNITS: readonly (readonly [sort: string, base: string, factor: number, unit: string, words: string])[] = [
  ['time', 'minute', 1, 'minute', 'minute minutes minuten minuto minutos min'],
  ['time', 'minute', 60, 'hour', 'hour hours stunde stunden heure heures hora horas'],
  ['time', 'minute', 1440, 'day', 'day days tag tage tagen jour jours día días'],
  ['time', 'workday', 1, 'day', 'workday workdays werktag werktage werktagen arbeitstag arbeitstage arbeitstagen'],
  ['time', 'minute', 10_080, 'week', 'week weeks woche wochen semaine semaines semana semanas'],
  ['time', 'month', 1, 'month', 'month months monat monate monaten monats mois mes meses'],
  ['time', 'month', 12, 'year', 'year years jahr jahre jahren ans année années año años'],
  ['money', 'euro', 1, 'euro', 'eur euro euros €'],
  ['money', 'euro', 0.01, 'cent', 'cent cents ct'],
  ['money', 'dollar', 1, 'dollar', 'usd dollar dollars dólar dólares $'],
  ['money', 'pound', 1, 'pound', 'gbp £'],
  ['money', 'franc', 1, 'franc', 'chf franken francs'],
  ['money', 'yen', 1, 'yen', 'jpy yen'],
  ['money', 'crown', 1, 'crown', 'sek nok dkk czk kronen kroner kronor'],
  ['money', 'zloty', 1, 'zloty', 'pln zloty zlotys'],
  ['share', 'percent', 1, 'percent', '% percent prozent'],
  ['weight', 'gram', 1000, 'kilogram', 'kg kilo kilos kilogram kilograms kilogramm'],
  ['weight', 'gram', 1, 'gram', 'g gram grams gramm'],
  ['weight', 'gram', 1_000_000, 'tonne', 'tonne tonnes tonnen tonelada toneladas'],
  ['length', 'mile', 1, 'mile', 'mile miles meile meilen milla millas'],
  ['length', 'millimetre', 1_000_000, 'kilometre', 'km kilometre kilometres kilometer kilometers kilómetro kilómetros'],
  ['length', 'millimetre', 1000, 'metre', 'metre metres meter meters metern mètre mètres metro metros'],
  ['length', 'millimetre', 10, 'centimetre', 'cm centimetre centimetres zentimeter centimètre centimètres centímetros'],
  ['length', 'millimetre', 1, 'millimetre', 'mm millimetre millimetres millimeter'],
];
const BY_WORD: ReadonlyMap<string, Unit> = new Map(
  UNITS.flatMap(([sort, base, factor, unit, words]) =>
    words.split(' ').map((word) => [foldText(word), { sort, base, factor, unit }] as const),
  ),
);
const ONE: ReadonlySet<string> = new Set('one ein eine einen einem einer eines un une una'.split(' '));
/** Says one of a thing without counting it. */
const SINGLE: ReadonlySet<string> = new Set(['a', 'an', ...ONE]);
/** Between two numbers of one unit. */
const JOINING: ReadonlySet<string> = new Set('to or and bis oder und a ou et o y al - – —'.split(' '));
/** Between a number of something and the time that it holds for: “2 a day” are no two days. */
const PER: ReadonlySet<string> = new Set('per a an each pro je im am par por al la le of , ;'.split(' '));
const PERCENT = /(?<!\p{L})(?:per cent|pour ?cent|por ciento|vom hundert)(?!\p{L})/giu;
const TOKEN = /\d+(?:\.\d+)?|\p{L}[\p{L}\p{M}]*|[€$£%,;–—-]/gu;

/** Numbers with the units that follow them, or are before them as money does. `one` alone: “a month” is no number. */
export function readAmounts(text: string, singles: 'one' | 'a' = 'one'): Amount[] {
  return readCounted(text, singles).amounts;
}

/** Amounts, and the numbers that are without a unit; those of dates are neither. */
function readCounted(text: string, singles: 'one' | 'a'): { amounts: Amount[]; bare: ReadonlySet<string> } {
  const plain = withPlainNumbers(withoutDates(text).replace(PERCENT, '%'));
  const tokens = foldText(plain).match(TOKEN) ?? [];
  const ones = singles === 'one' ? ONE : SINGLE;
  const amounts: Amount[] = [];
  const bare = new Set<string>();
  tokens.forEach((token, at) => {
    const isOne = ones.has(token);
    if (!isOne && !isNumber(token)) return;
    const unit = isOne ? BY_WORD.get(tokens[at + 1] ?? '') : unitAt(tokens, at);
    if (unit !== undefined) amounts.push({ value: isOne ? '1' : token, ...unit });
    else if (!isOne) bare.add(token);
  });
  return { amounts, bare };
}

/** The unit of a number: right behind it, before it, behind one more word, or that of the number it is joined with (“3 to 5 days”). */
function unitAt(tokens: readonly string[], at: number): Unit | undefined {
  const [before, next = '', second = ''] = [tokens[at - 1] ?? '', tokens[at + 1], tokens[at + 2]];
  const behind = BY_WORD.get(next);
  if (behind !== undefined) return behind;
  const money = BY_WORD.get(before);
  if (money?.sort === 'money') return money;
  if (isNumber(next)) return undefined;
  if (JOINING.has(next) && isNumber(second)) return unitAt(tokens, at + 2);
  return PER.has(next) ? undefined : BY_WORD.get(second);
}

function isNumber(token: string): boolean {
  return /^\d/.test(token);
}

/** Whether a text counts something in another unit than a passage with the same number, or by another number in the same unit. */
export function countsOtherwise(statement: string, passage: string): boolean {
  const stated = readAmounts(statement);
  if (stated.length === 0) return false;
  const { amounts: held, bare } = readCounted(passage, 'a');
  return stated.some((amount) => {
    if (bare.has(amount.value) || held.some((one) => areEqual(one, amount))) return false;
    return held.some(({ value, unit }) => unit === amount.unit || value === amount.value);
  });
}

/** Numbers of a text that a passage states in another unit: 48 where it has two days. */
export function convertedValues(statement: string, passage: string): ReadonlySet<string> {
  const held = readAmounts(passage, 'a');
  const equal = readAmounts(statement).filter((amount) => held.some((one) => areEqual(one, amount)));
  return new Set(equal.map(({ value }) => value));
}

function areEqual(one: Amount, other: Amount): boolean {
  if (one.unit === other.unit) return one.value === other.value;
  const [size, otherSize] = [one, other].map(({ value, factor }) => Number(value) * factor) as [number, number];
  return one.base === other.base && Math.abs(size - otherSize) < 1e-6 * size;
}

/** Whether a folded word is a unit. */
export function isUnit(folded: string): boolean {
  return BY_WORD.has(folded);
}
