/** Ids as a set: each once, in lower case and ascending order, as the database orders UUIDs. */
export function toIdSet<Id extends string>(ids: readonly string[]): Id[] {
  return [...new Set(ids.map((id) => id.toLowerCase() as Id))].sort();
}
