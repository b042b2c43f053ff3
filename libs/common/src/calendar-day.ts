/** Whether a text that begins as `2026-02-28` names a day that there is. The engine takes 30 February for a day of March. */
function beginsWithDay(text: string): boolean {
  const day = text.slice(0, 10);
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a text in the form of RFC 3339 names a moment of the years 1 to 9999 (UTC): the engine reads no leap second, and the database no other year. */
export function isMoment(text: string): boolean {
  const time = Date.parse(text);
  return time >= FIRST && time <= LAST && beginsWithDay(text);
}

/** Whether a text is such a moment as the service itself writes it. */
export function isWrittenMoment(text: string): boolean {
  return isMoment(text) && new Date(text).toISOString() === text;
}
