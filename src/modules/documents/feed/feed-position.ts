import { validationFailed } from '#libs/http';

/** How long an id of an event leads back to its place; milliseconds. */
export const RESUMED_MS = 60 * 60_000;
/** The place of an event that was told too long ago. */
export const LOST = Symbol('lost');
/** A place to begin at: null is now. */
export type FeedPlace = string | null | typeof LOST;
const EVENT_ID = /^(\d{1,20})-(\d{1,14})$/;

/** The id of an event: the place behind it, and when that was told. */
export function eventIdAt(position: string, now: number): string {
  return `${position}-${now}`;
}

/**
 * The place behind the event with an id; null where none is named, and `LOST` for one that was told too long ago.
 * @throws `http.validation_failed` for what is no id of an event
 */
export function placeBehind(id: string | undefined, field: string, now: number): FeedPlace {
  if (id === undefined) return null;
  const [, position, at] = EVENT_ID.exec(id) ?? [];
  if (position === undefined || BigInt(position) >= 2n ** 63n) {
    const detail = `${field} must be the id of an event of this stream, as it was`;
    throw validationFailed([{ pointer: `/${field}`, code: 'is_event_id', detail }]);
  }
  return now - Number(at) > RESUMED_MS ? LOST : position;
}
