import { isHeaderNoun } from './header-synonyms.js';
import { headerWords } from './link-columns.js';
import { isKey, isNumeric, isTemporal, type QuestionColumn, type QuestionTable } from './question-table.js';
import { stemOf, tokensOf } from './words.js';

/** Whole words of headers of numbers that name something. */
const NAMING = new Set(
  `id ids number code key ref reference serial sku ean isbn issn zip postcode postal plz phone telephone fax mobile account badge barcode index
  uuid nummer kennung kundennr iban vat_id pin`
    .split(/\s+/)
    .map(stemOf),
);
/** Ends of one word: `Kundennummer`, `ArtikelNr`, `orderid`. */
const NAMING_END = /(?:nummer|number|_?nr|_?no|(?<![a-z])id|code|schlüssel|schluessel|kennzeichen|leitzahl)\.?$/i;
const CAMEL_ID = /[a-z](?:ID|Id|Nr|No)$/;
const HAS_ID_WORD = /(?:^|[\s_.-])(?:id|no|nr|num|number|code|#)(?:$|[\s_.-])|#/i;
/** Headers of amounts: numbers that can be added up, however much they look like a numbering. */
const AMOUNTS = new Set(
  `cost price amount charge fee expense value revenue turnover income earnings salary wage pay attendance crowd population inhabitant
  distance mileage duration length height weight area size quantity stock capacity seat score point total sum budget profit net gross count vote
  sale units hours minutes energy power electricity visitor passenger umsatz betrag preis kosten menge summe gehalt anzahl`
    .split(/\s+/)
    .map(stemOf),
);
/** Numbers with this many digits each, all of them different, are no amounts unless their header says so. */
const LONG = 5;
/** Numbers that lie so densely are counted through. */
const DENSE = 2;

/**
 * Whether the numbers of a column name something (`Order no.`, a badge, a postcode) and are never added up. By its header; else by its values:
 * whole numbers without a unit, none twice, counted through or of one length.
 */
export function isIdentifier(column: QuestionColumn, table: QuestionTable): boolean {
  if (!isNumeric(column) || column.unit !== null || isTemporal(column)) return false;
  if (isNamedSo(column)) return true;
  if (column.type !== 'integer' || !isKey(column, table) || table.rowCount < 2) return false;
  if (headerWords(column).some(({ stem }) => AMOUNTS.has(stem))) return false;
  const { min, max } = column;
  if (typeof min !== 'number' || typeof max !== 'number' || min < 0) return false;
  const isDense = max - min + 1 <= table.rowCount * DENSE && (min <= 1 || min >= 100);
  const isLong = String(min).length === String(max).length && String(min).length >= LONG;
  return isDense || (isLong && !headerWords(column).some(({ stem }) => isHeaderNoun(stem)));
}

/** Numbers that can be added up, or compared by how much they are. */
export function isAmount(column: QuestionColumn, table: QuestionTable): boolean {
  return isNumeric(column) && !isTemporal(column) && !isIdentifier(column, table);
}

function isNamedSo({ label, name }: QuestionColumn): boolean {
  const text = label.trim() === '' ? name.replaceAll('_', ' ') : label.trim();
  // `Number of seats`, `No. of units` count something.
  if (/\b(?:number|no\.?|nr\.?|num)\s+of\b/i.test(text)) return false;
  const words = tokensOf(text);
  if (words.some(({ stem }) => AMOUNTS.has(stem)) && !/\b(?:id|code)$/i.test(text)) return false;
  return (
    words.some(({ stem }) => NAMING.has(stem)) ||
    words.some(({ text: word }) => NAMING_END.test(word)) ||
    CAMEL_ID.test(text) ||
    HAS_ID_WORD.test(text)
  );
}
