import type { Token } from '../words.js';

/** A day as a question or a header names it, as far as it does. */
export interface NamedDay {
  /** 0 for Monday. */
  readonly weekday: number | undefined;
  readonly day: number | undefined;
  /** From 1. */
  readonly month: number | undefined;
  readonly year: number | undefined;
}

/** Words of a question that name a day. */
export interface DayMention {
  readonly from: number;
  readonly to: number;
  readonly named: NamedDay;
  /** `Fridays`, `every Friday`: whichever day of that name. */
  readonly isEach: boolean;
}

const NAMES: readonly RegExp[] = [
  /^(?:monday|montags?|lundi|lunes)(s?)$/,
  /^(?:tuesday|dienstags?|mardi|martes)(s?)$/,
  /^(?:wednesday|mittwochs?|mercredi|miercoles)(s?)$/,
  /^(?:thursday|donnerstags?|jeudi|jueves)(s?)$/,
  /^(?:friday|freitags?|vendredi|viernes)(s?)$/,
  /^(?:saturday|samstags?|sonnabends?|samedi|sabado)(s?)$/,
  /^(?:sunday|sonntags?|dimanche|domingo)(s?)$/,
];
/** Plurals and `montags`, which mean each of them. */
const EACH_NAME = /(?:days|tags|wochs|abends|dis|ches|dos|gos)$/;
/** Short forms that are hardly ever another word. */
const SHORT: readonly RegExp[] = [/^$/, /^tues?$/, /^wed$/, /^thu(?:rs?)?$/, /^fri$/, /^$/, /^$/];
/** Short forms that a header has, or a question beside a number. */
const BESIDE_NUMBERS: readonly RegExp[] = [
  /^(?:mon?|lun)$/,
  /^(?:di|mar)$/,
  /^(?:mi|mer|mie)$/,
  /^(?:do|jeu|jue)$/,
  /^(?:fr|ven|vie)$/,
  /^(?:sat?|sam|sab)$/,
  /^(?:sun|so|dim|dom)$/,
];
const MONTHS: readonly RegExp[] = [
  /^(?:jan(?:uary|uar|v)?|janner|janvier|ene(?:ro)?)$/,
  /^(?:feb(?:ruary|ruar|er|rero)?|fev(?:r|rier)?)$/,
  /^(?:mar(?:ch|z|s|zo)?|mrz)$/,
  /^(?:apr(?:il)?|avr(?:il)?|abr(?:il)?)$/,
  /^(?:may|mai|mayo)$/,
  /^(?:june?|juni|juin|junio)$/,
  /^(?:jul(?:y|i|io)?|juil(?:let)?)$/,
  /^(?:aug(?:ust)?|aout|ago(?:sto)?)$/,
  /^(?:sept?(?:ember|embre|iembre)?)$/,
  /^(?:o[ck]t(?:ober|obre|ubre)?)$/,
  /^(?:nov(?:ember|embre|iembre)?)$/,
  /^(?:de[cz](?:ember|embre)?|dic(?:iembre)?)$/,
];
const YEAR = /^(?:19|20)\d\d$/;
const DAY = /^([0-3]?\d)(?:st|nd|rd|th)?$/;
const BY_POINTS = /^([0-3]?\d)\.([01]?\d)(?:\.((?:19|20)\d\d))?$/;
/** Small words between the name of a day and its date. */
const BETWEEN = /^(?:the|on|in|of|den|dem|le|el|de)$/;
/** What makes several days, another one or any of them of a day that is named. */
const AWAY =
  /^(?:this|that|next|last|coming|following|previous|past|by|from|to|till|until|through|since|before|after|except|without|around|ab|bis|nach|vor)$/;
const EACH = /^(?:every|each|any|all)$/;

interface Piece {
  readonly to: number;
  readonly date: Omit<NamedDay, 'weekday'>;
}

/** All days that a question names. */
export function dayMentions(tokens: readonly Token[]): DayMention[] {
  const mentions: DayMention[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const found = mentionAt(tokens, at);
    if (found === undefined) continue;
    mentions.push(found);
    at = found.to - 1;
  }
  return mentions;
}

/** Whether a word before a day says that another day, or more than this one, is meant. */
export function leadsAway(tokens: readonly Token[], { from }: DayMention): boolean {
  const before = [tokens[from - 1]?.text ?? '', tokens[from - 2]?.text ?? ''];
  return AWAY.test(before[0]!) || (BETWEEN.test(before[0]!) && AWAY.test(before[1]!));
}

/** The day that a whole header names: `Wed 9 July`, `Thu`, `10.07.`, `Mo 7`, `9`. */
export function dayOfHeader(tokens: readonly Token[]): NamedDay | undefined {
  const weekday = weekdayAt(tokens, 0, true);
  const start = weekday === undefined ? 0 : 1;
  const piece = dateAt(tokens, start);
  const number = dayNumber(tokens[start]);
  const date = piece?.date ?? (number === undefined ? none : { ...none, day: number });
  const end = piece?.to ?? (number === undefined ? start : start + 1);
  const isNothing = weekday === undefined && end === start;
  return isNothing || end !== tokens.length ? undefined : { ...date, weekday };
}

