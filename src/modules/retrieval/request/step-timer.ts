import type { SearchTimings } from './search-response.dto.js';

export type SearchStep = Exclude<keyof SearchTimings, 'total'>;

/** Adds up how long the steps of one search took. */
export class StepTimer {
  private readonly started = performance.now();
  private readonly steps: Record<SearchStep, number> = {
    expansion: 0,
    embedding: 0,
    candidates: 0,
    kg: 0,
    visibility: 0,
    statistics: 0,
    features: 0,
    ranking: 0,
    rerank: 0,
    hydration: 0,
  };

  async measure<T>(step: SearchStep, work: () => T | Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.steps[step] += performance.now() - began;
    }
  }

  /** Milliseconds to a tenth. */
  read(): SearchTimings {
    const rounded = (ms: number): number => Math.round(ms * 10) / 10;
    const steps = Object.fromEntries(Object.entries(this.steps).map(([step, ms]) => [step, rounded(ms)]));
    return { ...(steps as Record<SearchStep, number>), total: rounded(performance.now() - this.started) };
  }
}
