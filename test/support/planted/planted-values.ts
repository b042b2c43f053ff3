/** What a policy hides in the tests of masks. Each kind has a mark that is in every value of it and nowhere else. */
export const PLANTED_MARKS = [
  'kestrel-survey-7431.org',
  '453991736482',
  '917364820011',
  'Kestrel7431xQ',
  'kestrel7431xq',
];

/** The kinds of content of the values, as a policy names them. */
export const PLANTED_TYPES = ['email', 'credit_card', 'iban', 'secret'] as const;

/** The values of one file, three of each kind. No two files have one in common. */
export interface PlantedValues {
  readonly emails: readonly string[];
  readonly cards: readonly string[];
  readonly accounts: readonly string[];
  readonly secrets: readonly string[];
}

const OF_EACH_KIND = 3;

/** The same number always gives the same values. */
export function plantedValues(file: number): PlantedValues {
  const numbers = Array.from({ length: OF_EACH_KIND }, (_, at) => file * OF_EACH_KIND + at);
  return {
    emails: numbers.map((n) => `warden${n}@kestrel-survey-7431.org`),
    cards: numbers.map((n) => withLuhnDigit(`453991736482${String(n).padStart(3, '0')}`)),
    accounts: numbers.map((n) => germanAccount(`917364820011${String(n).padStart(6, '0')}`)),
    secrets: numbers.map((n) => `ghp_Kestrel7431xQ${String(n).padStart(4, '0')}wR8vLm2TzYb6NcUe5Hs`),
  };
}

export function listValues({ emails, cards, accounts, secrets }: PlantedValues): string[] {
  return [...emails, ...cards, ...accounts, ...secrets];
}

/** A sentence for each value. */
export function plantedSentences(values: PlantedValues): string[] {
  return [
    ...values.emails.map((value) => `Write to ${value} before the tour begins.`),
    ...values.cards.map((value) => `The hut was paid with the card ${value} in May.`),
    ...values.accounts.map((value) => `Rent goes to the account ${value} each month.`),
    ...values.secrets.map((value) => `The station signs in with the token ${value} at night.`),
  ];
}

function withLuhnDigit(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, at) => {
    const doubled = at % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Check digits by ISO 13616: D is 13, E is 14. */
function germanAccount(digits: string): string {
  const check = 98n - (BigInt(`${digits}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${digits}`;
}
