import { detect } from './detect.js';
import type { EntityType } from './finding.js';

/** What represents each UTF-16 unit of what is hidden. */
export const MASK = '\u2588';

/** A stretch in UTF-16 units; `end` is behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text with every stretch hidden; as long as before, so that places stay. Stretches may overlap and reach beyond the text. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  let masked = '';
  let at = 0;
  for (const { start, end } of spans.toSorted((left, right) => left.start - right.start)) {
    const from = Math.max(at, start);
    const to = Math.min(text.length, end);
    if (to <= from) continue;
    masked += text.slice(at, from) + MASK.repeat(to - from);
    at = to;
  }
  return masked + text.slice(at);
}

/** Where a short text holds something of these types that is at least so certain. */
export function spansIn(text: string, minScores: ReadonlyMap<EntityType, number>): Span[] {
  if (minScores.size === 0 || text === '') return [];
  const found = detect(text, { types: minScores.keys(), minScore: 0 });
  return found.filter(({ entityType, score }) => score >= minScores.get(entityType)!);
}

/** A short text with all of that hidden. */
export function maskText(text: string, minScores: ReadonlyMap<EntityType, number>): string {
  const spans = spansIn(text, minScores);
  return spans.length === 0 ? text : maskSpans(text, spans);
}

/** The same of every string in JSON, names of fields included. */
export function maskJson<T>(value: T, minScores: ReadonlyMap<EntityType, number>): T {
  const mask = (one: unknown): unknown => {
    if (typeof one === 'string') return maskText(one, minScores);
    if (Array.isArray(one)) return one.map(mask);
    if (typeof one === 'number') return maskNumber(one, minScores);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [maskText(key, minScores), mask(inner)]));
  };
  return minScores.size === 0 ? value : (mask(value) as T);
}

/** A number of a person is one without quotation marks, too. */
function maskNumber(value: number, minScores: ReadonlyMap<EntityType, number>): number | string {
  const written = String(value);
  const masked = written.length < 7 ? written : maskText(written, minScores);
  return masked === written ? value : masked;
}
