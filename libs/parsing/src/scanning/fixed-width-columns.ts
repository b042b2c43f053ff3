/** Columns of a text of fixed width, as the groups of dashes below its header lie. */
export interface Ruler {
  readonly kind: 'ruler';
  /** Where each column begins and ends, in UTF-16 units of a line. */
  readonly groups: readonly { readonly start: number; readonly end: number }[];
}

const RULE = /^[\s|+:=_─━═-]*[-=_─━═]{3}[\s|+:=_─━═-]*$/;
const RULER = /^\s*[-=_─━═]{2,}(?:\s+[-=_─━═]{2,})+$/;

/** Whether a line has nothing but what draws a border. */
export function isRule(words: string): boolean {
  return RULE.test(words);
}

/** The columns that a line of dashes shows; undefined where it is none, or shows only one. */
export function rulerOf(words: string): Ruler | undefined {
  if (!RULER.test(words)) return undefined;
  const groups = [...words.matchAll(/\S+/g)].map(({ index, 0: group }) => ({
    start: index,
    end: index + group.length,
  }));
  return { kind: 'ruler', groups };
}

/** The cells of a line: it is cut between the groups of the ruler, never within a word that lies over such a gap. */
export function cutAt(words: string, { groups }: Ruler): string[] {
  const cells: string[] = [];
  let from = 0;
  for (const [at, { end }] of groups.entries()) {
    const next = groups[at + 1];
    const to = next === undefined ? words.length : Math.max(from, cutBetween(words, end, next.start));
    cells.push(words.slice(from, to).trim());
    from = to;
  }
  return cells;
}

/** The blank in a gap, or else the nearest one beside it. */
function cutBetween(words: string, end: number, start: number): number {
  for (let at = end; at < start; at += 1) if ((words[at] ?? ' ') === ' ') return at;
  const left = words.lastIndexOf(' ', end);
  const right = words.indexOf(' ', start);
  if (left < 0) return right < 0 ? words.length : right;
  return right < 0 || end - left <= right - start ? left : right;
}
