/**
 * The value of a claim that is named by its path: `realm_access.roles` is `roles` in the object `realm_access`. Names may hold dots
 * themselves (`https://example.com/roles`, the client `kb.example` in `resource_access.kb.example.roles`): of several ways to read a
 * path the one with the longest first name that leads somewhere counts. Undefined where none does.
 */
export function valueAt(claims: object, path: string): unknown {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = path.slice(0, end);
    const value: unknown = Object.hasOwn(claims, name) ? Reflect.get(claims, name) : undefined;
    if (end === path.length && value !== undefined) return value;
    if (isObject(value)) {
      const inner = valueAt(value, path.slice(end + 1));
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
