import { foldText, supportOf, TermBag, termsOf, type Term } from './overlap.js';

/** Two sentences that hold this share of each other are about the same. */
const NEAR_EQUAL = 0.75;
/** The same of two that may contradict each other: one says something else where it counts. */
const ABOUT_THE_SAME = 0.55;

const NEGATIONS: ReadonlySet<string> = new Set(
  foldText(
    'not no never nobody none neither nor without cannot nothing nowhere nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder ' +
      'ne pas jamais aucun aucune sans ni non personne rien nunca jamás ningún ninguno ninguna nadie sin tampoco nada ' +
      'mai nessun nessuno nessuna senza não nenhum nenhuma sem niet geen nooit zonder niemand nie bez żaden żadna не нет ни без нельзя никогда değil yok hiç',
  ).split(' '),
);
/** Of scripts that write no spaces, and short forms. */
const NEGATED =
  /n['’]t\b|不|没|沒|未|无|無|非|勿|ない|ません|ず|않|없|안 |못|ไม่|ไม่มี|(?<!\p{L})(?:لا|لم|لن|ليس|ليست|नहीं|न|मत)(?!\p{L})/iu;

const NUMBER_WORDS: readonly (readonly [string, string])[] = [
  ['0', 'zero null zéro cero nul ноль'],
  ['1', 'once einmal'],
  ['2', 'two twice both double zwei zweimal beide deux dos due dois duas twee dwa два две iki'],
  ['3', 'three thrice drei dreimal trois tres tre três drie trzy три üç'],
  ['4', 'four vier quatre cuatro quattro quatro cztery четыре dört'],
  ['5', 'five fünf cinq cinco cinque vijf pięć пять beş'],
  ['6', 'six sechs seis sei zes sześć шесть altı'],
  ['7', 'seven sieben sept siete sette sete zeven siedem семь yedi'],
  ['8', 'eight acht huit ocho otto oito osiem восемь sekiz'],
  ['9', 'nine neun neuf nueve nove negen dziewięć девять dokuz'],
  ['10', 'ten zehn dix diez dieci dez tien dziesięć десять'],
  ['11', 'eleven elf onze once undici'],
  ['12', 'twelve dozen zwölf dutzend douze doce dodici doze twaalf'],
  ['13', 'thirteen dreizehn treize trece'],
  ['14', 'fourteen fortnight vierzehn quatorze catorce'],
  ['15', 'fifteen fünfzehn quinze quince'],
  ['16', 'sixteen sechzehn seize'],
  ['17', 'seventeen siebzehn'],
  ['18', 'eighteen achtzehn'],
  ['19', 'nineteen neunzehn'],
  ['20', 'twenty zwanzig vingt veinte venti vinte twintig'],
  ['30', 'thirty dreißig trente treinta trenta dertig'],
  ['40', 'forty vierzig quarante cuarenta'],
  ['50', 'fifty fünfzig cinquante cincuenta'],
  ['60', 'sixty sechzig soixante sesenta'],
  ['90', 'ninety neunzig noventa'],
  ['100', 'hundred hundert cent cien cento honderd sto сто'],
  ['1000', 'thousand tausend mille mil duizend тысяча'],
  ['1/2', 'half halb halbe hälfte moitié demi mitad medio metà metade'],
];
const NUMBERS: ReadonlyMap<string, string> = new Map(
  NUMBER_WORDS.flatMap(([value, words]) =>
    foldText(words)
      .split(' ')
      .map((word) => [word, value] as const),
  ),
);
const CHINESE_NUMBER = /[一二两兩三四五六七八九十百千万萬半]+/gu;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Whether two sentences say the same, so that one of them may be left out: they hold three quarters of each other, and neither differs
 * in what makes another statement of it: a negation, a number, a name, or a word that stands where the other has another one. A sentence
 * that only says more than the other says the same.
 */
export function sayTheSame(one: string, other: string): boolean {
  const [terms, others] = [statedTerms(one), statedTerms(other)];
  return overlapOf(terms, others) >= NEAR_EQUAL && !differ(one, other, terms, others);
}

/** Whether two sentences are about the same and one of them says another number, the contrary, or another value. */
export function contradictEachOther(one: string, other: string): boolean {
  const [terms, others] = [one, other].map((text) => statedTerms(text).filter(({ sort }) => sort !== 'number'));
  if (overlapOf(terms!, others!) < ABOUT_THE_SAME) return false;
  return isNegated(one) !== isNegated(other) || !areEqual(numbersOf(one), numbersOf(other));
}

/** Terms of a text, number words as numbers. */
function statedTerms(text: string): Term[] {
  return termsOf(text.replace(WORD, (word) => NUMBERS.get(foldText(word)) ?? word));
}

function overlapOf(terms: readonly Term[], others: readonly Term[]): number {
  return Math.min(supportOf(terms, new TermBag(others)), supportOf(others, new TermBag(terms)));
}

function differ(one: string, other: string, terms: readonly Term[], others: readonly Term[]): boolean {
  if (isNegated(one) !== isNegated(other)) return true;
  if (!areEqual(numbersOf(one), numbersOf(other))) return true;
  const [mine, theirs] = [strange(terms, others), strange(others, terms)];
  const [names, otherNames] = [namesOf(one), namesOf(other)];
  if (mine.some((form) => names.has(form)) || theirs.some((form) => otherNames.has(form))) return true;
  return mine.length > 0 && theirs.length > 0;
}

/** Content words of one text of which the other holds no form. */
function strange(terms: readonly Term[], others: readonly Term[]): string[] {
  const bag = new TermBag(others);
  return terms
    .filter((term) => term.isContent && term.sort === 'word' && bag.match(term) === 0)
    .map(({ form }) => form);
}

function isNegated(text: string): boolean {
  const words = foldText(text).match(WORD) ?? [];
  return NEGATED.test(text) || words.some((word) => NEGATIONS.has(word));
}

/** Numbers in digits and in words, sorted. */
function numbersOf(text: string): readonly string[] {
  const folded = foldText(text);
  const words = (folded.match(WORD) ?? []).flatMap((word) => NUMBERS.get(word) ?? []);
  const digits = folded.match(/\d+(?:[.,]\d+)*/g) ?? [];
  const chinese = folded.match(CHINESE_NUMBER) ?? [];
  return [...new Set([...words, ...digits, ...chinese])].toSorted();
}

/** Capitalised words that do not open the sentence, folded. */
function namesOf(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(WORD)].filter(({ index, 0: word }) => index > 0 && /^\p{Lu}/u.test(word));
  return new Set(names.map(({ 0: word }) => foldText(word)));
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
