import type { PinoLogger } from 'nestjs-pino';

/** Calls `round` again and again with a pause between; a round that fails is logged and the next one comes all the same. */
export class BackgroundLoop {
  private stopped = false;
  private wake: () => void = () => undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly pauseMs: number,
    private readonly round: () => Promise<void>,
    private readonly logger: PinoLogger,
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
        this.logger.warn({ err: error, loop: this.name }, 'background.round_failed');
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
