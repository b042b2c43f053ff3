import type { SkippedCounts } from '../graphs/kg-graph.entity.js';
import type { AnsweredPassage } from './answer-rows.js';

/** Omissions from answers, by part and reason. */
export class SkippedTally {
  private readonly counts = new Map<string, number>();
  /** Passages that gave nothing. */
  chunks = 0;

  add(answered: readonly AnsweredPassage[]): void {
    for (const { answer } of answered) {
      if ('skipped' in answer) {
        this.chunks += 1;
        this.count(`chunk.${answer.skipped}`, 1);
        continue;
      }
      for (const [item, n] of Object.entries(answer.dropped)) this.count(item, n);
    }
  }

  /** All of another one. */
  join(other: SkippedTally): void {
    this.chunks += other.chunks;
    for (const [name, n] of other.counts) this.count(name, n);
  }

  get all(): SkippedCounts {
    return Object.fromEntries(this.counts);
  }

  private count(name: string, n: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + n);
  }
}
