import { Injectable } from '@nestjs/common';
import { WorkNotifier } from '#libs/queue';
import type { LostTask } from './task-leases.repository.js';

/** Runs the tasks of a kind in this process. */
export interface KindWorker {
  readonly kind: string;
  /** The longest unit of work before another tenant's work can have the worker, in words for operators. */
  readonly longestUnit: string;
  /** Tells that there may be work since `promisedAt`, a time of `Date.now()`. Must not throw. */
  wake(promisedAt: number): void;
  /** Told of tasks whose worker died, before they are taken again. */
  noteLost?(tasks: readonly LostTask[]): Promise<void>;
  /** Starts no more work, gives back what is in work, and resolves when nothing runs. Idempotent. */
  stop(): Promise<void>;
}

/** The workers of this process by kind, for notifications and for code that finds work whose notification was lost. */
@Injectable()
export class TaskKinds {
  private readonly workers = new Map<string, KindWorker>();

  constructor(private readonly notifier: WorkNotifier) {}

  /** @throws Error when another worker of this process has the kind already */
  register(worker: KindWorker): void {
    if (this.workers.has(worker.kind)) throw new Error(`Two workers are registered for tasks of kind ${worker.kind}.`);
    this.workers.set(worker.kind, worker);
    this.notifier.listen(worker.kind, (notifiedAt) => worker.wake(notifiedAt));
  }

  /** Stops the workers of all kinds. Idempotent. */
  async stop(): Promise<void> {
    await Promise.all([...this.workers.values()].map((worker) => worker.stop()));
  }

  /** All of them. */
  list(): readonly KindWorker[] {
    return [...this.workers.values()];
  }

  find(kind: string): KindWorker | undefined {
    return this.workers.get(kind);
  }
}
