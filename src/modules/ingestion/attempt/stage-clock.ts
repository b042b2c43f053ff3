/** Measures the stages of one document: durations, and times by the database's clock for the timeline. */
export class StageClock {
  private readonly began = performance.now();
  private lap = this.began;

  /** `databaseMs`: the database's clock at this moment, in milliseconds since 1970. */
  constructor(private readonly databaseMs: number) {}

  /** Whole milliseconds since the beginning. */
  get elapsedMs(): number {
    return Math.round(performance.now() - this.began);
  }

  /** Ends a stage; returns whole milliseconds since the last one ended. */
  endStage(): number {
    const now = performance.now();
    const ms = Math.round(now - this.lap);
    this.lap = now;
    return ms;
  }

  /** The present time by the database's clock. */
  now(): Date {
    return new Date(this.databaseMs + performance.now() - this.began);
  }
}
