import { EdgeTexts } from '../../output/edge-texts.js';
import { collectLines } from '../../output/flow.js';
import type { OoxmlPackage, Relation } from '../ooxml/ooxml-package.js';
import { DocxNumbering } from './docx-numbering.js';
import { DocxReader } from './docx-reader.js';
import type { DocxStyles } from './docx-styles.js';

/** What is at the edges of the pages, and the number of parts that say it. */
export interface DocxMargins {
  readonly texts: EdgeTexts;
  readonly parts: number;
}

/** A document has up to three of each for each section. */
const MOST_PARTS = 60;

/** Reads the headers and footers of a document. */
export async function readMargins(
  parts: OoxmlPackage,
  relations: ReadonlyMap<string, Relation>,
  styles: DocxStyles,
): Promise<DocxMargins> {
  const texts = new EdgeTexts();
  let count = 0;
  for (const { type, target } of relations.values()) {
    if ((type !== 'header' && type !== 'footer') || target === undefined || count >= MOST_PARTS) continue;
    count += 1;
    const lines: string[] = [];
    const reader = new DocxReader(collectLines(lines), styles, new DocxNumbering(styles), () => undefined);
    await parts.read(target, reader);
    reader.releaseCarried();
    texts.add(type, lines);
  }
  return { texts, parts: count };
}
