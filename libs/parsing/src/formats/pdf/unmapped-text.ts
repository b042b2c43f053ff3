import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse';
import type { Turn } from './turned-pages.js';

/** A page without what means nothing, and how much that was. */
export interface ReadablePage {
  readonly page: ParsedPage;
  /** Characters drawn on the page, and those of them that are left. */
  readonly drawn: number;
  readonly kept: number;
  /** Set in columns from top to bottom, and whether those were read. */
  readonly columns?: 'read' | 'lost';
  /** The angle of its text in its view, where that was turned upright to be read. */
  readonly turned?: Turn;
  /** Cells of a table stand as text of their own. */
  readonly isTorn?: boolean;
}

/** Characters that fonts without a mapping give: of private use, replaced, none at all, or controls. */
const UNMAPPED = /[\p{Co}\ufffd-\uffff]|(?![\t\n\r])\p{Cc}/gu;
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;
/** Of the characters of a font without a mapping: its blanks and stops come out as controls. */
const LEAST_CONTROLS = 0.1;

/** Of the drawn characters of a page, those that must mean something. */
const LEAST_MAPPED_SHARE = 0.9;

/** Whether more than a tenth of the characters drawn on a page mean nothing. */
export function losesCharacters({ drawn, kept }: ReadablePage): boolean {
  return kept < drawn * LEAST_MAPPED_SHARE;
}

/**
 * Leaves out what a font says that does not tell what its characters mean: single characters, and all of a font whose blanks come out as
 * controls, since its letters are numbers of glyphs (`7KH SDVVZRUG`).
 */
export function withoutUnmapped(page: ParsedPage): ReadablePage {
  const whole = countDrawn(page.textItems);
  if (!page.textItems.some(({ text }) => isUnmapped(text))) return { page, drawn: whole, kept: whole };
  const fonts = unreadableFonts(page.textItems);
  const lost = page.textItems.filter(({ fontName, fontIsBuggy }) => fontIsBuggy === true && fonts.has(fontName ?? ''));
  const gone = new Set(lost);
  const clean = cleaner(lost);
  const textItems = page.textItems.flatMap((item) => {
    const text = item.text.replace(UNMAPPED, '');
    return gone.has(item) || text.trim() === '' ? [] : [{ ...item, text }];
  });
  const blocks = page.blocks?.map((block) => cleanBlock(block, clean));
  return { page: { ...page, text: clean(page.text), textItems, blocks }, drawn: whole, kept: countDrawn(textItems) };
}

function countDrawn(items: readonly TextItem[]): number {
  return items.reduce((sum, { text }) => sum + text.replace(/\s+/g, '').length, 0);
}

function isUnmapped(text: string): boolean {
  UNMAPPED.lastIndex = 0;
  return UNMAPPED.test(text);
}

function unreadableFonts(items: readonly TextItem[]): ReadonlySet<string> {
  const counts = new Map<string, { all: number; controls: number }>();
  for (const { text, fontName = '', fontIsBuggy } of items) {
    if (fontIsBuggy !== true) continue;
    const count = counts.get(fontName) ?? { all: 0, controls: 0 };
    count.all += text.length;
    count.controls += text.match(CONTROL)?.length ?? 0;
    counts.set(fontName, count);
  }
  return new Set([...counts].flatMap(([font, { all, controls }]) => (controls >= all * LEAST_CONTROLS ? font : [])));
}

/** Takes these texts and every unmapped character out of a text. */
function cleaner(lost: readonly TextItem[]): (text: string) => string {
  const texts = lost.map(({ text }) => text.trim()).toSorted((one, other) => other.length - one.length);
  return (text) => {
    let rest = text;
    if (isUnmapped(rest) || texts.some((one) => rest.includes(one))) {
      for (const one of texts) if (one !== '') rest = rest.split(one).join('');
    }
    return rest.replace(UNMAPPED, '');
  };
}

function cleanBlock(block: LayoutBlock, clean: (text: string) => string): LayoutBlock {
  const cells = (row: LayoutBlock['header'] = []): NonNullable<LayoutBlock['header']> =>
    row.map((cell) => ({ ...cell, text: clean(cell.text) }));
  return {
    ...block,
    ...(block.text !== undefined && { text: clean(block.text).trim() }),
    ...(block.lines !== undefined && { lines: block.lines.map(clean).filter((line) => line.trim() !== '') }),
    ...(block.header !== undefined && { header: cells(block.header) }),
    ...(block.rows !== undefined && { rows: block.rows.map(cells) }),
  };
}
