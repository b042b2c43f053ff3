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
