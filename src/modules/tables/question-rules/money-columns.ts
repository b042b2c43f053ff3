import { areSynonyms } from './header-synonyms.js';
import { isAmount } from './identifiers.js';
import { headerWords } from './link-columns.js';
import type { QuestionColumn, QuestionTable } from './question-table.js';
import { stemOf } from './words.js';

const SPENT =
  /^(?:cost|costs|amount|total|sum|expense|expenses|charge|charges|fee|fees|paid|payment|kosten|betrag|summe|gesamt|ausgaben|rechnungsbetrag|cout|montant|total|coste|importe|gasto)$/;
const PRICE = /^(?:price|prices|rate|fee|tariff|charge|preis|preise|verkaufspreis|gebuhr|tarif|prix|precio|tarifa)$/;
/** What one of several costs is no sum of what was paid. */
const OF_ONE = /^(?:unit|per|each|hourly|daily|price|rate|je|pro|einzel|average|estimated|planned|budget)$/;

/** The column of what was paid, where there is one alone. */
export function spentColumn(table: QuestionTable): QuestionColumn | undefined {
  return onlyOne(table, (words) => words.some((word) => SPENT.test(word)) && !words.some((word) => OF_ONE.test(word)));
}

/** The column of what a thing costs, where there is one alone. */
export function priceColumn(table: QuestionTable): QuestionColumn | undefined {
  return onlyOne(table, (words) => words.some((word) => PRICE.test(word)));
}

function onlyOne(table: QuestionTable, fits: (words: readonly string[]) => boolean): QuestionColumn | undefined {
  const amounts = table.columns.filter((column) => isAmount(column, table));
  const found = amounts.filter((column) => fits(headerWords(column).map(({ text }) => text)));
  return found.length === 1 ? found[0] : undefined;
}

/** Who is paid. */
export function isPaid(column: QuestionColumn): boolean {
  const words = headerWords(column);
  return words.some(({ text, stem }) => PAYEE.test(text) || areSynonyms(stem, SUPPLIER));
}

/** Who pays, as far as a header says it. */
export function isPaying(column: QuestionColumn): boolean {
  return headerWords(column).some(({ text, stem }) => PAYER.test(text) || PAYERS.some((one) => areSynonyms(stem, one)));
}

const PAYEE = /^(?:done|payee|contractor|firm|firma|handwerker|dienstleister|prestataire|lieferant)$/;
const PAYER = /^(?:guest|tenant|gast|mieter|payer|invite|locataire)$/;
const SUPPLIER = stemOf('supplier');
const PAYERS = ['customer', 'employee', 'department', 'project', 'participant'].map(stemOf);
