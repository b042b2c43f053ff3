import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { Settings } from '#libs/config';
import { LeaseLost, TaskCancelled } from './task.errors.js';
import { TaskLeasesRepository, type HeldTask } from './task-leases.repository.js';

/** Time within which work notices that it was cancelled, or that its task was removed or taken over. */
const LONGEST_PAUSE_MS = 2_000;
const SHORTEST_PAUSE_MS = 300;

interface HeldLease {
  readonly task: HeldTask;
  readonly ended: AbortController;
  /** What the signal's reason is when the lease was lost. */
  readonly lost: () => Error;
}

/** Renews all leases of this process, with one statement for all of them. */
@Injectable()
export class TaskLeases {
  private readonly held = new Map<string, HeldLease>();
  private readonly pauseMs: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly leases: TaskLeasesRepository,
    private readonly settings: Settings,
    private readonly logger: PinoLogger,
  ) {
    this.pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, (settings.values.leaseSeconds * 1000) / 4));
  }

  /**
   * Renews the lease until `release`. The signal is aborted with `LeaseLost`, or the error that `lost` makes, when the lease is lost, and with
   * `TaskCancelled` when the task is cancelled.
   */
  hold(task: HeldTask, lost: () => Error = () => new LeaseLost(task.id)): AbortSignal {
    const ended = new AbortController();
    this.held.set(task.id, { task, ended, lost });
    this.schedule();
    return ended.signal;
  }

  /** Stops caring for leases; they are given back, or end with their tasks, by other means. */
  release(tasks: readonly HeldTask[]): void {
    for (const { id, token } of tasks) {
      if (this.held.get(id)?.task.token === token) this.held.delete(id);
    }
    if (this.held.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.beat(), this.pauseMs);
  }

  private async beat(): Promise<void> {
    const leases = [...this.held.values()];
    try {
      const tasks = leases.map(({ task }) => task);
      const found = await this.leases.extend(tasks, this.settings.values.leaseSeconds);
      const kept = new Map(found.map(({ id, isCancelled }) => [id, isCancelled]));
      for (const { task, ended, lost } of leases) {
        const isCancelled = kept.get(task.id);
        if (isCancelled === undefined) ended.abort(lost());
        else if (isCancelled) ended.abort(new TaskCancelled(task.id));
      }
    } catch (error) {
      this.logger.warn({ err: error, leases: leases.length }, 'tasks.heartbeat_failed');
    }
    this.timer = undefined;
    if (this.held.size > 0) this.schedule();
  }
}
