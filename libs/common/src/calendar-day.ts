/** Whether a text that begins as `2026-02-28` names a day that there is. The engine takes 30 February for a day of March. */
export function beginsWithDay(text: string): boolean {
  const day = text.slice(0, 10);
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
