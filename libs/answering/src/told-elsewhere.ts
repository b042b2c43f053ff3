import { askedAttribute } from './answer-hints.js';
import { asksOpening, lacksOpening } from './asked-otherwise.js';
import { foldText } from './overlap.js';
import { TIMES, type QuestionProfile } from './question-profile.js';
import { mayBothBeNames } from './stated-names.js';
import { numberOf } from './stated-numbers.js';

/** What is held less than this far is lacking. */
const HELD = 0.4;

/** Sites of which an organisation has several. */
const SITES = String.raw`(?:Werkstatt|Standort|Filiale|Niederlassung|Zweigstelle|Geschäftsstelle|Werk|Büro|Betrieb|Lager|Praxis|Schule|Klinik)`;
/** „Werkstatt Lindau“, « atelier de Lille », “Leeds office”: what a document or a section is about. */
const OF_SITE = [
  new RegExp(String.raw`(?<!\p{L})${SITES}\s(\p{Lu}[\p{Ll}\p{M}]{2,})(?!\p{L})`, 'gu'),
  /(?<!\p{L})(?:(?:[Aa]telier|[Ss]ite|[Aa]gence|[Ss]uccursale|[Uu]sine|[Bb]ureau|[Ss]ede|[Tt]aller|[Oo]ficina|[Ss]ucursal) de|[Oo]ffice in|[Bb]ranch in|[Pp]lant in|[Ww]orkshop in)\s(\p{Lu}[\p{Ll}\p{M}]{2,})(?!\p{L})/gu,
  /(?<!\p{L})(\p{Lu}[\p{Ll}\p{M}]{2,})\s(?:[Oo]ffice|[Bb]ranch|[Pp]lant|[Ww]orkshop|[Ss]ite|[Dd]epot)(?!\p{L})/gu,
];
/** „in der Lindauer Werkstatt“: its place as an adjective. */
const SITE_OF = new RegExp(String.raw`(?<!\p{L})(\p{Lu}[\p{Ll}\p{M}]{3,})er ${SITES}(?!\p{L})`, 'gu');
/** `In Lindau`, which may open a sentence. */
const IN_PLACE = /(?<!\p{L})(?:[Ii]n|[Aa]us|[Nn]ach|[Aa]t|[ÀAà]|[Ee]n)\s(\p{Lu}[\p{Ll}\p{M}]{2,})(?!\p{L})/gu;

/** What is said at a statement. */
export interface SaidThere {
  readonly own: string;
  /** With those beside it. */
  readonly around: string;
  /** The heading over it, and the question of the text that it answers. */
  readonly heads: string;
  /** The name of the document and its headings. */
  readonly called: string;
  /** The statement behind it. */
  readonly next: string;
}

/** Whether a statement tells of another place than is asked of, or of no opening, or of that of others, where it is asked when something is open. */
export function tellsElsewhere(
  profile: QuestionProfile,
  held: readonly number[],
  said: SaidThere,
  isForeign: boolean,
): boolean {
  return (
    lacksOpening(profile.text, `${said.own} · ${said.heads}`) ||
    (!isForeign && lacksNameOfOpen(profile, held)) ||
    tellsOfOtherPlace(profile.text, said)
  );
}

/** Whether a measure is asked for of which a statement tells nothing, nor the one behind it. */
export function isWithoutFigure(
  { text, terms }: QuestionProfile,
  held: readonly number[],
  { own, next }: SaidThere,
): boolean {
  const isNamed = (noun: string): boolean => terms.some(({ form }, nth) => form === noun && held[nth]! >= HELD);
  return lacksUnit(text, own) || lacksFigure(text, isNamed, `${own} ${next}`);
}

/**
 * Whether a question asks of one place and a statement tells of another one, as its own words say or what its document is called: how many
 * extinguishers hang in Lindau, where those in Bregenz are asked for.
 */
