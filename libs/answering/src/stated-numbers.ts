import { foldText } from './overlap.js';

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
  ['70', 'seventy siebzig setenta settanta семьдесят'],
  ['80', 'eighty achtzig ochenta ottanta oitenta tachtig'],
  ['90', 'ninety neunzig noventa novanta negentig'],
  ['100', 'hundred hundert cent cien cento honderd sto сто'],
  ['1000', 'thousand tausend mille mil duizend тысяча'],
  ['1/2', 'half halb halbe hälfte moitié demi mitad medio metà metade'],
];
const ORDINAL_WORDS: readonly (readonly [string, string])[] = [
  ['1', 'first erste ersten erster erstes premier première primer primero primera primo prima'],
  ['2', 'second zweite zweiten zweiter zweites deuxième seconde segundo segunda secondo seconda'],
  ['3', 'third dritte dritten dritter drittes troisième tercer tercero tercera terzo terza'],
  ['4', 'fourth vierte vierten vierter quatrième cuarto cuarta'],
  ['5', 'fifth fünfte fünften fünfter cinquième quinto quinta'],
  ['6', 'sixth sechste sechsten sixième sexto'],
  ['7', 'seventh siebte siebten septième'],
  ['8', 'eighth achte achten huitième'],
  ['9', 'ninth neunte neunten neuvième'],
  ['10', 'tenth zehnte zehnten dixième'],
];
const ORDINALS = byWord(ORDINAL_WORDS);
const CARDINALS = byWord(NUMBER_WORDS);
/** With their diacritics: Turkish “dört” is 4, German “dort” is no number, nor is French “très” for Spanish “tres”. */
const WRITTEN_CARDINALS = byWord(NUMBER_WORDS, (text) => text);
const NUMBERS: ReadonlyMap<string, string> = new Map([...CARDINALS, ...ORDINALS]);
const CHINESE_DIGITS: ReadonlyMap<string, string> = new Map(
  [...'一二三四五六七八九十'].map((digit, at) => [digit, String(at + 1)]),
);
const CHINESE_NUMBER = /[一二两兩三四五六七八九十百千万萬半]+/gu;
/** The first version is “Version 1”: these are told apart by nothing but their numbers. */
const NUMBERED =
  /(?<!\p{L})(?:versione?s?|fassung|ausgabe|auflage|edition|revision|fassungen|revisión|edición|versión|édition|révision)\s(?:no?\.?\s|nr\.?\s)?(\d{1,2})(?![\p{L}\p{N}]|[.,]\d)/gu;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** The digits of a number word, also of an ordinal one; undefined for another word. */
export function numberOf(word: string): string | undefined {
  return NUMBERS.get(foldText(word));
}

/** The number that a word in lower case counts by, in whichever language: neither an ordinal nor a fraction. */
export function cardinalOf(word: string): number | undefined {
  const value = Number(WRITTEN_CARDINALS.get(word));
  return Number.isInteger(value) ? value : undefined;
}

/** Numbers in digits and in words, sorted. */
export function statedNumbers(text: string): readonly string[] {
  const folded = foldText(text);
  const words = (folded.match(WORD) ?? []).flatMap((word) => NUMBERS.get(word) ?? []);
  const digits = folded.match(/\d+(?:[.,]\d+)*/g) ?? [];
  const chinese = folded.match(CHINESE_NUMBER) ?? [];
  return [...new Set([...words, ...digits, ...chinese])].toSorted();
}

/** Numbers that a text states by ordinal words or marks: “the second year”, “2. Lehrjahr”, “第三期”, and of versions by their number: “Version 2”. Sorted. */
export function statedOrdinals(text: string): readonly string[] {
  const folded = foldText(text);
  const words = (folded.match(WORD) ?? []).flatMap((word) => ORDINALS.get(word) ?? []);
  const marked = [
    ...folded.matchAll(
      /(?<![\p{L}\d.,])(\d{1,2})(?:st|nd|rd|th|eme|er|\.(?= \p{L}))|第([一二三四五六七八九十]|\d{1,2})/gu,
    ),
  ];
  const values = marked.flatMap(([, digits, chinese]) => digits ?? CHINESE_DIGITS.get(chinese ?? '') ?? chinese ?? []);
  const numbered = [...text.toLowerCase().matchAll(NUMBERED)].map(([, number]) => number!);
  return [...new Set([...words, ...values, ...numbered])].toSorted();
}

function byWord(
  table: readonly (readonly [string, string])[],
  written: (text: string) => string = foldText,
): ReadonlyMap<string, string> {
  return new Map(
    table.flatMap(([value, words]) =>
      written(words)
        .split(' ')
        .map((word) => [word, value] as const),
    ),
  );
}
