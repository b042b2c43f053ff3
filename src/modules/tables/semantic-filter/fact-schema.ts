import type { Steps } from '#libs/common';
import type { ChunkMetadata, FilterScalar, MetadataValue } from '#libs/vector-store';

/** More different values than this, and a key is no small set of choices. */
const CHOICES_MAX = 100;
const CHOICE_CHARS = 64;
const ISO_DATE = /^\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d.*)?$/;
const YEAR = /^(?:19|20)\d\d$/;

export type FactKind = 'text' | 'number' | 'boolean' | 'date' | 'year';

/** What is known of the values under one key. */
export interface FactKey {
  /** As filters name it. */
  readonly key: string;
  /** What people call it, folded: its name in words, and its label. */
  readonly names: readonly string[];
  readonly kind: FactKind;
  /** Values by their folded text; empty where there are too many. */
  readonly choices: ReadonlyMap<string, FilterScalar>;
}

/** Lower case, without diacritics, words parted by one space. */
export function foldWords(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\u0300-\u036f]+/gu, '');
  return (plain.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ');
}

/** The keys of metadata, or of the columns of a table, that are under `metadata`. */
export function* schemaOf(
  facts: readonly Pick<ChunkMetadata, 'metadata'>[],
  labels: ReadonlyMap<string, string> = new Map(),
): Steps<FactKey[]> {
  const seen = new Map<string, FilterScalar[]>();
  for (const { metadata } of facts) {
    for (const [name, value] of Object.entries(metadata)) {
      const list = seen.get(name) ?? [];
      list.push(...membersOf(value));
      seen.set(name, list);
    }
    yield;
  }
  const keys: FactKey[] = [];
  for (const [name, values] of seen) {
    const names = [...new Set([foldWords(name), foldWords(labels.get(name) ?? name)])].filter((each) => each !== '');
    keys.push({ key: `metadata.${name}`, names, kind: kindOf(name, values), choices: choicesOf(values) });
    yield;
  }
  return keys;
}

function membersOf(value: MetadataValue): FilterScalar[] {
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  return members.filter((member): member is FilterScalar => ['string', 'number', 'boolean'].includes(typeof member));
}

function kindOf(name: string, values: readonly FilterScalar[]): FactKind {
  const all = (test: (value: FilterScalar) => boolean): boolean => values.length > 0 && values.every(test);
  if (all((value) => typeof value === 'boolean')) return 'boolean';
  if (all((value) => ISO_DATE.test(String(value)))) return 'date';
  if (/year|jahr|año|date/i.test(name) && all((value) => YEAR.test(String(value)))) return 'year';
  return all((value) => typeof value === 'number') ? 'number' : 'text';
}

function choicesOf(values: readonly FilterScalar[]): ReadonlyMap<string, FilterScalar> {
  const choices = new Map<string, FilterScalar>();
  for (const value of values) {
    const text = String(value);
    const folded = foldWords(text);
    if (text.length > CHOICE_CHARS || folded === '') continue;
    if (!choices.has(folded)) choices.set(folded, value);
    if (choices.size > CHOICES_MAX) return new Map();
  }
  return choices;
}
