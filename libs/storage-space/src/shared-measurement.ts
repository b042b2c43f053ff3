/** What a look found, and when the look began. */
export interface Measurement<T> {
  readonly value: T;
  readonly startedAt: number;
}

/** A look at something that changes, shared by all who ask within a while. A look that fails is shared by those who wait for it alone. */
export class SharedMeasurement<T> {
  private latest: { readonly look: Promise<Measurement<T>>; readonly startedAt: number } | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly keepMs: number,
    private readonly now: () => number,
  ) {}

  get(): Promise<Measurement<T>> {
    const now = this.now();
    if (this.latest !== undefined && now - this.latest.startedAt < this.keepMs) return this.latest.look;
    const look = this.read().then((value) => ({ value, startedAt: now }));
    this.latest = { look, startedAt: now };
    look.catch(() => this.forget());
    return look;
  }

  /** The next who asks has it looked at again. */
  forget(): void {
    this.latest = undefined;
  }
}
