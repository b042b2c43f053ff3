import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { entityKeyOf } from './entity-key.js';
import { givenName } from './given-names.js';
import { LEGAL_FORM } from './name-cues.js';

/** A name at one place, before it is known which names are the same. */
export interface FoundName {
  readonly form: string;
  readonly type: GraphEntityType | null;
  readonly certain: boolean;
  /** Whether it only counts as a part of another name. */
  readonly aliasOnly?: boolean;
  /** Whether a title tells that it is a person. */
  readonly isTitled?: boolean;
  readonly start: number;
  readonly end: number;
  readonly sentence: number;
  readonly passage: number;
}

/** Names of the text that mean one thing. */
export interface KnownEntity {
  readonly key: string;
  readonly label: string;
  readonly type: GraphEntityType;
}

const SPACE = /[\s-]+/u;
const ORDER: readonly GraphEntityType[] = ['date', 'organisation', 'place', 'person', 'product', 'term'];
const LEAST_UNCERTAIN = 2;

/**
 * Decides which names are one entity: names with the same key, names that the text says are the same, and a single word that is part of exactly
 * one longer name. An entity has the type that most of its places show. Where none shows a type, a name that occurs at least twice is a term, and
 * a name that occurs once is dropped.
 * @param same short form to long form, both as keys
 */
export function resolveNames(names: readonly FoundName[], same: ReadonlyMap<string, string>): Map<string, KnownEntity> {
  const byKey = new Map<string, FoundName[]>();
  for (const name of names) {
    const key = entityKeyOf(name.form);
    if (key !== '') append(byKey, key, [name]);
  }
  const targetOf = aliasesOf(byKey, same);
  const groups = new Map<string, FoundName[]>();
  for (const [key, found] of byKey) {
    const target = targetOf(key);
    append(groups, target, found);
  }
  const known = new Map<string, KnownEntity>();
  for (const [target, found] of groups) {
    const isNamed =
      found.some(({ certain }) => certain) ||
      found.filter(({ aliasOnly }) => aliasOnly !== true).length >= LEAST_UNCERTAIN;
    if (!isNamed) continue;
    const own = found.filter(({ form }) => entityKeyOf(form) === target);
    known.set(target, { key: target, label: commonest(own.length > 0 ? own : found), type: typeOf(own, found) });
  }
  return new Map(
    [...byKey.keys()].flatMap((key) => {
      const entity = known.get(targetOf(key));
      return entity === undefined ? [] : [[key, entity] as const];
    }),
  );
}

function aliasesOf(
  byKey: ReadonlyMap<string, readonly FoundName[]>,
  same: ReadonlyMap<string, string>,
): (key: string) => string {
  const wholes = new Map<string, Set<string>>();
  for (const [key, found] of byKey) {
    if (!found.some(({ type, aliasOnly }) => type !== 'date' && type !== 'term' && aliasOnly !== true)) continue;
    const words = key.split(SPACE);
    if (words.length < 2) continue;
    for (const word of new Set(words)) wholes.set(word, (wholes.get(word) ?? new Set()).add(key));
  }
  const parts = new Map<string, string>(companiesInShort(byKey));
  for (const [key, found] of byKey) {
    const holders = [...(wholes.get(key) ?? [])].filter((whole) => agree(found, byKey.get(whole)!));
    if (holders.length === 1 && !parts.has(key)) parts.set(key, holders[0]!);
  }
  return (key) => {
    let target = key;
    for (let steps = 0; steps < 4; steps++) {
      const next = same.get(target) ?? parts.get(target);
      if (next === undefined || next === target || !byKey.has(next)) break;
      target = next;
    }
    return target;
  };
}

/**
 * The names of companies without their legal form, where the text has them too: `Kestrel Marine` is `Kestrel Marine Ltd`. Not where two companies
 * have that name, or where it is a place or a person as well.
 */
function companiesInShort(byKey: ReadonlyMap<string, readonly FoundName[]>): [string, string][] {
  const companies = new Map<string, string[]>();
  for (const [key, [found]] of byKey) {
    if (found?.type !== 'organisation') continue;
    const words = found.form.split(/,? /u);
    while (words.length > 1 && LEGAL_FORM.test(words.at(-1)!)) words.pop();
    const short = entityKeyOf(words.join(' '));
    if (short === key || words.length < 2 || isOther(words[0]!, byKey.get(short))) continue;
    companies.set(short, [...(companies.get(short) ?? []), key]);
  }
  return [...companies].flatMap(([short, keys]): [string, string][] => {
    const isOne = new Set(keys.map(withoutComma)).size === 1;
    return isOne ? [[short, keys[0]!]] : [];
  });
}

/** Whether a company's name without its legal form is missing, or names something else too. */
function isOther(first: string, found: readonly FoundName[] = []): boolean {
  const given = givenName(first.toLowerCase());
  const isElse = ({ type, isTitled }: FoundName): boolean =>
    type === 'place' || isTitled === true || (type === 'person' && given !== null);
  return found.length === 0 || given === 'sure' || found.some(isElse);
}

/** `Willow Creek, LLC` is `Willow Creek LLC`. */
const withoutComma = (key: string): string => key.replaceAll(',', '');

/** Whether a part may mean the whole: where something tells what it is, the whole is that too. `Leeds` is not `Leeds Infirmary`. */
function agree(part: readonly FoundName[], whole: readonly FoundName[]): boolean {
  const types = new Set(part.flatMap(({ type }) => type ?? []));
  return types.size === 0 || whole.some(({ type }) => type === null || types.has(type));
}

function typeOf(own: readonly FoundName[], all: readonly FoundName[]): GraphEntityType {
  for (const found of [own, all]) {
    const counts = new Map<GraphEntityType, number>();
    for (const { type } of found) if (type !== null) counts.set(type, (counts.get(type) ?? 0) + 1);
    const [best] = [...counts].sort(([a, m], [b, n]) => n - m || ORDER.indexOf(a) - ORDER.indexOf(b));
    if (best !== undefined) return best[0];
  }
  return 'term';
}

function append(into: Map<string, FoundName[]>, key: string, names: readonly FoundName[]): void {
  const list = into.get(key) ?? [];
  for (const name of names) list.push(name);
  into.set(key, list);
}

/** The form that most places have; the first of those that are as frequent. */
function commonest(found: readonly FoundName[]): string {
  const counts = new Map<string, number>();
  for (const { form } of found) counts.set(form, (counts.get(form) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}
