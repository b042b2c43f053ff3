/** The order in which a column of dates names day and month. */
export type DateOrder = 'day_first' | 'month_first';

/** A cell that is a date or a time in at least one order. */
export interface DateCell {
  /** Value by order; the same where the order is written. Undefined where there is no such day. */
  readonly day_first: string | undefined;
  readonly month_first: string | undefined;
  readonly hasTime: boolean;
  /** False: a month of a year, which represents its first day. */
  readonly hasDay: boolean;
  /** Sign between the numbers of an order that is not written, else empty. */
  readonly separator: string;
}

const MONTHS = monthNumbers([
  [
    'january',
    'januar',
    'jänner',
    'janvier',
    'enero',
    'gennaio',
    'janeiro',
    'januari',
    'jan',
    'janv',
    'ene',
    'gen',
    'января',
  ],
  [
    'february',
    'februar',
    'feber',
    'février',
    'febrero',
    'febbraio',
    'fevereiro',
    'februari',
    'feb',
    'févr',
    'fév',
    'fev',
    'февраля',
  ],
  ['march', 'märz', 'mars', 'marzo', 'março', 'maart', 'mar', 'mär', 'mrz', 'mrt', 'марта'],
  ['april', 'avril', 'abril', 'aprile', 'apr', 'avr', 'abr', 'апреля'],
  ['may', 'mai', 'mayo', 'maggio', 'maio', 'mei', 'mag', 'мая'],
  ['june', 'juni', 'juin', 'junio', 'giugno', 'junho', 'jun', 'giu', 'июня'],
  ['july', 'juli', 'juillet', 'julio', 'luglio', 'julho', 'jul', 'juil', 'lug', 'июля'],
  ['august', 'août', 'agosto', 'augustus', 'aug', 'ago', 'aoû', 'августа'],
  ['september', 'septembre', 'septiembre', 'settembre', 'setembro', 'sep', 'sept', 'set', 'сентября'],
  ['october', 'oktober', 'octobre', 'octubre', 'ottobre', 'outubro', 'oct', 'okt', 'ott', 'out', 'октября'],
  ['november', 'novembre', 'noviembre', 'novembro', 'nov', 'ноября'],
  ['december', 'dezember', 'décembre', 'diciembre', 'dicembre', 'dezembro', 'dec', 'dez', 'déc', 'dic', 'декабря'],
]);

/** Those of Swedish, Danish, Norwegian, Polish (also beside a day) and Turkish, from January on. */
const MORE_MONTHS = [
  'januari februari mars april maj juni juli augusti september oktober november december',
  'januar februar marts april maj juni juli august september oktober november december',
  'januar februar mars april mai juni juli august september oktober november desember',
  'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień',
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  'sty lut mar kwi maj cze lip sie wrz paź lis gru',
  'ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık',
  'oca şub mar nis may haz tem ağu eyl eki kas ara',
  'jan feb mar apr mai jun jul aug sep okt nov des',
].map((months) => months.split(' '));
for (const months of MORE_MONTHS) months.forEach((name, index) => MONTHS.set(name, index + 1));

const TIME =
  /^(.*?)(?:[T\s,]\s*(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(am|pm|a\.m\.|p\.m\.|uhr)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)$/iu;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const BY_NUMBERS = /^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})$/;
const DAY_MONTH_YEAR =
  /^(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[\s\-/]*(?:de\s|of\s)?\s*(\p{L}{3,12})\.?,?[\s\-/]*(?:de\s)?\s*'?(\d{4}|\d{2})$/iu;
const MONTH_DAY_YEAR = /^(\p{L}{3,12})\.?[\s-]*(\d{1,2})(?:st|nd|rd|th)?[\s,-]\s*(\d{4})$/iu;
const YEAR_MONTH_DAY = /^(\d{4})[\s-](\p{L}{3,12})[\s-](\d{1,2})$/iu;
const MONTH_YEAR = /^(\p{L}{3,12})\.?(?:,\s?|\s|-|\sde\s)(\d{4})$/iu;
const EASTERN = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]$/u;
const WEEKDAY = new RegExp(
  '^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so|' +
    'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|' +
    'lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|' +
    '(?:segunda|terça|quarta|quinta|sexta)-feira|måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|mandag|tirsdag|lørdag|søndag|' +
    'poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar)\\.?,?\\s+',
  'iu',
);
const MAX_UNITS = 48;

