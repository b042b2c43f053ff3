import type { LayoutBlock, LayoutCell, ParsedPage, TextItem } from '@llamaindex/liteparse';

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTERS = /\p{L}/gu;
const RIGHT_TO_LEFT_LETTERS = new RegExp(RIGHT_TO_LEFT, 'gu');
/** A page with more lines is as the layout has it. */
const MOST_ITEMS = 2_000;

/** What is known of the place of a word. */
type PlacedWord = Pick<TextItem, 'text' | 'x'>;

/**
 * A page with the words of right-to-left lines in the order in which they are read: the layout puts the words of each line from the left to the right, and
 * has only the letters of each word in their order. `readWords` gives the items of the page with the places of their words.
 */
export async function inReadingOrder(
  page: ParsedPage,
  readWords: (page: number) => Promise<readonly TextItem[]>,
): Promise<ParsedPage> {
  if (!RIGHT_TO_LEFT.test(page.text) || page.textItems.length > MOST_ITEMS) return page;
  const isRightToLeft = isMostlyRightToLeft(page.text);
  const turned = new Map<string, string>();
  for (const { text, words = [] } of await readWords(page.pageNum)) {
    if (!RIGHT_TO_LEFT.test(text) || words.length < 2) continue;
    const drawn = words.map((word) => word.text).join(' ');
    const read = wordsInReadingOrder(words, isRightToLeft).join(' ');
    if (drawn === text && read !== text) turned.set(text, read);
  }
  if (turned.size === 0) return page;
  // Longer ones first: a line may be the beginning of another one.
  const lines = [...turned].toSorted(([one], [other]) => other.length - one.length);
  const turn = (text: string): string => withTurned(text, lines);
  return {
    ...page,
    text: turn(page.text),
    textItems: page.textItems.map((item) => ({ ...item, text: turned.get(item.text) ?? item.text })),
    ...(page.blocks !== undefined && { blocks: page.blocks.map((block) => turnedBlock(block, turn)) }),
  };
}

/**
 * The words of a line as they are read, given from the left to the right; those that are in another order already stay as they are. A line goes the way
 * of most of its words, or that of its page.
 */
export function wordsInReadingOrder(words: readonly PlacedWord[], isPageRightToLeft = true): string[] {
  const texts = words.map(({ text }) => text);
  if (words.some(({ x }, at) => at > 0 && x < words[at - 1]!.x)) return texts;
  const others = texts.filter((text) => /\p{L}/u.test(text));
  const turned = others.filter((text) => RIGHT_TO_LEFT.test(text)).length;
  const isRightToLeft = turned * 2 === others.length ? isPageRightToLeft : turned * 2 > others.length;
  return isRightToLeft
    ? withTurnedRuns(texts.toReversed(), (text) => !RIGHT_TO_LEFT.test(text) && /\p{L}/u.test(text))
    : withTurnedRuns(texts, (text) => RIGHT_TO_LEFT.test(text));
}

function isMostlyRightToLeft(text: string): boolean {
  return (text.match(RIGHT_TO_LEFT_LETTERS)?.length ?? 0) * 2 > (text.match(LETTERS)?.length ?? 0);
}

/** Words with the runs turned that go the other way; numbers and marks between two words of a run belong to it. */
function withTurnedRuns(texts: readonly string[], isOther: (text: string) => boolean): string[] {
  const turned: string[] = [];
  for (let at = 0; at < texts.length;) {
    let end = at;
    for (let next = at; next < texts.length && (isOther(texts[next]!) || !/\p{L}/u.test(texts[next]!)); next += 1) {
      if (isOther(texts[next]!)) end = next + 1;
    }
    if (!isOther(texts[at]!) || end === at) end = at + 1;
    turned.push(...texts.slice(at, end).toReversed());
    at = end;
  }
  return turned;
}

function withTurned(text: string, lines: readonly (readonly [string, string])[]): string {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  const parts: { text: string; isDone: boolean }[] = [{ text, isDone: false }];
  for (const [drawn, read] of lines) {
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at]!;
      const found = part.isDone ? -1 : part.text.indexOf(drawn);
      if (found < 0) continue;
      parts.splice(
        at,
        1,
        { text: part.text.slice(0, found), isDone: false },
        { text: read, isDone: true },
        { text: part.text.slice(found + drawn.length), isDone: false },
      );
      at += 1;
    }
  }
  return parts.map((part) => part.text).join('');
}

function turnedBlock(block: LayoutBlock, turn: (text: string) => string): LayoutBlock {
  const cell = (given: LayoutCell): LayoutCell => ({ ...given, text: turn(given.text) });
  return {
    ...block,
    ...(block.text !== undefined && { text: turn(block.text) }),
    ...(block.header !== undefined && { header: block.header.map(cell) }),
    ...(block.rows !== undefined && { rows: block.rows.map((row) => row.map(cell)) }),
  };
}
