import { FairQueue } from './fair-queue.js';

/** A bounded number of places at the same time, of threads or of reads. While others wait, one party has at most half of them, and at least one; parties come in turn. */
export class FairSemaphore {
  private free: number;
  private readonly held = new Map<string, number>();
  private readonly waiting = new FairQueue<() => void>();

  constructor(private readonly places: number) {
    this.free = places;
  }

  /** Resolves when it is the party's turn; `give` the place back afterwards. */
  async take(party: string): Promise<void> {
    if (this.free > 0 && this.waiting.size === 0) this.hold(party);
    else await new Promise<void>((resolve) => this.waiting.push(party, resolve));
  }

  /** Does it in a place of the party. */
  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    await this.take(party);
    try {
      return await work();
    } finally {
      this.give(party);
    }
  }

  give(party: string): void {
    this.free += 1;
    const left = this.heldBy(party) - 1;
    if (left > 0) this.held.set(party, left);
    else this.held.delete(party);
    const share = Math.max(1, Math.floor(this.places / 2));
    while (this.free > 0) {
      const isAlone = this.waiting.parties === 1;
      const next = this.waiting.shift((other) => isAlone || this.heldBy(other) < share);
      if (next === undefined) return;
      this.hold(next.party);
      next.item();
    }
  }

  private hold(party: string): void {
    this.free -= 1;
    this.held.set(party, this.heldBy(party) + 1);
  }

  private heldBy(party: string): number {
    return this.held.get(party) ?? 0;
  }
}
