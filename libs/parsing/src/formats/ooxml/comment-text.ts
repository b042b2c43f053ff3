/** A remark of a reader about a place of a document. */
export interface Comment {
  author?: string;
  /** As the file has it, usually an ISO date. */
  date?: string;
  /** What it is about, for instance the address of a cell. */
  place?: string;
  text: string;
}

/** A comment as a paragraph of the text: `Comment by Ada (AL) on B3, 2026-01-05T10:00:00: …`. */
export function commentText({ author, date, place, text }: Comment): string {
  const by = author === undefined || author === '' ? '' : ` by ${author}`;
  const on = place === undefined ? '' : ` on ${place}`;
  const at = date === undefined || date === '' ? '' : `, ${date}`;
  return `Comment${by}${on}${at}: ${text.trim()}`;
}

/** A name with initials that are not in it already. */
export function authorName(name: string, initials: string | undefined): string {
  return initials === undefined || initials === '' || initials === name || name.includes(`(${initials})`)
    ? name
    : `${name} (${initials})`;
}
