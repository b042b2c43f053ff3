import type { MergedRange } from '../../sheets/sheet-cell.js';
import { columnOf } from './sheet-reader.js';

/** More are left out: then a merged cell is only where it begins. */
const MAX_RANGES = 50_000;
/** Longest stretch of a part that a reference may be torn over. */
const CARRY_BYTES = 256;
const REFERENCE = /mergeCell\s[^<>]{0,200}?ref\s*=\s*["']([A-Za-z]{1,3})(\d{1,7}):([A-Za-z]{1,3})(\d{1,7})["']/g;

/**
 * Finds the merged cells of a worksheet. They are behind the rows, so the part is looked through once before it is
 * read: bytes are searched for the few elements, and no XML is taken apart.
 */
export async function findMergedRanges(pieces: AsyncIterable<Buffer>): Promise<MergedRange[]> {
  const ranges: MergedRange[] = [];
  let carry = '';
  for await (const piece of pieces) {
    if (carry === '' && piece.indexOf('merge') < 0) {
      carry = piece.subarray(-16).toString('latin1');
      if (!/<[\w:]*$/.test(carry)) carry = '';
      continue;
    }
    const text = carry + piece.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(REFERENCE)) {
      if (ranges.length >= MAX_RANGES) return ranges;
      const [, left, top, right, bottom] = match as unknown as [string, string, string, string, string];
      ranges.push({ top: Number(top), left: columnOf(left), bottom: Number(bottom), right: columnOf(right) });
      end = match.index + match[0].length;
    }
    carry = text.slice(Math.max(end, text.length - CARRY_BYTES));
    if (!carry.includes('<')) carry = '';
  }
  return ranges;
}
