import { canonicalJson, type JsonObject, type JsonValue } from '#libs/common';
import type { ProfileChange, ProfileConfigChange } from '../runs/profile-scan.dto.js';

/** Every number that differs, with its pointer; list entries are identified by their value, and the named documents are ignored. */
export function diffProfiles(before: JsonObject, after: JsonObject): ProfileChange[] {
  const [old, present] = [numbersOf(before), numbersOf(after)];
  const pointers = [...new Set([...old.keys(), ...present.keys()])];
  return pointers.flatMap((pointer) => {
    const [from, to] = [old.get(pointer) ?? null, present.get(pointer) ?? null];
    if (from === to) return [];
    return [{ pointer, before: from, after: to, change: round((to ?? 0) - (from ?? 0)) }];
  });
}

/** Every field of two configurations that differs. */
export function diffConfigs(before: JsonObject, after: JsonObject): ProfileConfigChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    return canonicalJson(from) === canonicalJson(to) ? [] : [{ pointer: pointerTo('', name), before: from, after: to }];
  });
}

function numbersOf(profile: JsonObject): Map<string, number> {
  const found = new Map<string, number>();
  const visit = (value: JsonValue | undefined, pointer: string): void => {
    if (typeof value === 'number') found.set(pointer, value);
    else if (Array.isArray(value)) for (const entry of value) visitEntry(entry as JsonValue, pointer);
    else if (isObject(value)) for (const [name, inner] of Object.entries(value)) visit(inner, pointerTo(pointer, name));
  };
  const visitEntry = (entry: JsonValue, pointer: string): void => {
    if (isObject(entry) && typeof entry['type'] === 'string')
      visit(entry['findings'], pointerTo(pointer, entry['type']));
    if (isObject(entry) && typeof entry['value'] === 'string')
      visit(entry['documents'], pointerTo(pointer, entry['value']));
  };
  visit(profile, '');
  return found;
}

function pointerTo(parent: string, name: string): string {
  return `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
