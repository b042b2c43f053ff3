import type { Tier } from './tier-file.ts';

/** Whether what a tier needs is there, and why not: `absent` where this machine cannot have it, `failed` where it should. */
export type NeedState =
  | { readonly ready: true; readonly env?: Readonly<Record<string, string>> }
  | { readonly ready: false; readonly absent: string }
  | { readonly ready: false; readonly failed: string };

/** None of them may reject. */
export interface LaneWork<T extends Pick<Tier, 'lanes' | 'needs'>, Result> {
  /** Called once for each need, ahead of time and without a lane. */
  prepare(need: string): Promise<NeedState>;
  /** Called when no tier needs it any more. */
  release(need: string): Promise<void>;
  play(tier: T, states: readonly NeedState[]): Promise<Result>;
}

/**
 * Tiers side by side. A tier starts when its needs are prepared and enough lanes are free; of those that could, the earlier one in
 * the list goes first. What goes wrong with one touches no other.
 */
export class Lanes<T extends Pick<Tier, 'lanes' | 'needs'>, Result> {
  private readonly lanes: number;
  private readonly work: LaneWork<T, Result>;
  private free: number;
  private waiting: T[] = [];
  private readonly running = new Set<T>();
  private readonly states = new Map<string, NeedState>();
  private readonly results = new Map<T, Result>();
  private readonly released: Promise<void>[] = [];
  private wake: () => void = () => undefined;

  constructor(lanes: number, work: LaneWork<T, Result>) {
    this.lanes = lanes;
    this.free = lanes;
    this.work = work;
  }

  /** Plays every tier once and resolves to what `play` resolved to, in the order of the tiers. */
  async play(tiers: readonly T[]): Promise<readonly Result[]> {
    this.waiting = [...tiers];
    for (const need of new Set(tiers.flatMap((tier) => tier.needs))) void this.prepare(need);
    while (this.results.size < tiers.length) {
      const changed = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const next = this.next();
      if (next === undefined) await changed;
      else void this.start(next);
    }
    await Promise.all(this.released);
    return tiers.map((tier) => this.results.get(tier)!);
  }

  private async prepare(need: string): Promise<void> {
    this.states.set(need, await this.work.prepare(need));
    this.wake();
  }

  /** A tier that takes more lanes than are free holds up the later ones, or it might never start. */
  private next(): T | undefined {
    const tier = this.waiting.find(({ needs }) => needs.every((need) => this.states.has(need)));
    return tier !== undefined && this.widthOf(tier) <= this.free ? tier : undefined;
  }

  private async start(tier: T): Promise<void> {
    this.waiting.splice(this.waiting.indexOf(tier), 1);
    this.running.add(tier);
    this.free -= this.widthOf(tier);
    const states = tier.needs.map((need) => this.states.get(need)!);
    this.results.set(tier, await this.work.play(tier, states));
    this.running.delete(tier);
    this.free += this.widthOf(tier);
    const others = [...this.waiting, ...this.running];
    for (const need of tier.needs) {
      if (others.every(({ needs }) => !needs.includes(need))) this.released.push(this.work.release(need));
    }
    this.wake();
  }

  private widthOf({ lanes }: T): number {
    return Math.min(lanes, this.lanes);
  }
}
