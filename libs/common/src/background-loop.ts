/** Calls `round` again and again with a pause between; a round that fails is reported and the next one comes all the same. */
export class BackgroundLoop {
  private stopped = false;
  private wake: () => void = () => undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly pauseMs: number,
    private readonly round: () => Promise<void>,
    /** Must not throw. */
    private readonly onFailed: (error: unknown) => void,
  ) {}

  start(): void {
    this.running = this.loop();
  }

  /** Ends after the round that runs now. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.round();
      } catch (error) {
        this.onFailed(error);
      }
      if (this.stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.pauseMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
