import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import { delay, withDeadline } from '#libs/common';

/** The only queue: its jobs name a kind of which there is work, never the work itself. */
export const NOTIFICATION_QUEUE = 'work';

/** Payload of a job of the queue. */
export interface WorkNotification {
  readonly kind: string;
}

/** Called when workers are notified of a kind; `notifiedAt` is a time of `Date.now()` after the commit of the work. Must not throw. */
export type WorkListener = (notifiedAt: number) => void;

/** Pause after a notification, in which others arrive that are sent together; longer while they follow each other closely. */
const GATHER_MS = 50;
const BUSY_GATHER_MS = 200;
/** Notifications within this time of the last handing over follow closely. */
const BUSY_MS = 1_000;
/** A notification makes a worker take all the work that it may, so a few notifications represent all that are sent together. */
const MOST_TOGETHER = 2;
const LAST_NOTIFICATIONS_MS = 1_000;

/**
 * Notifies workers in all processes that there is work of a kind. A notification wakes one of the listening processes. It may get lost with the
 * process or the queue, so listeners also look for work by themselves from time to time.
 */
@Injectable()
export class WorkNotifier implements BeforeApplicationShutdown {
  private readonly listeners = new Map<string, Set<WorkListener>>();
  private readonly noted = new Map<string, number>();
  private readonly closing = new AbortController();
  private handing: Promise<void> | undefined;
  private handedAt = -Infinity;

  constructor(
    @InjectQueue(NOTIFICATION_QUEUE) private readonly queue: Queue<WorkNotification>,
    private readonly logger: PinoLogger,
  ) {}

  /** Notifies workers of `times` pieces of work of `kind`; to be called after the commit that created them. Does not wait. */
  notify(kind: string, times = 1): void {
    this.noted.set(kind, Math.min(MOST_TOGETHER, (this.noted.get(kind) ?? 0) + times));
    this.handing ??= this.handOver().finally(() => {
      this.handing = undefined;
    });
  }

  /** Calls `listener` for the notifications of `kind` that reach this process. Returns a function that stops it. */
  listen(kind: string, listener: WorkListener): () => void {
    const ofKind = this.listeners.get(kind) ?? new Set();
    this.listeners.set(kind, ofKind.add(listener));
    return () => ofKind.delete(listener);
  }

  /** Number of notifications in the queue. Rejects when the queue does not answer. */
  async count(): Promise<Readonly<Record<'waiting' | 'active' | 'delayed', number>>> {
    const counts = await this.queue.getJobCounts('waiting', 'active', 'delayed');
    return { waiting: counts['waiting'] ?? 0, active: counts['active'] ?? 0, delayed: counts['delayed'] ?? 0 };
  }

  /** Passes on a notification that the queue brought to those who listen here. */
  pass(kind: string, notifiedAt: number): void {
    for (const listener of this.listeners.get(kind) ?? []) listener(notifiedAt);
  }

  /** The last notifications are handed over, if the queue takes them at once. */
  async beforeApplicationShutdown(): Promise<void> {
    this.closing.abort(new Error('The service is stopping.'));
    if (this.handing === undefined) return;
    await withDeadline(this.handing, LAST_NOTIFICATIONS_MS, () => new Error('The queue does not answer.')).catch(
      (error: unknown) => this.logger.warn({ err: error }, 'queue.rings_lost'),
    );
  }

  /** While the queue is away this waits for it, and notifications that come meanwhile are handed over together afterwards. */
  private async handOver(): Promise<void> {
    while (this.noted.size > 0) {
      const pauseMs = performance.now() - this.handedAt < BUSY_MS ? BUSY_GATHER_MS : GATHER_MS;
      await delay(pauseMs, this.closing.signal).catch(() => undefined);
      const notifications = [...this.noted].flatMap(([kind, times]) => Array.from({ length: times }, () => ({ kind })));
      this.noted.clear();
      try {
        await this.queue.addBulk(
          notifications.map((one) => ({
            name: one.kind,
            data: one,
            opts: { removeOnComplete: true, removeOnFail: true },
          })),
        );
      } catch (error) {
        this.logger.warn({ err: error, rings: notifications.length }, 'queue.rings_lost');
      }
      this.handedAt = performance.now();
    }
  }
}
