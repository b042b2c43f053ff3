import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '#libs/common';
import { matchesFilter, type Filter } from '../../filter.js';
import { buildMetadata } from '../../testing/chunk-builder.js';
import { anyFilter, anyMetadata } from '../../testing/filter-arbitraries.js';
import { factTerms } from './filter-facts.js';
import { FACTS_FIELD, filterQuery } from './filter-query.js';

/** What an engine does with the few kinds of query that `filterQuery` makes. */
function holds(query: JsonObject, terms: readonly string[]): boolean {
  const [[kind, body]] = Object.entries(query) as [[string, JsonObject]];
  if (kind === 'match_all') return true;
  if (kind === 'match_none') return false;
  if (kind === 'bool') return holdsBool(body, terms);
  const asked = body[FACTS_FIELD] as JsonValue;
  if (kind === 'term') return terms.includes(asked as string);
  if (kind === 'terms') return (asked as string[]).some((term) => terms.includes(term));
  if (kind === 'range') return terms.some((term) => isWithin(term, asked as Record<string, string>));
  if (kind === 'wildcard') return terms.some((term) => toPattern((asked as { value: string }).value).test(term));
  throw new Error(`Unknown query ${kind}`);
}

function holdsBool(body: JsonObject, terms: readonly string[]): boolean {
  const of = (name: string): JsonObject[] => (body[name] ?? []) as JsonObject[];
  const should = of('should');
  return (
    of('filter').every((inner) => holds(inner, terms)) &&
    !of('must_not').some((inner) => holds(inner, terms)) &&
    (should.length === 0 || should.some((inner) => holds(inner, terms)))
  );
}

function isWithin(term: string, bounds: Readonly<Record<string, string>>): boolean {
  const order = (bound: string): number => Buffer.compare(Buffer.from(term), Buffer.from(bound));
  return Object.entries(bounds).every(([type, bound]) => {
    if (type === 'gt') return order(bound) > 0;
    if (type === 'gte') return order(bound) >= 0;
    return type === 'lt' ? order(bound) < 0 : order(bound) <= 0;
  });
}

function toPattern(wildcard: string): RegExp {
  const parts = wildcard.match(/\\[\s\S]|[\s\S]/gu) ?? [];
  const source = parts.map((part) =>
    part === '*' ? '.*' : escapeForPattern(part.length > 1 ? part.replace(/^\\/, '') : part),
  );
  return new RegExp(`^${source.join('')}$`, 'su');
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

describe('filterQuery', () => {
  it('holds for the terms of a document just where the filter holds for the document', () => {
    fc.assert(
      fc.property(anyFilter, anyMetadata, (filter, metadata) => {
        expect(holds(filterQuery(filter), factTerms(metadata))).toBe(matchesFilter(filter, metadata));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a long text', 'abcdefghij'.repeat(100), true],
    ['a long text that is not there', `${'abcdefghij'.repeat(100)}x`, false],
    ['wildcards', String.raw`100% *?\ sure`, true],
    ['characters of two units at the border of two patterns', `${'y'.repeat(127)}${'\u{1F600}'.repeat(200)}`, true],
  ])('looks for %s inside a text', (_what, needle, expected) => {
    const text = `before ${'abcdefghij'.repeat(120)} 100% *?\\ sure ${'y'.repeat(200)}${'\u{1F600}'.repeat(300)} after`;
    const filter: Filter = { type: 'contains', key: 'metadata.text', value: needle };
    expect(holds(filterQuery(filter), factTerms(buildMetadata({ metadata: { text } })))).toBe(expected);
  });
});
