/** How long a task waits in this process for its turn before it gives its place to others. */
const PATIENCE_MS = 2_000;
/** Tasks that gave up come back one after the other, so that a slow receiver with many documents does not keep workers busy. */
const SPACING_MS = 100;

interface Waiting {
  readonly go: () => void;
}

/** Bounds how much is sent to one endpoint at once, so that a slow one does not hold up the others. */
export class EndpointTurns {
  private readonly running = new Map<string, number>();
  private readonly queues = new Map<string, Waiting[]>();
  private readonly comeBackAt = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Runs `work` when it is the endpoint's turn. Resolves to how many milliseconds to stay away when it did not come in time; else to null. */
  async run(endpointId: string, work: () => Promise<void>): Promise<number | null> {
    if (!(await this.enter(endpointId))) return this.pauseOf(endpointId);
    try {
      await work();
      return null;
    } finally {
      this.leave(endpointId);
    }
  }

  private enter(endpointId: string): Promise<boolean> {
    const running = this.running.get(endpointId) ?? 0;
    if (running < this.most) {
      this.running.set(endpointId, running + 1);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const queue = this.queues.get(endpointId) ?? [];
      this.queues.set(endpointId, queue);
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        resolve(false);
      }, PATIENCE_MS);
      const waiting: Waiting = {
        go: () => {
          clearTimeout(timer);
          resolve(true);
        },
      };
      queue.push(waiting);
    });
  }

  /** Hands the turn on, or frees it. */
  private leave(endpointId: string): void {
    const next = this.queues.get(endpointId)?.shift();
    if (next !== undefined) {
      next.go();
      return;
    }
    this.queues.delete(endpointId);
    const running = (this.running.get(endpointId) ?? 1) - 1;
    if (running > 0) this.running.set(endpointId, running);
    else {
      this.running.delete(endpointId);
      this.comeBackAt.delete(endpointId);
    }
  }

  private pauseOf(endpointId: string): number {
    const now = Date.now();
    const at = Math.max(now, this.comeBackAt.get(endpointId) ?? 0) + SPACING_MS;
    this.comeBackAt.set(endpointId, at);
    return at - now;
  }
}
