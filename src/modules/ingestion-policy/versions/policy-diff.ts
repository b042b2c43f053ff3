import { canonicalJson, type JsonValue } from '#libs/common';
import type { PolicyChange } from '../schema/ingestion-policy.dto.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';

type Fields = Readonly<Record<string, JsonValue>>;

/** Every field that differs, in the order of the fields; a list is one value. */
export function diffPolicies(from: IngestionPolicy, to: IngestionPolicy): PolicyChange[] {
  return diffFields(from as unknown as Fields, to as unknown as Fields, '');
}

function diffFields(from: Fields, to: Fields, parent: string): PolicyChange[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name): PolicyChange[] => {
    const pointer = `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const before = from[name];
    const after = to[name];
    if (before === undefined) return [{ pointer, op: 'added', from: null, to: after ?? null }];
    if (after === undefined) return [{ pointer, op: 'removed', from: before, to: null }];
    if (isObject(before) && isObject(after)) return diffFields(before, after, pointer);
    return canonicalJson(before) === canonicalJson(after) ? [] : [{ pointer, op: 'changed', from: before, to: after }];
  });
}

function isObject(value: JsonValue): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
