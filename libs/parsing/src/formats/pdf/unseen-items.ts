import type { ParsedPage, TextItem, VectorShape } from '@llamaindex/liteparse';
import type { UnseenLook } from '../../output/unseen-text.js';

/** A filled shape that text may be on. */
export type Ground = Pick<VectorShape, 'bbox' | 'fillColor'>;

/** An opaque or clear white as `aarrggbb`, or a colour that lets everything through. */
const NEARLY_WHITE = /^[0-9a-f]{2}f[c-f]f[c-f]f[c-f]$/i;
const CLEAR = /^0[0-9a-c]/i;
const TINY_POINTS = 1.5;

/**
 * What a page says in white on white, in a clear colour, or too small to read. On pages with pictures white is left alone: what it is
 * on cannot be told.
 */
export async function unseenItems(
  page: ParsedPage,
  readGrounds: (page: number) => Promise<readonly Ground[] | undefined>,
): Promise<{ text: string; look: UnseenLook }[]> {
  const suspects = page.textItems.flatMap((item) => {
    const look = lookOf(item);
    return look === undefined || item.text.trim() === '' ? [] : [{ item, look }];
  });
  if (!suspects.some(({ look }) => look === 'unseen_colour'))
    return suspects.map(({ item, look }) => ({ text: item.text, look }));
  const facts = page.complexity;
  const hasPictures = facts !== undefined && (facts.imageBlockCount > 0 || facts.fullPageImage);
  const grounds = hasPictures ? undefined : await readGrounds(page.pageNum);
  return suspects.flatMap(({ item, look }) => {
    const isSeen =
      look === 'unseen_colour' && (grounds === undefined || grounds.some((ground) => isBehind(ground, item)));
    return isSeen ? [] : [{ text: item.text, look }];
  });
}

function lookOf({ fillColor, fontHeight, fontSize }: TextItem): UnseenLook | undefined {
  const height = fontHeight ?? fontSize;
  if (height !== undefined && height > 0 && height < TINY_POINTS) return 'unseen_size';
  if (fillColor === undefined) return undefined;
  if (CLEAR.test(fillColor)) return 'unseen_style';
  return NEARLY_WHITE.test(fillColor) ? 'unseen_colour' : undefined;
}

function isBehind({ bbox, fillColor }: Ground, item: TextItem): boolean {
  if (fillColor !== undefined && NEARLY_WHITE.test(fillColor)) return false;
  const [x, y] = [item.x + item.width / 2, item.y + item.height / 2];
  return x >= bbox.x && x <= bbox.x + bbox.width && y >= bbox.y && y <= bbox.y + bbox.height;
}