/** Reads a cell as a date; undefined when it is none. A day without a year and a time alone are none. */
export function readDate(text: string): DateCell | undefined {
  if (text.length > MAX_UNITS || text.length < 6 || !/\d/.test(text)) return undefined;
  const words = text.replace(/[\u00a0\u202f\s]+/g, ' ').replace(WEEKDAY, '');
  const timed = words.includes(':') ? TIME.exec(words) : null;
  const days = readDay((timed?.[1] ?? words).trim().replace(/,$/, ''));
  if (days === undefined) return timed === null ? readMonth(words) : undefined;
  if (timed === null) return { ...days, hasTime: false, hasDay: true };
  return {
    ...days,
    hasDay: true,
    day_first: withTime(days.day_first, timed),
    month_first: withTime(days.month_first, timed),
    hasTime: true,
  };
}

/** `March 1998` is the first day of that month. */
function readMonth(text: string): DateCell | undefined {
  const [, word = '', year = ''] = MONTH_YEAR.exec(text.trim()) ?? [];
  const month = MONTHS.get(word.toLowerCase());
  const date = month === undefined ? undefined : dayOf(year, month, 1);
  if (date === undefined) return undefined;
  return { day_first: date, month_first: date, separator: '', hasTime: false, hasDay: false };
}

type Day = Pick<DateCell, 'day_first' | 'month_first' | 'separator'>;

function readDay(text: string): Day | undefined {
  const written = (year: string, month: number | undefined, day: string): Day | undefined => {
    const date = month === undefined ? undefined : dayOf(year, month, Number(day));
    return date === undefined ? undefined : { day_first: date, month_first: date, separator: '' };
  };
  let match = YEAR_FIRST.exec(text);
  if (match !== null) return written(match[1]!, Number(match[3]), match[4]!);
  match = BY_NUMBERS.exec(text);
  if (match !== null) {
    const [, one = '', separator = '', two = '', year = ''] = match;
    const dayFirst = dayOf(year, Number(two), Number(one));
    const monthFirst = dayOf(year, Number(one), Number(two));
    if (dayFirst === undefined && monthFirst === undefined) return undefined;
    return { day_first: dayFirst, month_first: monthFirst, separator };
  }
  match = EASTERN.exec(text);
  if (match !== null) return written(match[1]!, Number(match[2]), match[3]!);
  match = DAY_MONTH_YEAR.exec(text);
  if (match !== null) return written(match[3]!, MONTHS.get(match[2]!.toLowerCase()), match[1]!);
  match = MONTH_DAY_YEAR.exec(text);
  if (match !== null) return written(match[3]!, MONTHS.get(match[1]!.toLowerCase()), match[2]!);
  match = YEAR_MONTH_DAY.exec(text);
  return match === null ? undefined : written(match[1]!, MONTHS.get(match[2]!.toLowerCase()), match[3]!);
}

/** `2026-11-23`, or undefined when there is no such day. Two digits of a year: 00 to 68 are of this century. */
function dayOf(year: string, month: number, day: number): string | undefined {
  const full = year.length === 4 ? Number(year) : Number(year) + (Number(year) <= 68 ? 2000 : 1900);
  if (month < 1 || month > 12 || day < 1 || full < 1) return undefined;
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(full, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return `${pad(full, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function withTime(day: string | undefined, time: RegExpExecArray): string | undefined {
  if (day === undefined) return undefined;
  const [, , hours = '', minutes = '', seconds = '0', fraction = '', half = '', zone = ''] = time;
  let hour = Number(hours);
  if (/^[ap]/i.test(half)) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  }
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const local = `${day}T${pad(hour, 2)}:${minutes}:${pad(Number(seconds), 2)}.${milliseconds}`;
  if (!/^[+-]/.test(zone)) return local;
  const date = new Date(`${local}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? undefined : date.toISOString().slice(0, -1);
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

function monthNumbers(names: readonly (readonly string[])[]): Map<string, number> {
  return new Map(names.flatMap((month, index) => month.map((name) => [name, index + 1] as const)));
}
