/** Where something was seen that may be printed on page after page. */
interface Occurrence {
  count: number;
  /** The last page. */
  page: number;
  /** How often it came back after pages without it: names of forms do, heads of chapters do not. */
  returns: number;
}

/** Pages between two that stand together: left and right pages may differ. */
const MAX_GAP = 2;
/** Of its pages, those that it may come back on: a picture takes the place of a head now and then. */
const RETURNS_ONE_IN = 4;
/** What was on one page alone is forgotten behind this many more. */
const KEPT_PAGES = 40;

/** Counts pages by what they say. */
export class PageOccurrences {
  private readonly all = new Map<string, Occurrence>();

  get(key: string): number {
    return this.all.get(key)?.count ?? 0;
  }

  add(key: string, page: number): void {
    const known = this.all.get(key);
    if (known === undefined) {
      this.all.set(key, { count: 1, page, returns: 0 });
      return;
    }
    known.count += 1;
    if (page - known.page > MAX_GAP) known.returns += 1;
    known.page = page;
  }

  /** Whether it is on several pages that stand together. */
  isTogether(key: string): boolean {
    const known = this.all.get(key);
    return known !== undefined && known.count > 1 && known.returns * RETURNS_ONE_IN <= known.count;
  }

  /** Each with its count. */
  *counts(): Iterable<readonly [key: string, count: number]> {
    for (const [key, { count }] of this.all) yield [key, count];
  }

  /** Forgets what was on one page alone, unless that was a short while ago or it is to be kept. */
  forget(page: number, kept: ReadonlyMap<string, unknown> = new Map()): void {
    for (const [key, { count, page: last }] of this.all) {
      if (count < 2 && last < page - KEPT_PAGES && !kept.has(key)) this.all.delete(key);
    }
  }
}
