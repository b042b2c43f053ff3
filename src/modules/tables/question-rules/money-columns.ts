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

const COMPOUND = /^(\p{L}{4,}?)s?kosten$/u;
const OTHER_MONEY =
  /^(?:salary|wage|pay|revenue|turnover|income|profit|discount|deposit|allowance|bonus|tax|vat|balance|sales?|value|gehalt|lohn|umsatz|gewinn|rabatt|kaution|anzahlung|steuer|salaire|remise|caution|salario|descuento|fianza|\p{L}+(?:kosten|preis|gebuhr|betrag|lohn|geld))$/u;
const UPKEEP: ReadonlySet<string> = new Set(
  `maintenance repair service upkeep fuel energy electricity insurance cleaning storage wartung reparatur instandhaltung instandsetzung energie
  strom versicherung reinigung betrieb betriebs lager entretien reparation assurance mantenimiento reparacion seguro`
    .split(/\s+/)
    .map(stemOf),
);
const CURRENCY = /^(?:eur|euro|usd|gbp|chf|[€$£])$/;

/** The column of what was paid, where there is one alone. */
export function spentColumn(table: QuestionTable): QuestionColumn | undefined {
  return onlyOne(table, (words) => words.some((word) => SPENT.test(word)) && !words.some((word) => OF_ONE.test(word)));
}

/** Whether a word of a header says what kind of money a column is of. */
export function isMoneyWord(text: string): boolean {
  return SPENT.test(text) || PRICE.test(text) || OF_ONE.test(text) || OTHER_MONEY.test(text);
}

/** The column of what a thing costs, where there is one alone. */
export function priceColumn(table: QuestionTable): QuestionColumn | undefined {
  return onlyOne(table, (words) => words.some((word) => PRICE.test(word)));
}

/** The stems of what a column has the cost of: `Maintenance cost`, `Wartungskosten`; none where it does not say. */
export function costOf(column: QuestionColumn): string[] {
  const words = headerWords(column);
  const compound = words.map(({ text }) => COMPOUND.exec(text)?.[1]).find((of) => of !== undefined);
  if (compound !== undefined) return [stemOf(compound)];
  const isCost = ({ text }: { readonly text: string }): boolean => /^(?:cost|costs|kosten|cout|coste)$/.test(text);
  const rest = words.filter((word) => !isCost(word) && !CURRENCY.test(word.text));
  return rest.length < words.length && !rest.some(({ text }) => OF_ONE.test(text)) ? rest.map(({ stem }) => stem) : [];
}

/** Whether a column is of what a thing costs once one has it, which makes it neither cheap nor dear. */
export function isUpkeep(column: QuestionColumn): boolean {
  return costOf(column).some((stem) => UPKEEP.has(stem));
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
