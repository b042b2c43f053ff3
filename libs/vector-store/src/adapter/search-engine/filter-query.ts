import { assertNever, type JsonObject } from '#libs/common';
import { isAlwaysPresent, type Filter, type FilterCondition, type FilterScalar } from '../../filter.js';
import { factTerm, typedValue, type FactKind } from './filter-facts.js';

/** The field with the terms of `factTerms`. */
export const FACTS_FIELD = 'facts';

const EVERYTHING: JsonObject = { match_all: {} };
const NOTHING: JsonObject = { match_none: {} };
/** UTF-16 units of a substring in one pattern: engines refuse patterns that are long and repeat themselves. */
const NEEDLE_PIECE = 256;

/** A filter as a query over `FACTS_FIELD` that matches exactly where `matchesFilter` does. */
export function filterQuery(filter: Filter): JsonObject {
  switch (filter.type) {
    case 'and':
      return allOf(filter.filters.map(filterQuery));
    case 'or':
      return anyOf(filter.filters.map(filterQuery));
    case 'not':
      return filter.filters.length === 0 ? EVERYTHING : { bool: { must_not: filter.filters.map(filterQuery) } };
    default:
      return conditionQuery(filter);
  }
}

function conditionQuery(condition: FilterCondition): JsonObject {
  const { key } = condition;
  switch (condition.type) {
    case 'exists':
      return (condition.value ?? true) ? exists(key) : not(exists(key));
    case 'eq':
      return among(key, [condition.value]);
    case 'ne':
      return not(among(key, [condition.value]));
    case 'in':
      return among(key, condition.value);
    case 'nin':
      return not(among(key, condition.value));
    case 'contains':
      return contains(key, condition.value);
    case 'starts_with':
      return atAnEnd(key, condition.value, 'beginning');
    case 'ends_with':
      return atAnEnd(key, condition.value, 'end');
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ordered(key, condition.type, condition.value);
    default:
      return assertNever(condition);
  }
}

/** Rows of former versions have no term for an empty list of tags. */
function exists(key: string): JsonObject {
  return isAlwaysPresent(key) ? EVERYTHING : term(factTerm('e', key));
}

function among(key: string, values: readonly FilterScalar[]): JsonObject {
  const terms = values.flatMap((value) => {
    const typed = typedValue(key, value);
    return typed === undefined ? [] : [factTerm(typed.kind, key, typed.text)];
  });
  return terms.length === 0 ? NOTHING : { terms: { [FACTS_FIELD]: terms } };
}

function ordered(key: string, type: 'gt' | 'gte' | 'lt' | 'lte', value: FilterScalar): JsonObject {
  const typed = typedValue(key, value);
  if (typed === undefined || typed.kind === 'b') return NOTHING;
  const bound = factTerm(typed.kind, key, typed.text);
  const isLower = type === 'gt' || type === 'gte';
  const other: JsonObject = isLower ? { lt: after(typed.kind, key) } : { gte: factTerm(typed.kind, key) };
  return { range: { [FACTS_FIELD]: { ...other, [type]: bound } } };
}

function contains(key: string, value: FilterScalar): JsonObject {
  if (key === 'created_at') return NOTHING;
  const typed = typedValue(key, value);
  const member = typed === undefined ? NOTHING : term(factTerm('m', key, `${typed.kind}${typed.text}`));
  return typeof value === 'string' ? anyOf([member, substringOf('c', key, value)]) : member;
}

/** Every string has a term of the kind `s`, members of lists too. A long needle is one piece at its end, and pieces anywhere. */
function atAnEnd(key: string, value: FilterScalar, where: 'beginning' | 'end'): JsonObject {
  if (key === 'created_at' || typeof value !== 'string') return NOTHING;
  const prefix = escaped(factTerm('s', key));
  const piece = wholeCharacters(where === 'beginning' ? value.slice(0, NEEDLE_PIECE) : value.slice(-NEEDLE_PIECE));
  const pattern = where === 'beginning' ? `${prefix}${escaped(piece)}*` : `${prefix}*${escaped(piece)}`;
  const ends: JsonObject = { wildcard: { [FACTS_FIELD]: { value: pattern } } };
  return value.length <= NEEDLE_PIECE ? ends : allOf([ends, substringOf('s', key, value)]);
}

/** A long needle is looked for in pieces that overlap by half: only a text that repeats itself holds all of them and not the whole. */
function substringOf(kind: FactKind, key: string, needle: string): JsonObject {
  const prefix = escaped(factTerm(kind, key));
  const patterns: JsonObject[] = [];
  for (let start = 0; start === 0 || start + NEEDLE_PIECE / 2 < needle.length; start += NEEDLE_PIECE / 2) {
    const piece = wholeCharacters(needle.slice(start, start + NEEDLE_PIECE));
    patterns.push({ wildcard: { [FACTS_FIELD]: { value: `${prefix}*${escaped(piece)}*` } } });
    if (start + NEEDLE_PIECE >= needle.length) break;
  }
  return allOf(patterns);
}

/** Without halves of characters at its ends. */
function wholeCharacters(piece: string): string {
  return piece.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\*?]/g, String.raw`\$&`);
}

/** The first term behind all terms of a kind and key. */
function after(kind: FactKind, key: string): string {
  return `${factTerm(kind, key).slice(0, -1)}\u0001`;
}

function term(value: string): JsonObject {
  return { term: { [FACTS_FIELD]: value } };
}

function not(query: JsonObject): JsonObject {
  return { bool: { must_not: [query] } };
}

function allOf(queries: readonly JsonObject[]): JsonObject {
  return queries.length === 0 ? EVERYTHING : { bool: { filter: queries } };
}

function anyOf(queries: readonly JsonObject[]): JsonObject {
  return queries.length === 0 ? NOTHING : { bool: { should: queries, minimum_should_match: 1 } };
}
