import type { Filter, FilterScalar } from '#libs/vector-store';
import { readDateSpan, type DateSpan } from './date-words.js';
import { foldWords, type FactKey } from './fact-schema.js';
import { equals, type FactCondition, type FactTest } from './fact-condition.js';
import { languageNamed, mediaTypesNamed } from './named-facts.js';
import { readLinkedValues } from './linked-values.js';

/** Subjects of predicates: keys with their values, and whether languages, types, tags and times of documents are included. */
export interface FactVocabulary {
  readonly keys: readonly FactKey[];
  readonly ofDocuments: boolean;
}

type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains';

const OPERATORS: readonly (readonly [RegExp, Comparison])[] = [
  [/^(?:is |are |was )?(?:not less than|at least|>=|≥|no less than|from|since|starting from|mindestens) (.+)$/i, 'gte'],
  [/^(?:is |are |was )?(?:not more than|at most|<=|≤|no more than|no later than|up to|until|höchstens) (.+)$/i, 'lte'],
  [
    /^(?:is |are |was )?(?:(?:greater|more|higher|larger|bigger|later|newer|longer|older) than|above|over|after|exceeds?|exceeding|>|über|nach) (.+)$/i,
    'gt',
  ],
  [
    /^(?:is |are |was )?(?:(?:less|fewer|lower|smaller|earlier|shorter) than|below|under|before|prior to|<|unter|vor) (.+)$/i,
    'lt',
  ],
  [/^(?:contains?|includes?|enthält) (.+)$/i, 'contains'],
  [/^(?:(?:is|are|was|equals?|equal to|ist|es|in|on)(?: equal to)? |(?:==?|:) ?)(.+)$/i, 'eq'],
];
const BETWEEN = /^(?:is |are |was )?(?:between|from) (.+?) (?:and|to) (.+)$/i;
const PRESENT = /^(?:is |are )?(?:known|set|given|present|available|exists?)$/i;
const ABSENT = /^(?:is |are )?(?:empty|missing|unknown|not (?:set|given|known|present)|null)$/i;
const HAS_KEY = /^(?:has|have) (?:an? |the |any )?(.+)$/i;
const TAGGED = /^(?:(?:is |are )?tagged(?: as| with)?|has the tag|tags? (?:is|are|contains?|includes?)) (.+)$/i;
const DATED =
  /^(?:is |are |was |were )?(?:(dated|issued|signed|published|written|drafted|created|made|uploaded|added|ingested|imported)\b ?)?(.+)$/i;
const WHEN: readonly (readonly [RegExp, 'after' | 'since' | 'before' | 'until' | 'in'])[] = [
  [/^(?:after|later than|newer than|more recent than|nach|después de) (.+)$/i, 'after'],
  [/^(?:since|from) (.+?)(?: on| onwards| onward| or later)$/i, 'since'],
  [/^(?:since|seit|desde) (.+)$/i, 'since'],
  [/^(?:before|earlier than|older than|prior to|vor|antes de) (.+)$/i, 'before'],
  [/^(?:until|up to|by|no later than|bis|hasta) (.+)$/i, 'until'],
  [/^(?:in|from|of|on|during|for|aus|vom|im|de|en) (.+)$/i, 'in'],
];
const OF_STORAGE = /uploaded|added|ingested|imported/i;

/** Reads a clause as conditions over metadata or columns; undefined where it is about anything else. Pure. */
export function readFactCondition(clause: string, vocabulary: FactVocabulary): FactCondition | undefined {
  const test =
    readKeyClause(clause, vocabulary) ??
    readDates(clause, vocabulary) ??
    (vocabulary.ofDocuments ? readFixedFacts(clause) : undefined);
  if (test !== undefined) return { tests: [test] };
  const linked = readLinkedValues(clause, vocabulary.keys);
  return linked === undefined ? undefined : { tests: linked };
}

