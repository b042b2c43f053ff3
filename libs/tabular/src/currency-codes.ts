/** Currencies that a sign may stand for; `EUR` and the like stand for themselves. */
const CODES: ReadonlyMap<string, readonly string[]> = new Map(
  [
    '€ EUR',
    '$ USD AUD CAD NZD HKD SGD',
    'US$ USD',
    'A$ AUD',
    'AU$ AUD',
    'C$ CAD',
    'CA$ CAD',
    'NZ$ NZD',
    'HK$ HKD',
    'S$ SGD',
    'R$ BRL',
    '£ GBP',
    '¥ JPY CNY',
    'RMB CNY',
    '₹ INR',
    'RS INR',
    '₽ RUB',
    '₩ KRW',
    '₺ TRY',
    '₴ UAH',
    '₫ VND',
    '₪ ILS',
    '₱ PHP',
    'FR CHF',
    'KR SEK NOK DKK',
  ].map((line) => {
    const [sign, ...codes] = line.split(' ');
    return [sign!, codes] as const;
  }),
);

/** Whether two spellings may be of one currency: `€` and `EUR`, not `€` and `$`. */
export function isSameCurrency(one: string, other: string): boolean {
  const codes = codesOf(one);
  return codesOf(other).some((code) => codes.includes(code));
}

function codesOf(currency: string): readonly string[] {
  const sign = currency.toUpperCase().replace(/\.$/, '');
  return CODES.get(sign) ?? [sign];
}
