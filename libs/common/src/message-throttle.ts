/** Lets one of many equal messages through: the first, and then one in each `pauseMs`, which says how many were left out. */
export class MessageThrottle {
  private quietUntil = -Infinity;
  private omitted = 0;

  constructor(
    private readonly pauseMs: number,
    /** Milliseconds of a steady clock. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Calls `report` with the number of messages left out before it, unless this one is left out too. */
  pass(report: (omitted: number) => void): void {
    const now = this.now();
    if (now < this.quietUntil) {
      this.omitted += 1;
      return;
    }
    const { omitted } = this;
    this.quietUntil = now + this.pauseMs;
    this.omitted = 0;
    report(omitted);
  }
}
