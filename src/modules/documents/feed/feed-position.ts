import { validationFailed } from '#libs/http';

/** Time in milliseconds for which the id of an event is valid. */
export const RESUMED_MS = 60 * 60_000;
/** The position of an event whose id is no longer valid. */
export const LOST = Symbol('lost');
/** A position to begin at; null: now. */
export type FeedPlace = string | null | typeof LOST;
const EVENT_ID = /^(\d{1,20})-(\d{1,14})$/;

/** The id of an event: the position after it, and the time at which it was sent. */
export function eventIdAt(position: string, now: number): string {
  return `${position}-${now}`;
}

/**
 * The position after the event with this id; null if no id is given, `LOST` for an id that is no longer valid.
 * @throws `http.validation_failed` for a text that is no event id
 */
export function placeBehind(id: string | undefined, field: string, now: number): FeedPlace {
  if (id === undefined) return null;
  const [, position, at] = EVENT_ID.exec(id) ?? [];
  if (position === undefined || BigInt(position) >= 2n ** 63n) {
    const detail = `${field} must be the unchanged id of an event of this stream`;
    throw validationFailed([{ pointer: `/${field}`, code: 'is_event_id', detail }]);
  }
  return now - Number(at) > RESUMED_MS ? LOST : position;
}
