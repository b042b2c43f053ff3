/** Time that a task waits in this process for its turn before it is postponed. */
const PATIENCE_MS = 2_000;
/** Postponed tasks come back one after another, so that a slow receiver with many documents does not keep workers busy. */
const SPACING_MS = 100;
/** Number of consecutive attempts without an answer after which an endpoint is paused, and first and maximum length of the pause. */
const UNANSWERED = 5;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
/** Maximum delay of tasks of a paused endpoint, which come back one after another. */
const RESTING_SPACING_MS = 1_000;
const LATEST_MS = 900_000;

/** State of an endpoint that does not answer. */
interface Silence {
  readonly attempts: number;
  readonly restsUntil: number;
}

interface Waiting {
  readonly go: () => void;
}

/**
 * Limits the simultaneous attempts to one endpoint, so that a slow one does not delay the others. An endpoint that does not answer is
 * paused for a while, in which its tasks use no worker; then one attempt checks whether it answers again.
 */
export class EndpointTurns {
  private readonly running = new Map<string, number>();
  private readonly queues = new Map<string, Waiting[]>();
  private readonly comeBackAt = new Map<string, number>();
  private readonly silent = new Map<string, Silence>();

  constructor(private readonly most: number) {}

  /**
   * Runs `work` when it gets a turn and resolves to null; without a turn in time, resolves to the milliseconds after which to try again.
   */
  async run(endpointId: string, work: () => Promise<void>): Promise<number | null> {
    if (!(await this.enter(endpointId))) return this.pauseOf(endpointId);
    let probe: Silence | null = null;
    try {
      if (this.isResting(endpointId)) return this.pauseOf(endpointId);
      probe = this.beginProbe(endpointId);
      await work();
      return null;
    } finally {
      // No attempt was made, so the next task makes it.
      if (probe !== null && this.silent.get(endpointId) === probe)
        this.silent.set(endpointId, { ...probe, restsUntil: 0 });
      this.leave(endpointId);
    }
  }

  /** Records whether the endpoint answered an attempt, whatever the status. */
  note(endpointId: string, isAnswered: boolean): void {
    if (isAnswered) {
      this.silent.delete(endpointId);
      return;
    }
    const attempts = (this.silent.get(endpointId)?.attempts ?? 0) + 1;
    const rest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (attempts - UNANSWERED));
    this.silent.set(endpointId, { attempts, restsUntil: attempts < UNANSWERED ? 0 : performance.now() + rest });
  }

  private isResting(endpointId: string): boolean {
    const silence = this.silent.get(endpointId);
    return silence !== undefined && silence.attempts >= UNANSWERED && performance.now() < silence.restsUntil;
  }

  /**
   * The first task after the pause checks whether the endpoint answers again; the others wait for that. Null: the endpoint is not paused.
   */
  private beginProbe(endpointId: string): Silence | null {
    const silence = this.silent.get(endpointId);
    if (silence === undefined || silence.attempts < UNANSWERED) return null;
    const probe = { ...silence, restsUntil: performance.now() + LONGEST_REST_MS };
    this.silent.set(endpointId, probe);
    return probe;
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

  /** Passes the turn on, or frees it. */
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
      if (!this.silent.has(endpointId)) this.comeBackAt.delete(endpointId);
    }
  }

  private pauseOf(endpointId: string): number {
    const now = performance.now();
    const { restsUntil = 0 } = this.silent.get(endpointId) ?? {};
    const spacing = restsUntil > now ? RESTING_SPACING_MS : SPACING_MS;
    const at = Math.max(now, restsUntil, this.comeBackAt.get(endpointId) ?? 0) + spacing;
    this.comeBackAt.set(endpointId, Math.min(at, now + LATEST_MS));
    return Math.min(at - now, LATEST_MS);
  }
}
