import { collectLines } from '../../output/flow.js';
import type { OoxmlPackage, Relation } from '../ooxml/ooxml-package.js';
import { pageNumberOf } from '../pdf/page-number.js';
import { DocxNumbering } from './docx-numbering.js';
import { DocxReader } from './docx-reader.js';
import type { DocxStyles } from './docx-styles.js';

/** What is at the edges of the pages: the letterhead above, the feet below. */
export interface DocxMargins {
  readonly headers: readonly string[];
  readonly footers: readonly string[];
  /** Parts that were read. */
  readonly parts: number;
}

/** A document has up to three of each for each section. */
const MOST_PARTS = 60;
/** A longer text at the edge of the pages is cut. */
const MOST_UNITS = 4_000;

/** Reads the headers and footers of a document, as texts of lines; each line once, and none that only numbers the pages. */
export async function readMargins(
  parts: OoxmlPackage,
  relations: ReadonlyMap<string, Relation>,
  styles: DocxStyles,
): Promise<DocxMargins> {
  const margins = { headers: [] as string[], footers: [] as string[], parts: 0 };
  const said = new Set<string>();
  for (const { type, target } of relations.values()) {
    if ((type !== 'header' && type !== 'footer') || target === undefined || margins.parts >= MOST_PARTS) continue;
    margins.parts += 1;
    const lines: string[] = [];
    const reader = new DocxReader(collectLines(lines), styles, new DocxNumbering(styles), () => undefined);
    await parts.read(target, reader);
    reader.releaseCarried();
    const own = lines.map(withoutPageNumber).filter((line) => line !== '' && !said.has(line));
    for (const line of own) said.add(line);
    const text = own.join('\n').slice(0, MOST_UNITS);
    if (text !== '') (type === 'header' ? margins.headers : margins.footers).push(text);
  }
  return margins;
}

/** A line without a number that is called one of a page; empty where it has no letter. */
function withoutPageNumber(line: string): string {
  const found = pageNumberOf(line.replace(/\s+/g, ' ').trim());
  if (found === undefined || (found.kind !== 'named' && found.place !== 'alone'))
    return /\p{L}/u.test(line) ? line : '';
  return /\p{L}/u.test(found.words) ? found.words : '';
}
