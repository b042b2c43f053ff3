/** Days from `from` to `to` (excluded), as `YYYY-MM-DD`. */
export interface DateSpan {
  readonly from: string;
  readonly to: string;
}

const MONTHS: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'enero'],
  ['february', 'feb', 'februar', 'febrero'],
  ['march', 'mar', 'märz', 'marzo'],
  ['april', 'apr', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'junio'],
  ['july', 'jul', 'juli', 'julio'],
  ['august', 'aug', 'agosto'],
  ['september', 'sep', 'sept', 'septiembre'],
  ['october', 'oct', 'oktober', 'octubre'],
  ['november', 'nov', 'noviembre'],
  ['december', 'dec', 'dezember', 'diciembre'],
];
const MONTH_OF = new Map(MONTHS.flatMap((names, index) => names.map((name) => [name, index + 1] as const)));
const QUARTERS = new Map([
  ['first', 1],
  ['1st', 1],
  ['second', 2],
  ['2nd', 2],
  ['third', 3],
  ['3rd', 3],
  ['fourth', 4],
  ['4th', 4],
  ['last', 4],
]);
const NAME = '([a-zäé]+)\\.?';
const YEAR = '((?:19|20)\\d\\d)';

const FORMS: readonly (readonly [RegExp, (m: readonly string[]) => DateSpan | undefined])[] = [
  [new RegExp(`^(?:the )?(?:year )?${YEAR}$`), ([year]) => spanOf(Number(year), 1, 12)],
  [new RegExp(`^${YEAR}-(\\d\\d)$`), ([year, month]) => spanOf(Number(year), Number(month), 1)],
  [new RegExp(`^${YEAR}-(\\d\\d)-(\\d\\d)$`), ([y, m, d]) => dayOf(Number(y), Number(m), Number(d))],
  [new RegExp(`^(\\d\\d?)\\.(\\d\\d?)\\.${YEAR}$`), ([d, m, y]) => dayOf(Number(y), Number(m), Number(d))],
  [new RegExp(`^${NAME}(?: of| de)?,? ${YEAR}$`), ([name, y]) => spanOf(Number(y), monthOf(name), 1)],
  [
    new RegExp(`^(\\d\\d?)(?:st|nd|rd|th|\\.)? (?:of |de )?${NAME}(?: of| de)?,? ${YEAR}$`),
    ([d, name, y]) => dayOf(Number(y), monthOf(name), Number(d)),
  ],
  [
    new RegExp(`^${NAME} (\\d\\d?)(?:st|nd|rd|th)?,? ${YEAR}$`),
    ([name, d, y]) => dayOf(Number(y), monthOf(name), Number(d)),
  ],
  [new RegExp(`^q([1-4])(?: of)? ${YEAR}$`), ([q, y]) => spanOf(Number(y), 3 * Number(q) - 2, 3)],
  [
    new RegExp(`^(?:the )?(\\w+) quarter(?: of| in)? ${YEAR}$`),
    ([name, y]) => spanOf(Number(y), 3 * (QUARTERS.get(name ?? '') ?? 0) - 2, 3),
  ],
  [
    new RegExp(`^(?:the )?(first|second) half(?: of| in)? ${YEAR}$`),
    ([name, y]) => spanOf(Number(y), name === 'first' ? 1 : 7, 6),
  ],
];

/** The days that a text names: a year, a quarter, a month or a day, as people write them; undefined for anything else. */
export function readDateSpan(text: string): DateSpan | undefined {
  const lower = text.trim().toLowerCase();
  for (const [form, read] of FORMS) {
    const found = form.exec(lower);
    if (found !== null) return read(found.slice(1));
  }
  return undefined;
}

function monthOf(name: string | undefined): number {
  return MONTH_OF.get(name ?? '') ?? 0;
}

function spanOf(year: number, month: number, months: number): DateSpan | undefined {
  if (month < 1 || month > 12) return undefined;
  return { from: dayText(Date.UTC(year, month - 1, 1)), to: dayText(Date.UTC(year, month - 1 + months, 1)) };
}

function dayOf(year: number, month: number, day: number): DateSpan | undefined {
  const at = Date.UTC(year, month - 1, day);
  if (month < 1 || month > 12 || new Date(at).getUTCDate() !== day) return undefined;
  return { from: dayText(at), to: dayText(Date.UTC(year, month - 1, day + 1)) };
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
