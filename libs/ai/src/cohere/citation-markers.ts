/** A stretch of the answer and the sources that support it, as Cohere tells it. */
export interface StreamedCitation {
  /** Offsets in the answer, in code points. */
  readonly start: number;
  readonly end: number;
  /** The stretch itself. */
  readonly text: string;
  /** Numbers of sources. */
  readonly sources: readonly number[];
}

/** UTF-16 units of an answer that wait for their citations: some seven words. */
const HELD_UNITS = 40;

/**
 * Puts markers into an answer while it streams. Citations arrive behind the words that they are about, so the last
 * few words are held back; a citation that comes later still is put at the nearest place that is left.
 */
export class CitationMarkers {
  /** What has come and is not given out, without markers. */
  private held = '';
  /** Code points and UTF-16 units that were given out, without markers. */
  private givenPoints = 0;
  private givenUnits = 0;
  /** Sources to be marked, by where in `held` they belong. */
  private readonly marks = new Map<number, Set<number>>();

  /** What may be given out after more text. */
  push(text: string): string {
    this.held += text;
    return this.give(beginningOf(this.held, this.held.length - HELD_UNITS));
  }

  cite(citation: StreamedCitation): void {
    const at = Math.max(0, this.placeOf(citation));
    const marked = this.marks.get(at) ?? new Set<number>();
    for (const source of citation.sources) marked.add(source);
    this.marks.set(at, marked);
  }

  /** What is left at the end. */
  flush(): string {
    return this.give(this.held.length);
  }

  /** Offsets are code points; where the words are not there, units of UTF-16, or the words' last place. */
  private placeOf({ end, text }: StreamedCitation): number {
    const points = [...this.held].slice(0, Math.max(0, end - this.givenPoints)).join('').length;
    const units = Math.min(this.held.length, Math.max(0, end - this.givenUnits));
    const endsWith = (place: number): boolean => text !== '' && this.held.slice(0, place).endsWith(text);
    if (endsWith(points)) return points;
    if (endsWith(units)) return units;
    const found = text === '' ? -1 : this.held.lastIndexOf(text);
    return found === -1 ? points : found + text.length;
  }

  private give(until: number): string {
    const places = [...this.marks.keys()].filter((at) => at <= until).sort((a, b) => a - b);
    let [given, from] = ['', 0];
    for (const at of places) {
      // Behind the sign that ends the words, and before the white space.
      const place = afterSign(this.held, at);
      if (place > until) continue;
      const markers = markersOf(this.marks.get(at)!);
      // White space is before them already, behind what was given out.
      const isLate = place === 0 && this.givenUnits > 0;
      given += this.held.slice(from, place) + (isLate ? `${markers} ` : ` ${markers}`);
      from = Math.max(from, place);
      this.marks.delete(at);
    }
    given += this.held.slice(from, until);
    this.keepRest(until);
    return given;
  }

  private keepRest(until: number): void {
    const gone = this.held.slice(0, until);
    this.givenUnits += gone.length;
    this.givenPoints += [...gone].length;
    this.held = this.held.slice(until);
    const rest = [...this.marks];
    this.marks.clear();
    for (const [at, sources] of rest) this.marks.set(Math.max(0, at - until), sources);
  }
}

function afterSign(text: string, at: number): number {
  const sign = /^[.!?…,;:。！？，；：]["')\]»”’]*/u.exec(text.slice(at));
  return at + (sign === null ? 0 : sign[0].length);
}

function markersOf(sources: ReadonlySet<number>): string {
  return [...sources].map((number) => `[${number}]`).join('');
}

/** The last place up to `most` at which a word begins; in writing without spaces any place that cuts no character. */
function beginningOf(text: string, most: number): number {
  if (most <= 0) return 0;
  const word = text.slice(0, most).search(/\S*$/u);
  if (word > 0) return word;
  return /[\ud800-\udbff]$/.test(text.slice(0, most)) ? most - 1 : most;
}
