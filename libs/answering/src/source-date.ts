/** A day, month or year as a source states it. */
export interface StatedDate {
  /** `2025`, `2025-03` or `2025-03-01`: sorts by time as text. */
  readonly iso: string;
  /** As it is written there. */
  readonly text: string;
}

/** Names of metadata that say from when a document holds, the most telling first. */
const FIELDS =
  /^(?:valid_?from|effective(?:_?date|_?from)?|in_?force|date|updated(?:_?at)?|modified|published(?:_?at)?|issued|version_?date|last_?updated|last_?modified|last_?reviewed|reviewed|stand|datum|gueltig_?ab|gültig_?ab)$/i;
/** Words before a date that say from when a text holds. */
const CUES =
  /(?:valid|effective|in force|with effect|applies|as of|dated?|from|since|issued|updated|gültig|ab dem|ab|stand|vom|seit|en vigueur|à partir du|depuis le|du|a partir del?|vigente|desde el?|自|从|起|dal|a partire dal)\b[^.\n\d]{0,20}$/iu;

const MONTHS: readonly RegExp[] = [
  /^(?:jan|janv|enero|ene|gen)/i,
  /^(?:feb|fév|fev)/i,
  /^(?:mar|mär|maerz)/i,
  /^(?:apr|avr|abr)/i,
  /^(?:may|mai|mayo|mag)/i,
  /^(?:jun|juin|giu)/i,
  /^(?:jul|juil|lug)/i,
  /^(?:aug|août|aou|ago)/i,
  /^(?:sep|set)/i,
  /^(?:oct|okt|ott|out)/i,
  /^(?:nov)/i,
  /^(?:dec|dez|déc|dic)/i,
];
const YEAR = '(?<year>(?:19|20)\\d{2})';
const FORMS: readonly RegExp[] = [
  new RegExp(`(?<!\\d)${YEAR}-(?<month>\\d{2})-(?<day>\\d{2})(?!\\d)`, 'gu'),
  new RegExp(`(?<!\\d)(?<day>\\d{1,2})\\. ?(?<month>\\d{1,2})\\. ?${YEAR}(?!\\d)`, 'gu'),
  new RegExp(
    `(?<!\\d)(?<day>\\d{1,2})(?:st|nd|rd|th|er|\\.)? (?:de )?(?<name>\\p{L}{3,10})\\.?,? (?:de )?${YEAR}(?!\\d)`,
    'giu',
  ),
  new RegExp(`(?<name>\\p{L}{3,10})\\.? (?<day>\\d{1,2}),? ${YEAR}(?!\\d)`, 'giu'),
  new RegExp(`${YEAR}\\s?年\\s?(?<month>\\d{1,2})\\s?月(?:\\s?(?<day>\\d{1,2})\\s?日)?`, 'gu'),
  new RegExp(`(?<name>\\p{L}{3,10})\\.? (?:de )?${YEAR}(?!\\d)`, 'giu'),
];

/** The date of a document's metadata or front matter; null where none is stated. */
export function dateOfMetadata(metadata: Readonly<Record<string, unknown>>): StatedDate | null {
  const fields = Object.entries(metadata).filter(([name, value]) => FIELDS.test(name) && typeof value === 'string');
  for (const [, value] of fields) {
    const found = datesIn(value as string)[0] ?? yearIn(value as string);
    if (found !== null) return found;
  }
  return null;
}

/** The date of a source by its title, else by its text: one behind words such as “valid from” before the first; else a year of the title. */
export function dateOfText(title: string, text: string): StatedDate | null {
  const named = datesIn(title)[0];
  if (named !== undefined) return named;
  const dates = datesIn(text);
  const cued = dates.find(({ at }) => CUES.test(text.slice(Math.max(0, at - 40), at)));
  return cued ?? yearIn(title) ?? dates[0] ?? yearIn(text.slice(0, text.indexOf('\n') + 1));
}

function datesIn(text: string): (StatedDate & { readonly at: number })[] {
  const found = FORMS.flatMap((form) => [...text.matchAll(form)].flatMap((match) => toDate(match)));
  return found.toSorted((a, b) => a.at - b.at || b.text.length - a.text.length);
}

function toDate({ 0: written, index: at, groups = {} }: RegExpExecArray): (StatedDate & { readonly at: number })[] {
  const { year, month, day, name } = groups;
  const named = name === undefined ? Number(month) : MONTHS.findIndex((pattern) => pattern.test(name)) + 1;
  if (year === undefined || !(named >= 1 && named <= 12) || Number(day ?? 1) > 31) return [];
  const parts = [year, String(named).padStart(2, '0'), ...(day === undefined ? [] : [day.padStart(2, '0')])];
  return [{ iso: parts.join('-'), text: written.trim(), at }];
}

function yearIn(text: string): StatedDate | null {
  const year = /(?<![\d.,])(?:19|20)\d{2}(?![\d.,]\d|\d)/.exec(text)?.[0];
  return year === undefined ? null : { iso: year, text: year };
}

/** A source with the date that is known of it, else with what its title or text states. */
export function withDate<
  T extends { readonly text: string; readonly title?: string; readonly date?: StatedDate | null },
>(source: T): T & { readonly date: StatedDate | null } {
  return { ...source, date: source.date ?? dateOfText(source.title ?? '', source.text) };
}
