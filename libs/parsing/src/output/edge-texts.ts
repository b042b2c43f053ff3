import { pageNumberOf } from '../formats/pdf/page-number.js';

/** A longer text at the edge of the pages is cut. */
const MOST_UNITS = 4_000;

/** What is at the edges of the pages of a document: the letterhead above, the feet below. Each line once, and none that only numbers the pages. */
export class EdgeTexts {
  readonly headers: string[] = [];
  readonly footers: string[] = [];
  private readonly said = new Set<string>();

  add(edge: 'header' | 'footer', lines: readonly string[]): void {
    const own = lines.map(withoutPageNumber).filter((line) => line !== '' && !this.said.has(line));
    for (const line of own) this.said.add(line);
    const text = own.join('\n').slice(0, MOST_UNITS);
    if (text !== '') (edge === 'header' ? this.headers : this.footers).push(text);
  }
}

/** A line without a number that is called one of a page; empty where it has no letter. */
function withoutPageNumber(line: string): string {
  const found = pageNumberOf(line.replace(/\s+/g, ' ').trim());
  if (found === undefined || (found.kind !== 'named' && found.place !== 'alone'))
    return /\p{L}/u.test(line) ? line : '';
  return /\p{L}/u.test(found.words) ? found.words : '';
}