/** The only month that words name; undefined where they name none, or several. */
export function onlyMonth(tokens: readonly Token[]): number | undefined {
  const months = new Set(tokens.flatMap((_, at) => monthAt(tokens, at) ?? []));
  return months.size === 1 ? [...months][0] : undefined;
}

/** The only year that words name. */
export function onlyYear(tokens: readonly Token[]): number | undefined {
  const years = new Set(tokens.filter(({ text }) => YEAR.test(text)).map(({ text }) => Number(text)));
  return years.size === 1 ? [...years][0] : undefined;
}

/** The day of the week of a date, 0 for Monday. */
export function weekdayOfDate(year: number, month: number, day: number): number {
  return (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
}

const none = { day: undefined, month: undefined, year: undefined };

function mentionAt(tokens: readonly Token[], at: number): DayMention | undefined {
  const weekday = weekdayAt(tokens, at, isBesideNumber(tokens, at));
  const isEach = EACH.test(tokens[at - 1]?.text ?? '');
  if (weekday === undefined) {
    const date = dateAt(tokens, at);
    if (date === undefined) return undefined;
    const behind = weekdayAt(tokens, date.to, false);
    const to = behind === undefined ? date.to : date.to + 1;
    return { from: at, to, named: { ...date.date, weekday: behind }, isEach };
  }
  let next = at + 1;
  while (next < at + 3 && BETWEEN.test(tokens[next]?.text ?? '')) next += 1;
  const date = dateAt(tokens, next);
  const isPlural = EACH_NAME.test(tokens[at]!.text);
  if (date === undefined) return { from: at, to: at + 1, named: { ...none, weekday }, isEach: isEach || isPlural };
  return { from: at, to: date.to, named: { ...date.date, weekday }, isEach };
}

function weekdayAt(tokens: readonly Token[], at: number, isShort: boolean): number | undefined {
  const text = tokens[at]?.text;
  if (text === undefined) return undefined;
  const lists = isShort ? [NAMES, SHORT, BESIDE_NUMBERS] : [NAMES, SHORT];
  const found = lists.map((list) => list.findIndex((name) => name.test(text))).find((index) => index >= 0);
  return found;
}

function isBesideNumber(tokens: readonly Token[], at: number): boolean {
  return [tokens[at - 1]?.text, tokens[at + 1]?.text].some((text) => /^\d/.test(text ?? ''));
}

function dateAt(tokens: readonly Token[], at: number): Piece | undefined {
  const first = tokens[at]?.text ?? '';
  const points = BY_POINTS.exec(first);
  if (points !== null) {
    const [day, month] = [Number(points[1]), Number(points[2])];
    const own = points[3];
    const behind = own === undefined && YEAR.test(tokens[at + 1]?.text ?? '') ? tokens[at + 1]!.text : undefined;
    const year = own ?? behind;
    return valid(day, month, year === undefined ? undefined : Number(year), behind === undefined ? at + 1 : at + 2);
  }
  return isoAt(tokens, at) ?? wordsAt(tokens, at);
}

function isoAt(tokens: readonly Token[], at: number): Piece | undefined {
  const [year, month, day] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (year === undefined || month === undefined || day === undefined || !YEAR.test(year.text)) return undefined;
  if (month.start !== year.end + 1 || day.start !== month.end + 1) return undefined;
  return /^[01]\d$/.test(month.text) && /^[0-3]\d$/.test(day.text)
    ? valid(Number(day.text), Number(month.text), Number(year.text), at + 3)
    : undefined;
}

/** `9 July`, `9th of July 2025`, `July 9`. */
function wordsAt(tokens: readonly Token[], at: number): Piece | undefined {
  const first = dayNumber(tokens[at]);
  const monthPlace = first === undefined ? at : BETWEEN.test(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1;
  const month = monthAt(tokens, monthPlace);
  if (month === undefined) return undefined;
  const day = first ?? dayNumber(tokens[monthPlace + 1]);
  if (day === undefined) return undefined;
  const end = first === undefined ? monthPlace + 2 : monthPlace + 1;
  const year = YEAR.test(tokens[end]?.text ?? '') ? Number(tokens[end]!.text) : undefined;
  return valid(day, month, year, year === undefined ? end : end + 1);
}

/** The month whose name is at a place, in English, German, French or Spanish. */
export function monthAt(tokens: readonly Token[], at: number): number | undefined {
  const index = MONTHS.findIndex((month) => month.test(tokens[at]?.text ?? ''));
  return index < 0 ? undefined : index + 1;
}

function dayNumber(token: Token | undefined): number | undefined {
  const day = Number(DAY.exec(token?.text ?? '')?.[1] ?? 0);
  return day >= 1 && day <= 31 ? day : undefined;
}

function valid(day: number, month: number, year: number | undefined, to: number): Piece | undefined {
  return day >= 1 && day <= 31 && month >= 1 && month <= 12 ? { to, date: { day, month, year } } : undefined;
}
