import type { JsonObject } from '#libs/common';

/** The body of a message: `type`, `timestamp` and `data`, as Standard Webhooks requires; the same bytes in every attempt. */
export function messageBody(type: string, at: Date, data: JsonObject): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
