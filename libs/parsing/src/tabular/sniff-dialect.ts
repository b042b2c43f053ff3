/** How the fields of a delimited file are written. */
export interface Dialect {
  delimiter: string;
  /** What is before a quote inside of a quoted field. */
  escape: '"' | '\\';
  /** Code units at the beginning that are no data: Excel's line `sep=;`. */
  skip: number;
}

/** In the order in which they are believed when a sample fits several. */
const CANDIDATES = [',', ';', '\t', '|', ':'] as const;
const SAMPLE_RECORDS = 200;

/**
 * The dialect of a delimited text by its beginning: the delimiter that divides the most lines into the same number of
 * fields, quotes considered. `preferred` wins whenever it divides anything. A text that nothing divides has one column.
 */
export function sniffDialect(sample: string, preferred?: string): Dialect {
  const named = /^\uFEFF?"?sep=([,;\t|:])"?\r?\n/i.exec(sample);
  const text = named === null ? sample : sample.slice(named[0].length);
  const escape = usesBackslash(text) ? '\\' : '"';
  const skip = named?.[0].length ?? 0;
  if (named !== null) return { delimiter: named[1]!, escape, skip };
  const fits = CANDIDATES.map((delimiter) => fitOf(delimiter, countFields(text, delimiter)));
  if (fits.some(({ delimiter, share }) => share >= MOST_RECORDS && BESIDE_COMMAS.has(delimiter))) {
    fits[0] = fitOf(',', countFields(text, ',', isBareComma));
  }
  let best: Fit = { delimiter: preferred ?? ',', score: 0, fields: 0, share: 0 };
  for (const fit of fits) {
    const better = { ...fit, score: fit.score * (fit.delimiter === preferred ? 2 : 1) };
    if (isBetter(better, best)) best = better;
  }
  return { delimiter: best.delimiter, escape, skip };
}

interface Fit {
  readonly delimiter: string;
  /** 0 for a delimiter that divides nothing, up to about 1 for one that divides every record alike. */
  readonly score: number;
  /** Of most records. */
  readonly fields: number;
  /** Of the records, those that have as many fields. */
  readonly share: number;
}

function isBetter(one: Fit, best: Fit): boolean {
  // A colon is in times and addresses: it has to divide every line alike.
  if (one.delimiter === ':') return one.score > best.score && one.share === 1;
  return one.score > best.score * 1.05 || (one.share >= best.share && one.fields > best.fields);
}

/** `"a \"quoted\" word"` instead of doubled quotes. */
function usesBackslash(text: string): boolean {
  return /\\"[^,;\t|\r\n]/.test(text) && !/[^,;\t|\r\n]""[^,;\t|\r\n]/.test(text);
}

function fitOf(delimiter: string, counts: readonly number[]): Fit {
  const frequencies = new Map<number, number>();
  for (const count of counts) if (count > 1) frequencies.set(count, (frequencies.get(count) ?? 0) + 1);
  let best: Fit = { delimiter, score: 0, fields: 1, share: 0 };
  for (const [fields, records] of frequencies) {
    const share = records / counts.length;
    const score = share * (1 + Math.min(fields, 50) / 1000);
    if (score > best.score) best = { delimiter, score, fields, share };
  }
  return best;
}

/** Beside these, whose fields may hold commas, commas in numbers and before a space divide nothing. */
const BESIDE_COMMAS: ReadonlySet<string> = new Set([';', '\t', '|']);
/** Share of the records that a delimiter has to divide alike, for the commas beside it to be looked at. */
const MOST_RECORDS = 0.5;
const LONGEST_NUMBER = 40;
const DIGIT_OR_MARK = /[\d.,]/;
/** “1,50”, “1.204,75” and “1,204,750.5”; three values in a row, “1,2,3”, are none. */
const NUMBER_WITH_COMMA = /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$|^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

function isBareComma(text: string, at: number): boolean {
  if (text[at + 1] === ' ') return false;
  let start = at;
  while (at - start < LONGEST_NUMBER && start > 0 && DIGIT_OR_MARK.test(text[start - 1]!)) start -= 1;
  let end = at + 1;
  while (end - at < LONGEST_NUMBER && end < text.length && DIGIT_OR_MARK.test(text[end]!)) end += 1;
  return !NUMBER_WITH_COMMA.test(text.slice(start, end));
}

/**
 * Fields of each record of the sample; the last record is left out, for it may be cut off. `divides` says of a delimiter outside of quotes
 * whether it is one.
 */
function countFields(
  text: string,
  delimiter: string,
  divides: (text: string, at: number) => boolean = () => true,
): number[] {
  const counts: number[] = [];
  let fields = 1;
  let isQuoted = false;
  let isEmpty = true;
  let atFieldStart = true;
  for (let at = 0; at < text.length && counts.length < SAMPLE_RECORDS; at += 1) {
    const character = text[at]!;
    if (isQuoted) {
      if (character === '"') isQuoted = false;
    } else if (character === '"' && atFieldStart) {
      isQuoted = true;
    } else if (character === '\n' || character === '\r') {
      if (!isEmpty) counts.push(fields);
      fields = 1;
      isEmpty = true;
      atFieldStart = true;
      continue;
    } else if (character === delimiter && divides(text, at)) {
      fields += 1;
      atFieldStart = true;
      isEmpty = false;
      continue;
    }
    if (character !== ' ') atFieldStart = false;
    isEmpty = false;
  }
  if (!isEmpty && (counts.length === 0 || fields === counts[0])) counts.push(fields);
  return counts;
}
