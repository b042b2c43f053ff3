/** Names of months and days in the language of a number format. */
export interface DateNames {
  /** `index` from 0; with a day beside it some languages say the month in another case. */
  month(index: number, length: 'long' | 'short', hasDay: boolean): string;
  /** `index` from 0, Sunday. */
  day(index: number, length: 'long' | 'short'): string;
}

/** Primary languages of Windows by the low bits of a locale's number. */
const LANGUAGES: Readonly<Record<number, string>> = {
  0x02: 'bg',
  0x03: 'ca',
  0x04: 'zh',
  0x05: 'cs',
  0x06: 'da',
  0x07: 'de',
  0x08: 'el',
  0x0a: 'es',
  0x0b: 'fi',
  0x0c: 'fr',
  0x0e: 'hu',
  0x10: 'it',
  0x11: 'ja',
  0x12: 'ko',
  0x13: 'nl',
  0x14: 'nb',
  0x15: 'pl',
  0x16: 'pt',
  0x18: 'ro',
  0x19: 'ru',
  0x1b: 'sk',
  0x1d: 'sv',
  0x1f: 'tr',
  0x22: 'uk',
};
const PRIMARY_BITS = 0x3ff;
const LOCALE = /\[\$[^\]-]*-([^\]]{2,40})\]/;
/** A Sunday. */
const FIRST_SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;
/** Where spreadsheets shorten otherwise than others do. */
const SHORT_MONTHS: Readonly<Record<string, readonly string[]>> = {
  de: 'Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez'.split(' '),
};
const ENGLISH_MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const ENGLISH_DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

export const ENGLISH: DateNames = {
  month: (index, length) => ENGLISH_MONTHS[index]!.slice(0, length === 'short' ? 3 : undefined),
  day: (index, length) => ENGLISH_DAYS[index]!.slice(0, length === 'short' ? 3 : undefined),
};

/** The names that a format asks for by `[$-407]` or `[$-de-DE]`; English where it names no language that is known. */
export function dateNamesOf(format: string): DateNames {
  const language = languageOf(LOCALE.exec(format)?.[1] ?? '');
  return language === undefined || language === 'en' ? ENGLISH : namesIn(language);
}

/** Swiss and Latin American numbers are written otherwise than the language's own. */
const COUNTRIES: Readonly<Record<number, string>> = {
  0x0807: 'de-CH',
  0x0810: 'it-CH',
  0x100c: 'fr-CH',
  0x080a: 'es-MX',
};

/** The locale that a format names by `[$-407]`, `[$€-407]` or `[$-de-DE]`, as `de`; undefined where it names none that is known. */
export function localeOf(format: string): string | undefined {
  const locale = LOCALE.exec(format)?.[1] ?? '';
  const number = /^[\da-f]{3,8}$/i.test(locale) ? Number.parseInt(locale.slice(-4), 16) : 0;
  // `[$-F800]` and `[$-F400]` are dates and times as the reader's system has them.
  if (number >= 0xf000) return undefined;
  if (number > 0) return COUNTRIES[number] ?? (number === 0x0409 ? 'en' : LANGUAGES[number & PRIMARY_BITS]);
  return languageOf(locale) === undefined ? undefined : locale;
}

function languageOf(locale: string): string | undefined {
  // Calendar and digits are in front of the locale's number.
  if (/^[\da-f]{3,8}$/i.test(locale)) return LANGUAGES[Number.parseInt(locale.slice(-4), 16) & PRIMARY_BITS];
  const name = /^([a-z]{2})(?:-[a-z\d-]+)?$/i.exec(locale)?.[1]?.toLowerCase();
  return name !== undefined && Intl.DateTimeFormat.supportedLocalesOf([name]).length > 0 ? name : undefined;
}

const known = new Map<string, DateNames>();

function namesIn(language: string): DateNames {
  let names = known.get(language);
  if (names === undefined) {
    names = {
      month: (index, length, hasDay) => {
        const own = length === 'short' ? SHORT_MONTHS[language]?.[index] : undefined;
        if (own !== undefined) return own;
        const options = { month: length, ...(hasDay && length === 'long' && { day: 'numeric' as const }) };
        return part(language, options, 'month', Date.UTC(2023, index, 15));
      },
      day: (index, length) => part(language, { weekday: length }, 'weekday', FIRST_SUNDAY + index * DAY_MS),
    };
    known.set(language, names);
  }
  return names;
}

/** Shortened names lose the point, which a format writes itself where it wants one. */
function part(
  language: string,
  options: Intl.DateTimeFormatOptions,
  type: Intl.DateTimeFormatPartTypes,
  time: number,
): string {
  const key = `${language} ${JSON.stringify(options)} ${time}`;
  let text = kept.get(key);
  if (text === undefined) {
    const parts = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).formatToParts(time);
    text = (parts.find((candidate) => candidate.type === type)?.value ?? '').replace(/\.$/, '');
    kept.set(key, text);
  }
  return text;
}

const kept = new Map<string, string>();
