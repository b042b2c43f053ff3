interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Makes one piece of work of many: what is handed in while work for the same key is under way goes together next. Who comes
 * alone goes at once, so no one waits for company. Work for an item always begins after it was handed in.
 */
export class Batcher<Item, Result> {
  private readonly lanes = new Map<string, Waiting<Item, Result>[]>();
  private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
  private readonly mostItems: number;

  /** `work` answers for each item, in their order; it gets `mostItems` at most. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, mostItems = 32) {
    this.work = work;
    this.mostItems = mostItems;
  }

  /** The answer for `item`. When work for several fails, each is done again alone, so that none suffers for another. */
  submit(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const lane = this.lanes.get(key);
      if (lane !== undefined) {
        lane.push(entry);
        return;
      }
      const waiting = [entry];
      this.lanes.set(key, waiting);
      void this.drain(key, waiting);
    });
  }

  private async drain(key: string, waiting: Waiting<Item, Result>[]): Promise<void> {
    // Those who come within the same turn of the event loop go together from the first on.
    await Promise.resolve();
    while (waiting.length > 0) await this.run(waiting.splice(0, this.mostItems));
    this.lanes.delete(key);
  }

  private async run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error('The work did not answer for each item.');
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error);
      else await Promise.all(group.map((one) => this.run([one])));
    }
  }
}
