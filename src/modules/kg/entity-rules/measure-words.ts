/** Units and currencies, lower case: a number in front of one is an amount, and no part of a name. */
const UNITS: ReadonlySet<string> = new Set(
  'euro euros eur cent dollar dollars usd pounds gbp chf franken rappen yen percent prozent kg g mg t to tonne tonnen tonne tonnes l ml liter litre litres liters hl m cm mm km m² m³ m2 m3 qm cbm nm³ nm3 kw kwh mwh gwh wh watt kilowatt kilowatts megawatt v volt a ampere bar grad celsius kb mb gb tb uhr h std stunde stunden hour hours hrs min minute minuten minutes sek sekunden seconds tag tage tagen day days woche wochen week weeks monat monate monaten month months jahr jahre jahren year years stück stk piece pieces pcs flasche flaschen bottles paar pair pairs mal times x am pm personen people co2 mio mrd million millionen millions'.split(
    ' ',
  ),
);

/** Whether a word in lower case is a unit of measure, of money or of time. */
export function isUnit(lower: string): boolean {
  return UNITS.has(lower);
}

/** Whether what is in front of `rest` is an amount, a time, a day of a month or a range, and not the number of a model. */
export function isAmountBefore(rest: string): boolean {
  return /^(?:[.,:]\p{N}|\.\s+\p{Ll}|\s?[%€$£°]|\s?[–-]\s?\p{N}|\s(?:to|bis)\s\p{N}|\/\p{N})/u.test(rest);
}