/** “department is finance”, “metadata.pages > 10”, “has a status”. */
function readKeyClause(clause: string, { keys, ofDocuments }: FactVocabulary): FactTest | undefined {
  const bare = clause.replace(/^(?:its|the|their|his|her) /i, '').replace(/^metadata\./i, '');
  const has = HAS_KEY.exec(bare)?.[1];
  if (has !== undefined) {
    const named = keys.find(({ names }) => names.includes(foldWords(has)));
    return named === undefined ? undefined : exists(named.key, true);
  }
  const words = bare.split(' ');
  for (let count = Math.min(6, words.length - 1); count > 0; count -= 1) {
    if (foldWords(words[count - 1]!) === '') continue;
    const name = foldWords(words.slice(0, count).join(' '));
    const found = keys.find(({ names }) => names.includes(name));
    const rest = words.slice(count).join(' ');
    if (found !== undefined) return readComparison(found, rest);
    if (ofDocuments && name === 'language') return readLanguage(rest.replace(/^(?:is|=|==) ?/i, ''));
  }
  const [, key, rest] = /^([^\s:=<>]+)\s*([:=<>].*)$/.exec(bare) ?? [];
  const named = keys.find(({ names }) => names.includes(foldWords(key ?? '')));
  return named === undefined || rest === undefined
    ? undefined
    : readComparison(named, rest.replace(/^([:=<>]+) ?/, '$1 '));
}

