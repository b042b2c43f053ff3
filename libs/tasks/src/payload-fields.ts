import { isUuid, type JsonObject } from '#libs/common';

/** A field of a payload that must hold an id. @throws TypeError */
export function readId(payload: JsonObject, field: string): string {
  const value = payload[field];
  if (!isUuid(value)) throw new TypeError(`${field} must be an id.`);
  return value;
}
