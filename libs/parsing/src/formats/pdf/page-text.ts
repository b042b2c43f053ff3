import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import type { BlockShape } from '../../html/block-writer.js';

/** Left, top, right and bottom. */
export type BlockBox = readonly [number, number, number, number];

/** The rectangle of a layout block, where it has one, as `placed` moves it. */
export function boxOf(
  { bbox }: Pick<LayoutBlock, 'bbox'>,
  placed: (box: BlockBox) => BlockBox,
): Pick<BlockShape, 'box'> {
  if (bbox === undefined) return {};
  return { box: rounded(placed([bbox.x, bbox.y, bbox.x + bbox.width, bbox.y + bbox.height])) };
}

/** Hundredths of a point are more than a reader can see. */
export function rounded([x0, y0, x1, y1]: BlockBox): [number, number, number, number] {
  const round = (value: number): number => (Number.isFinite(value) ? Math.round(value * 100) / 100 : 0);
  return [round(x0), round(y0), round(x1), round(y1)];
}

export function clampLevel(level: number | undefined): number {
  return Math.min(Math.max(level ?? 1, 1), 6);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Letters and digits alone, in small letters. */
export function bare(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** `3 `, `3.` and `3.1.2 ` before a name. */
const CHAPTER_NUMBER = /^\s*\p{N}{1,3}(?:\.\p{N}{1,3}){0,3}(?:\.\s*|\s+)(?=\p{L})/u;
/** `12.03.24` */
const DATE = /^\s*\p{N}{1,2}\.\p{N}{1,2}\.\p{N}{2}(?!\p{N})/u;

/** What the heading of a chapter is known by: its number does not count. Dates, years and numbers of other things are no such number. */
export function titleKey(words: string): string {
  return bare(DATE.test(words) ? words : words.replace(CHAPTER_NUMBER, ''));
}

/**
 * Layout blocks carry Markdown emphasis and escapes that are not on the page. A mark is taken away when the page's plain
 * text has no such character at all; where it has, only the doubled mark of bold type goes.
 */
export function markupRemover(plain: string): (text: string) => string {
  const single = plain.includes('*') ? /\*\*/g : /\*+/g;
  const escapes = plain.includes('\\') ? undefined : /\\/g;
  return (text) => {
    const bareText = text.replace(single, '');
    return escapes === undefined ? bareText : bareText.replace(escapes, '');
  };
}

/** How many of the letters and digits of a page are in its blocks, 0–1; counted, not compared in order. */
export function coverage(page: ParsedPage, blocks: readonly LayoutBlock[]): number {
  const all = countLetters(page.text);
  if (all === 0) return blocks.length === 0 ? 0 : 1;
  let covered = 0;
  for (const block of blocks) {
    covered += countLetters(`${block.marker ?? ''}${block.text ?? ''}${(block.lines ?? []).join('')}`);
    for (const row of [block.header ?? [], ...(block.rows ?? [])]) {
      for (const cell of row) covered += countLetters(cell.text);
    }
  }
  return covered / all;
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
