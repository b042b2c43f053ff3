import { escapeSource } from './escape-source.js';

/** The JSON object in what a model wrote, from the first brace to the last; undefined where there is none. */
export function jsonObjectIn(written: string): Readonly<Record<string, unknown>> | undefined {
  const [from, to] = [written.indexOf('{'), written.lastIndexOf('}')];
  if (from === -1 || to <= from) return undefined;
  try {
    return JSON.parse(written.slice(from, to + 1)) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** Words that a model wrote as a value: escaped, on one line, of at most `most` UTF-16 code units; empty for what is no text. */
export function plainWordsOf(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  const line = escapeSource(value)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.slice(0, most).toWellFormed();
}
