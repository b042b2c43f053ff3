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
  let best = { delimiter: preferred ?? ',', score: 0 };
  for (const delimiter of CANDIDATES) {
    const score = fitness(countFields(text, delimiter)) * (delimiter === preferred ? 2 : 1);
    // A colon is in times and addresses: it has to divide every line alike.
    if (delimiter === ':' ? score > best.score && score >= 1 : score > best.score * 1.05) best = { delimiter, score };
  }
  return { delimiter: best.delimiter, escape, skip };
}

/** `"a \"quoted\" word"` instead of doubled quotes. */
function usesBackslash(text: string): boolean {
  return /\\"[^,;\t|\r\n]/.test(text) && !/[^,;\t|\r\n]""[^,;\t|\r\n]/.test(text);
}

/** 0 for a delimiter that divides nothing, up to about 1 for one that divides every record alike. */
function fitness(counts: readonly number[]): number {
  const frequencies = new Map<number, number>();
  for (const count of counts) if (count > 1) frequencies.set(count, (frequencies.get(count) ?? 0) + 1);
  let best = 0;
  for (const [count, records] of frequencies) {
    best = Math.max(best, (records / counts.length) * (1 + Math.min(count, 50) / 1000));
  }
  return best;
}

/** Fields of each record of the sample; the last record is left out, for it may be cut off. */
function countFields(text: string, delimiter: string): number[] {
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
    } else if (character === delimiter) {
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