function readComparison(fact: FactKey, rest: string): FactTest | undefined {
  if (PRESENT.test(rest)) return exists(fact.key, true);
  if (ABSENT.test(rest)) return exists(fact.key, false);
  const isNot = /^(?:(?:is|are|was|does)(?: not|n['’]t)|!=|<>|≠) (.+)$/i.exec(rest)?.[1];
  if (isNot !== undefined) {
    const inner = readComparison(fact, `is ${isNot}`);
    return inner && { ...inner, filters: [{ type: 'not', filters: [{ type: 'and', filters: inner.filters }] }] };
  }
  const [, low, high] = BETWEEN.exec(rest) ?? [];
  if (low !== undefined && high !== undefined) {
    const filters = [...(boundsOf(fact, 'gte', low) ?? []), ...(boundsOf(fact, 'lte', high) ?? [])];
    if (filters.length === 2) return { key: fact.key, filters, missing: 'as_filtered' };
  }
  for (const [pattern, comparison] of OPERATORS) {
    const value = pattern.exec(rest)?.[1];
    if (value === undefined) continue;
    const filters = boundsOf(fact, comparison, value.trim());
    return filters && { key: fact.key, filters, missing: 'as_filtered' };
  }
  return undefined;
}

function boundsOf(fact: FactKey, comparison: Comparison, text: string): Filter[] | undefined {
  const { key, kind, choices } = fact;
  const value = text.replace(/^["'“”„]|["'“”]$/gu, '').replace(/^(?:an?|the) /i, '');
  if (kind === 'date' || kind === 'year') {
    const span = readDateSpan(value);
    return (
      span &&
      dateFilters(
        fact,
        span,
        ({ eq: 'in', gt: 'after', gte: 'since', lt: 'before', lte: 'until', contains: 'in' } as const)[comparison],
      )
    );
  }
  if (comparison === 'contains') {
    const folded = foldWords(value);
    const found = [...choices].filter(([each]) => each.includes(folded)).map(([, choice]) => choice);
    return folded !== '' && choices.size > 0 && found.length > 0
      ? [{ type: 'in', key, value: found }]
      : [{ type: 'contains', key, value }];
  }
  if (kind === 'number') {
    const number = numberOf(value);
    return number === undefined ? undefined : [{ type: comparison, key, value: number }];
  }
  if (comparison !== 'eq') return undefined;
  const listed = value.split(/,? or |, /i).map((each) => choices.get(foldWords(each)));
  if (listed.length > 1 && listed.every((each) => each !== undefined)) return [{ type: 'in', key, value: listed }];
  // A longer value that no document has is rather a statement that begins with the key's name.
  const known = choices.get(foldWords(value)) ?? (isValue(value) ? value : undefined);
  return known === undefined ? undefined : [{ type: 'eq', key, value: known }];
}

function isValue(text: string): boolean {
  return text.split(' ').length <= 3 && !/(?:^|,? )(?:and|or|but|und|oder|that|which|with)(?: |$)/i.test(text);
}

/** A number as people write it, thousands signs and a unit behind it included. */
function numberOf(text: string): number | undefined {
  const found =
    /^[€$£]?\s*(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s*(k|thousand|million|m|bn|billion)?\b\s*(?:[€$£%]|[a-z]{1,12})?$/i.exec(
      text.trim(),
    );
  if (found === null) return undefined;
  const factor = { k: 1e3, thousand: 1e3, million: 1e6, m: 1e6, bn: 1e9, billion: 1e9 }[(found[2] ?? '').toLowerCase()];
  return Number(found[1]!.replaceAll(',', '')) * (factor ?? 1);
}

/** “after 2023”, “was signed in June 2024”, “between 2022 and 2024”. */
function readDates(clause: string, { keys, ofDocuments }: FactVocabulary): FactTest | undefined {
  const [, verb, rest] = DATED.exec(clause.trim()) ?? [];
  if (rest === undefined) return undefined;
  const fact = dateKeyOf(verb, keys, ofDocuments);
  if (fact === undefined) return undefined;
  const [, low, high] = BETWEEN.exec(rest) ?? [];
  const [first, last] = [readDateSpan(low ?? ''), readDateSpan(high ?? '')];
  if (first !== undefined && last !== undefined) {
    const filters = dateFilters(fact, { from: first.from, to: last.to }, 'in');
    return filters && { key: fact.key, filters, missing: 'unknown' };
  }
  for (const [pattern, when] of WHEN) {
    const span = readDateSpan(pattern.exec(rest)?.[1] ?? '');
    const filters = span && dateFilters(fact, span, when);
    if (filters !== undefined) return { key: fact.key, filters, missing: 'unknown' };
  }
  const plain = verb === undefined ? undefined : readDateSpan(rest);
  const filters = plain && dateFilters(fact, plain, 'in');
  return filters && { key: fact.key, filters, missing: 'unknown' };
}

/** The only key of dates, or the one that is called so; the time of upload where the clause speaks of that. */
function dateKeyOf(verb: string | undefined, keys: readonly FactKey[], ofDocuments: boolean): FactKey | undefined {
  const stored: FactKey = { key: 'created_at', names: [], kind: 'date', choices: new Map() };
  if (OF_STORAGE.test(verb ?? '')) return ofDocuments ? stored : undefined;
  const dates = keys.filter(({ kind }) => kind === 'date' || kind === 'year');
  if (dates.length === 1) return dates[0];
  const named = dates.find(({ names }) => names.includes('date'));
  return named ?? (verb?.toLowerCase() === 'created' && ofDocuments && dates.length === 0 ? stored : undefined);
}

function dateFilters(
  { key, kind, choices }: FactKey,
  { from, to }: DateSpan,
  when: 'after' | 'since' | 'before' | 'until' | 'in',
): Filter[] | undefined {
  const isYear = kind === 'year';
  if (isYear && !(from.endsWith('-01-01') && to.endsWith('-01-01'))) return undefined;
  const isNumber = [...choices.values()].some((value) => typeof value === 'number');
  const bound = (day: string): FilterScalar => {
    if (key === 'created_at') return `${day}T00:00:00Z`;
    const year = day.slice(0, 4);
    return isYear ? (isNumber ? Number(year) : year) : day;
  };
  const since: Filter = { type: 'gte', key, value: bound(when === 'after' ? to : from) };
  const before: Filter = { type: 'lt', key, value: bound(when === 'before' ? from : to) };
  if (when === 'in') return [since, before];
  return when === 'after' || when === 'since' ? [since] : [before];
}

function readFixedFacts(clause: string): FactTest | undefined {
  const tag = TAGGED.exec(clause)?.[1]?.replace(/^["'“]|["'”]$/gu, '');
  if (tag !== undefined) {
    return { key: 'tags', filters: [{ type: 'contains', key: 'tags', value: tag }], missing: 'as_filtered' };
  }
  const language = readLanguage(clause);
  if (language !== undefined) return language;
  const types = mediaTypesNamed(clause);
  return types && { key: 'media_type', filters: [{ type: 'in', key: 'media_type', value: types }], missing: 'unknown' };
}

function readLanguage(clause: string): FactTest | undefined {
  const language = languageNamed(clause);
  return language === undefined ? undefined : equals('language', language, 'unknown');
}

function exists(key: string, value: boolean): FactTest {
  return { key, filters: [{ type: 'exists', key, value }], missing: 'as_filtered' };
}