function tellsOfOtherPlace(question: string, { own, around, heads, called }: SaidThere): boolean {
  const asked = [...namesIn(IN_PLACE, question), ...namesIn(SITE_OF, question)];
  const titles = `${heads} · ${called}`;
  const words = [...`${around} ${titles}`.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => foldText(word));
  const lacking = asked.filter((place) => !words.some((word) => isOfPlace(word, foldText(place))));
  const told = [...namesIn(IN_PLACE, own), ...OF_SITE.flatMap((pattern) => namesIn(pattern, titles))];
  return lacking.some((place) => told.some((other) => mayBothBeNames(place, other)));
}

function namesIn(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name!);
}

/** „Lindauer“ is of Lindau. */
function isOfPlace(word: string, place: string): boolean {
  return word.startsWith(place) && word.length - place.length <= 3;
}

/** Units with what else they are written as. */
const UNITS: readonly (readonly [asked: string, told: string])[] = [
  ['bars?', 'bar'],
  ['volts?|voltios', 'volts?|voltios|kV|V'],
  ['(?:kilo)?watts?|vatios|kW', '(?:kilo)?watts?|vatios|kW|MW|W'],
  ['amps?|amp[eè]res?|amperios', 'amps?|amp[eè]res?|amperios|A'],
  ['(?:kilo|mega)?hertz', '(?:kilo|mega)?hertz|[kMG]?Hz'],
  ['decibels?|dezibel|d[ée]cibels|decibelios', 'decibels?|dezibel|d[ée]cibels|decibelios|dB'],
  ['lux', 'lux|lx'],
  ['lumens?|lúmenes', 'lumens?|lúmenes|lm'],
  ['(?:kilo)?calories|kalorien|kilokalorien|kcal|calorías', '(?:kilo)?calories|(?:kilo)?kalorien|kcal|calorías'],
];
const ASKS_UNIT = UNITS.map(
  ([asked, told]) =>
    [
      new RegExp(String.raw`(?<!\p{L})(?:how many|wie ?viele?|combien de|cu[áa]nt[oa]s) (?:${asked})(?!\p{L})`, 'iu'),
      new RegExp(String.raw`(?<!\p{L})(?:${told})(?!\p{L})`, 'iu'),
    ] as const,
);

/** Whether a question asks how many of a unit something has, and a text names no such unit: “how many volts”, and it weighs 40 kilograms. */
function lacksUnit(question: string, text: string): boolean {
  return ASKS_UNIT.some(([asks, tells]) => asks.test(question) && !tells.test(text));
}

/** What is told in figures alone. */
const MEASURED =
  /^(?:power|wattage|voltage|pressure|capacity|speed|area|volume|weight|\p{L}*(?:leistung|spannung|druck|kapazität|geschwindigkeit|fläche|volumen|gewicht|verbrauch)|puissance|tension|pression|capacité|vitesse|surface|superficie|poids|potencia|tensión|voltaje|presión|capacidad|velocidad|peso)$/iu;

/** Whether a measure of something is asked for (« la puissance de la borne »), and a text holds neither its name nor any figure. */
function lacksFigure(question: string, isNamed: (noun: string) => boolean, text: string): boolean {
  const noun = askedAttribute(question);
  if (noun === undefined || !MEASURED.test(noun) || isNamed(foldText(noun))) return false;
  return ![...text.matchAll(/[\p{L}\p{N}]+/gu)].some(([word]) => /\p{N}/u.test(word) || numberOf(word) !== undefined);
}

/** Whether it is asked when something is open that has a name, of which nothing is said: the hours of the practices are not those of the *Lamp Shop*. */
function lacksNameOfOpen({ text, terms }: QuestionProfile, held: readonly number[]): boolean {
  if (!asksOpening(text)) return false;
  const names = terms.flatMap(({ form, isProper, sort }, at) =>
    isProper && sort === 'word' && !TIMES.test(form) && !CALENDAR.test(form) && !/\p{N}/u.test(form) ? [at] : [],
  );
  return names.length > 0 && names.every((at) => held[at]! < HELD);
}

const CALENDAR =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|new|year|eve|boxing|day)$/u;
