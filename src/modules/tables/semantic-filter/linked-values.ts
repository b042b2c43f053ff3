import type { FilterScalar } from '#libs/vector-store';
import { equals, type FactTest } from './fact-condition.js';
import { foldWords, type FactKey } from './fact-schema.js';

/** Words of a clause that only say that something is the case. */
const FRAME = new Set(
  'is are was were be a an the of from in by at belongs belong to comes come it its document documents file files row rows entry marked classified as filed under kind type and ist sind ein eine einer von aus der die das es un una de del la el los'.split(
    ' ',
  ),
);
/** What someone has is seldom what he is: the key must be named. */
const HAVING = new Set(['has', 'have', 'with', 'hat', 'mit', 'tiene', 'con']);
/** Shorter values must be there as they are written: `IT` is no `it`. */
const EXACT_CHARS = 3;
const VALUE_WORDS = 4;

interface Choice {
  readonly fact: FactKey;
  readonly value: FilterScalar;
}

/**
 * A clause that is made of values and names of keys alone: “is an open ticket”, “comes from the finance department”, “is paid”. Undefined where a
 * word is neither, or a value is under several keys of which none is named.
 */
export function readLinkedValues(clause: string, keys: readonly FactKey[]): FactTest[] | undefined {
  const raw = clause.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const words = raw.map(foldWords);
  const named = new Set(keys.filter(({ names }) => names.some((name) => ` ${words.join(' ')} `.includes(` ${name} `))));
  const choices = choicesOf(keys);
  const tests: FactTest[] = [];
  for (let at = 0; at < words.length;) {
    const found = choiceAt(words, raw, at, choices);
    if (found !== undefined) {
      const one = pickOne(found.choices, named);
      if (one === undefined) return undefined;
      tests.push(equals(one.fact.key, one.value, 'unknown'));
      at += found.words;
    } else if (isFrame(words[at]!, named, tests.length > 0)) at += 1;
    else return undefined;
  }
  const isHad = words.some((word) => HAVING.has(word));
  const keysTested = new Set(tests.map(({ key }) => key));
  if (tests.length === 0 || keysTested.size < tests.length) return undefined;
  return isHad && ![...named].some(({ key }) => keysTested.has(key)) ? undefined : tests;
}

const choicesByKeys = new WeakMap<readonly FactKey[], ReadonlyMap<string, readonly Choice[]>>();

function choicesOf(keys: readonly FactKey[]): ReadonlyMap<string, readonly Choice[]> {
  const known = choicesByKeys.get(keys);
  if (known !== undefined) return known;
  const all = new Map<string, Choice[]>();
  choicesByKeys.set(keys, all);
  const add = (form: string, choice: Choice): unknown => all.set(form, [...(all.get(form) ?? []), choice]);
  for (const fact of keys) {
    // “is paid”: what holds or not is told by its name.
    const told = fact.kind === 'boolean' ? fact.names.filter((name) => !FRAME.has(name)) : [];
    for (const name of told) add(name, { fact, value: true });
    if (fact.kind !== 'text') continue;
    for (const [folded, value] of fact.choices) {
      for (const form of new Set([folded, singularOf(folded)])) add(form, { fact, value });
    }
  }
  return all;
}

function choiceAt(
  words: readonly string[],
  raw: readonly string[],
  at: number,
  choices: ReadonlyMap<string, readonly Choice[]>,
): { readonly choices: readonly Choice[]; readonly words: number } | undefined {
  for (let count = Math.min(VALUE_WORDS, words.length - at); count > 0; count -= 1) {
    const text = words.slice(at, at + count).join(' ');
    const found = (choices.get(text) ?? choices.get(singularOf(text)) ?? []).filter(
      ({ value }) => value === true || text.length > EXACT_CHARS || raw.slice(at, at + count).join(' ') === value,
    );
    if (found.length > 0) return { choices: found, words: count };
  }
  return undefined;
}

function pickOne(choices: readonly Choice[], named: ReadonlySet<FactKey>): Choice | undefined {
  const ofNamed = choices.filter(({ fact }) => named.has(fact));
  const left = ofNamed.length > 0 ? ofNamed : choices;
  return left.length === 1 ? left[0] : undefined;
}

function isFrame(word: string, named: ReadonlySet<FactKey>, hasValue: boolean): boolean {
  if (FRAME.has(word) || HAVING.has(word)) return true;
  if ([...named].some(({ names }) => names.some((name) => name.split(' ').includes(word)))) return true;
  return hasValue && word === 'items';
}

function singularOf(folded: string): string {
  if (folded.endsWith('ies')) return `${folded.slice(0, -3)}y`;
  return folded.endsWith('s') && !folded.endsWith('ss') ? folded.slice(0, -1) : folded;
}
