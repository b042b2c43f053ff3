import { setupI18n, type Messages } from '@lingui/core';
import type english from './en.json';

/** Key of a text. A key that a catalogue lacks fails the check. */
export type TextKey = keyof typeof english;
export type Values = Readonly<Record<string, string | number>>;

/** Languages of the console. Another one is a catalogue beside `en.json` and a line here. */
const CATALOGUES: Readonly<Record<string, () => Promise<{ default: Messages }>>> = {
  en: () => import('virtual:texts/en'),
  de: () => import('virtual:texts/de'),
};
export const LANGUAGES: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' };
const KEPT = 'kb.language';

const i18n = setupI18n();

/** Loads the language that was chosen, else the first of the browser's that there is. */
export async function loadLanguage(chosen = localStorage.getItem(KEPT) ?? undefined): Promise<void> {
  const wanted = [chosen, ...navigator.languages].map((tag) => tag?.slice(0, 2) ?? '');
  const language = wanted.find((tag) => tag in CATALOGUES) ?? 'en';
  const { default: messages } = await CATALOGUES[language]!();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: string): Promise<void> {
  localStorage.setItem(KEPT, language);
  await loadLanguage(language);
}

export const currentLanguage = (): string => i18n.locale;

/** The text of a key in the present language. */
export function t(key: TextKey, values?: Values): string {
  return i18n._(key, values);
}

export const formatNumber = (value: number): string => new Intl.NumberFormat(i18n.locale).format(value);

/** So many digits tell two passages apart. */
const SCORE_DIGITS = 3;

export const formatScore = (value: number): string =>
  new Intl.NumberFormat(i18n.locale, {
    minimumFractionDigits: SCORE_DIGITS,
    maximumFractionDigits: SCORE_DIGITS,
  }).format(value);

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats are costly to make, and lists need them for each row: made once. */
const numbersOf = onceFor((locale, digits: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }));
const datesOf = onceFor(
  (locale, hasYear: boolean) =>
    new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...(hasYear ? { year: 'numeric' } : {}) }),
);

function onceFor<Kind, Format>(make: (locale: string, kind: Kind) => Format): (locale: string, kind: Kind) => Format {
  const made = new Map<string, Format>();
  return (locale, kind) => {
    const key = `${locale} ${String(kind)}`;
    const format = made.get(key) ?? make(locale, kind);
    made.set(key, format);
    return format;
  };
}

export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const digits = step > 0 && value < 100 ? 1 : 0;
  return `${numbersOf(i18n.locale, digits).format(value)} ${UNITS[step]}`;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** How long ago, for the last day; the date before. */
export function formatWhen(instant: string): string {
  const then = new Date(instant);
  const age = Date.now() - then.getTime();
  if (age < MINUTE) return t('when.now');
  if (age < HOUR) return t('when.minutes', { count: Math.floor(age / MINUTE) });
  if (age < DAY) return t('when.hours', { count: Math.floor(age / HOUR) });
  const isThisYear = then.getFullYear() === new Date().getFullYear();
  return datesOf(i18n.locale, !isThisYear).format(then);
}
