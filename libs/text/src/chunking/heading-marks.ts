/** No line of marks is longer; what is longer is text. */
export const MAX_MARKS = 300;

const MARKS_BEFORE = /(?:^|\n)([ \t]*#{1,6}[ \t]+)$/;
const MARKS_AFTER = /^[ \t]*#*[ \t]*(?:\r?\n {0,3}(?:=+|-+)[ \t]*(?=\r?\n|$))?/;
const MARKS_AFTER_SO_FAR = /^[ \t]*#*[ \t]*(?:\r?\n? {0,3}(?:=*|-*)[ \t]*\r?)?$/;

/** How many units of Markdown's `#` are at the end of `before`, on the line on which a heading's words begin. */
export function marksBefore(before: string): number {
  return MARKS_BEFORE.exec(before.slice(-MAX_MARKS))?.[1]?.length ?? 0;
}

/**
 * How many units of closing `#` and underline follow the words of a heading; undefined when `after` is too short to tell, unless
 * it is all there is.
 */
export function marksAfter(after: string, isAll: boolean): number | undefined {
  const head = after.slice(0, MAX_MARKS);
  if (!isAll && after.length < MAX_MARKS && MARKS_AFTER_SO_FAR.test(head)) return undefined;
  const marks = MARKS_AFTER.exec(head)?.[0] ?? '';
  return /[#=-]/.test(marks) ? marks.trimEnd().length : 0;
}

const MAX_TITLE = 200;

/** The headings above a place in the text. */
export class HeadingPath {
  /** Outermost first; a new list after each heading. */
  titles: readonly string[] = [];
  private readonly open: { level: number; title: string }[] = [];

  /** Takes the next heading; one without words closes those of its level only. */
  enter(level: number, text: string): void {
    while ((this.open.at(-1)?.level ?? 0) >= level) this.open.pop();
    const title = titleOf(text);
    if (title !== '') this.open.push({ level, title });
    this.titles = this.open.map((heading) => heading.title);
  }
}

/** The words of a heading without Markdown's `#`, underlines and line breaks. */
function titleOf(text: string): string {
  return text
    .replace(/\n[=-]+\s*$/, '')
    .replace(/^\s*#{1,6}(?=\s)/, '')
    .replace(/\s#+\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE)
    .replace(/[\ud800-\udbff]$/, '');
}
