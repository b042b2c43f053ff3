import type { ParsedPage } from '@llamaindex/liteparse';

const EASTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const LEAST_CHARACTERS = 20;
/** Lines of vertical text lie as close as its characters, those of horizontal text further apart. */
const CLOSE_LINES = 1.2;
/** Characters of one line are in different columns. */
const WIDE_CHARACTERS = 1.25;
const MOST_LINES = 2_000;

/**
 * Whether most of a page is Chinese or Japanese set in columns from top to bottom. Such text is read line by line, across its columns: its lines
 * lie one character apart, and the characters of a line are further apart than they are wide.
 */
export function isVertical({ textItems }: Pick<ParsedPage, 'textItems'>): boolean {
  const lines = textItems.slice(0, MOST_LINES).flatMap(({ text, y, width, fontSize }) => {
    const count = text.match(EASTERN)?.length ?? 0;
    const isEastern = count > 0 && count * 2 >= text.replace(/\s+/g, '').length && fontSize !== undefined;
    return isEastern ? [{ count, y, width, size: fontSize }] : [];
  });
  const characters = lines.reduce((sum, { count }) => sum + count, 0);
  if (characters < LEAST_CHARACTERS) return false;
  const vertical = lines.filter(({ count, y, width, size }, at) => {
    const neighbour = lines[at + 1] ?? lines[at - 1];
    const pitch = neighbour === undefined ? Infinity : Math.abs(neighbour.y - y);
    const isStacked = pitch > size / 2 && pitch <= size * CLOSE_LINES;
    return isStacked && (count === 1 || width >= count * size * WIDE_CHARACTERS);
  });
  return vertical.reduce((sum, { count }) => sum + count, 0) * 2 > characters;
}
