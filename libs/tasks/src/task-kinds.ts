import { Injectable } from '@nestjs/common';
import { WorkNotifier } from '#libs/queue';
import type { LostTask } from './task-leases.repository.js';

/** Works off the tasks of a kind in this process. */
export interface KindWorker {
  readonly kind: string;
  /** The most that is done of it before another tenant's work can have the place, in words for operators. */
  readonly longestUnit: string;
  /** Says that there may be work since `promisedAt`, a time of `Date.now()`. Must not throw. */
  wake(promisedAt: number): void;
  /** Told of tasks whose worker died, before they are taken again. */
  noteLost?(tasks: readonly LostTask[]): Promise<void>;
  /** Begins nothing any more, gives back what is in work, and resolves when nothing runs. Idempotent. */
  stop(): Promise<void>;
}

/** Who works off which kind in this process; notifications, and anyone who finds work of which no notification came, reach them here. */
@Injectable()
export class TaskKinds {
  private readonly workers = new Map<string, KindWorker>();

  constructor(private readonly notifier: WorkNotifier) {}

  /** @throws Error when another worker of this process has the kind already */
  register(worker: KindWorker): void {
    if (this.workers.has(worker.kind)) throw new Error(`Two workers want the tasks of kind ${worker.kind}.`);
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
