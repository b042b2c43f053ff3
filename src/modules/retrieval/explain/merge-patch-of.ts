import type { JsonObject, JsonValue } from '#libs/common';

/** The JSON Merge Patch (RFC 7396) that makes `before` into `after`. Neither may hold null, which a patch cannot write. */
export function mergePatchOf(before: JsonObject, after: JsonObject): JsonObject {
  const patch: Record<string, JsonValue> = {};
  for (const key of Object.keys(before)) if (after[key] === undefined) patch[key] = null;
  for (const [key, value] of Object.entries(after)) {
    const old = before[key];
    if (JSON.stringify(old) === JSON.stringify(value)) continue;
    patch[key] = isObject(value) ? mergePatchOf(isObject(old) ? old : {}, value) : value;
  }
  return patch;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
