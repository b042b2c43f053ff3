/** Preference of an `Accept` header for a media type. */
interface Preference {
  readonly quality: number;
  /** 2: named itself, 1: by its kind (`text/*`), 0: by a range of all types. */
  readonly precision: number;
  readonly place: number;
}

const NEVER: Preference = { quality: 0, precision: 0, place: 0 };

/** `csv` where an `Accept` header prefers it to JSON, by quality, then by how exactly it is named, then by order; otherwise `json`. */
export function preferredFormat(accept: string | undefined): 'csv' | 'json' {
  const ranges = (accept ?? '').slice(0, 1_000).split(',').map(readRange);
  const [csv, json] = [preferenceOf(ranges, 'text', 'csv'), preferenceOf(ranges, 'application', 'json')];
  if (csv.quality === 0) return 'json';
  const difference = csv.quality - json.quality || csv.precision - json.precision || (csv.place < json.place ? 1 : -1);
  return difference > 0 ? 'csv' : 'json';
}

function readRange(text: string, place: number): { type: string; quality: number; place: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = given === undefined ? 1 : Number(given.replace(/^q\s*=\s*/, ''));
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0, place };
}

/** The most exact range counts, as RFC 9110 has it. */
function preferenceOf(ranges: readonly ReturnType<typeof readRange>[], kind: string, subtype: string): Preference {
  for (const [precision, wanted] of [
    [2, `${kind}/${subtype}`],
    [1, `${kind}/*`],
    [0, '*/*'],
  ] as const) {
    const found = ranges.find(({ type }) => type === wanted);
    if (found !== undefined) return { quality: found.quality, precision, place: found.place };
  }
  return NEVER;
}
