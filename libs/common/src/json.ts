/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** JSON with sorted keys: equal values give equal text, so that it can be hashed. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(sortedMembers(inner))
      : inner,
  );
}

/** Sorted by their names alone: without a function that compares, which would be called for every pair. */
function sortedMembers(value: object): [string, unknown][] {
  const members = value as Readonly<Record<string, unknown>>;
  return Object.keys(members)
    .sort()
    .map((name) => [name, members[name]]);
}

/**
 * A name of a member that would change what an object is instead of what it holds: `__proto__`, or `constructor` with a `prototype` in it.
 * Undefined where there is none, at any depth.
 */
export function findForbiddenName(value: unknown): string | undefined {
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== 'object' || one === null) continue;
    if (Object.hasOwn(one, '__proto__')) return '__proto__';
    for (const name of Object.keys(one)) {
      const inner = (one as Readonly<Record<string, unknown>>)[name];
      if (name === 'constructor' && typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')) {
        return name;
      }
      left.push(inner);
    }
  }
  return undefined;
}
