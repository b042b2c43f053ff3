import { symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { LiteParse, type TextItem } from '@llamaindex/liteparse';
import { lettersOf } from './letters.js';
import type { PageRectangle } from './page-places.js';

/** A word of a page. */
export interface PageWord {
  /** Its letters and digits, as they are compared. */
  readonly letters: string;
  readonly box: PageRectangle;
}

/** Words that the reader keeps together: a line, or the part of one that lies in a column or cell. */
export interface PageLine {
  readonly words: readonly PageWord[];
  readonly box: PageRectangle;
  /** Degrees, clockwise. */
  readonly rotation: number;
}

/** One page as it is drawn. */
export interface DrawnPage {
  readonly pageCount: number;
  readonly size: { readonly width: number; readonly height: number } | null;
  /** In the order in which the reader gives them. */
  readonly lines: readonly PageLine[];
}

/** Reads one page of a PDF with the place of each word; `folder` is one to write to. */
export async function readPageLines(path: string, page: number, folder: string): Promise<DrawnPage> {
  // liteparse follows the extension, and a stored file has none.
  const named = join(folder, 'page.pdf');
  await symlink(path, named);
  try {
    const reader = new LiteParse({
      ocrEnabled: false,
      quiet: true,
      outputFormat: 'json',
      imageMode: 'off',
      maxPages: page,
      targetPages: String(page),
      continueOnPageError: true,
      emitWordBoxes: true,
    });
    const { totalPages, pages } = await reader.parse(named);
    const read = pages.find(({ pageNum }) => pageNum === page);
    if (read === undefined) return { pageCount: totalPages, size: null, lines: [] };
    const size = { width: read.width, height: read.height };
    return { pageCount: totalPages, size, lines: read.textItems.map(lineOf) };
  } finally {
    await unlink(named);
  }
}

function lineOf(item: TextItem): PageLine {
  const words = item.words === undefined || item.words.length === 0 ? [item] : item.words;
  const degrees = Math.round(item.rotation ?? 0) % 360;
  return {
    words: words.map(({ text, x, y, width, height }) => ({
      letters: lettersOf(text).letters,
      box: { x, y, width, height },
    })),
    box: { x: item.x, y: item.y, width: item.width, height: item.height },
    rotation: degrees < 0 ? degrees + 360 : degrees,
  };
}
