/** Lines of those who wait, one for each party. Parties come in turn, however many each of them has waiting. */
export class FairQueue<T> {
  /** The order of the parties is the order of their turns. */
  private readonly lines = new Map<string, T[]>();
  private count = 0;

  /** How many wait in all lines. */
  get size(): number {
    return this.count;
  }

  /** How many parties have someone waiting. */
  get parties(): number {
    return this.lines.size;
  }

  push(party: string, item: T): void {
    const line = this.lines.get(party);
    if (line === undefined) this.lines.set(party, [item]);
    else line.push(item);
    this.count += 1;
  }

  /** The parties that have someone waiting, in the order of their turns. */
  waitingParties(): IterableIterator<string> {
    return this.lines.keys();
  }

  /** The first of the party whose turn it is, or of the next one that may have it; that party then comes last. */
  shift(mayCome: (party: string) => boolean = () => true): { readonly party: string; readonly item: T } | undefined {
    for (const [party, line] of this.lines) {
      if (!mayCome(party)) continue;
      const item = line.shift()!;
      this.count -= 1;
      this.lines.delete(party);
      if (line.length > 0) this.lines.set(party, line);
      return { party, item };
    }
    return undefined;
  }

  /** Everybody who waits, taken out of the lines. */
  clear(): T[] {
    const all = [...this.lines.values()].flat();
    this.lines.clear();
    this.count = 0;
    return all;
  }
}
