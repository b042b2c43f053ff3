import type { SearchOptions } from './search-options.js';

/** An option as the interface calls it, before and after; undefined where it is left to the dataset. */
export interface Change {
  readonly option: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What differs between two searches, each value by itself: `fusion.vector_weight`, not all of `fusion`. */
export function changesOf(before: SearchOptions, after: SearchOptions): readonly Change[] {
  const former = valuesOf(before);
  const present = valuesOf(after);
  const names = [...new Set([...former.keys(), ...present.keys()])];
  return names
    .filter((name) => former.get(name) !== present.get(name))
    .map((option) => ({ option, before: former.get(option), after: present.get(option) }));
}

/** Each value of options by itself, by its name in the interface. */
export function valuesOf(options: object, prefix = ''): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value) && name !== 'filters';
    if (isGroup) for (const [inner, text] of valuesOf(value, `${prefix}${name}.`)) values.set(inner, text);
    else values.set(prefix + name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return values;
}
