import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import { Outbox, type OutboxRow } from '#libs/database';
import type { QueueName } from './jobs.js';

const POLL_MS = 1_000;
/** Pause after news, in which more arrive that can be handed over together; longer while news follow each other closely. */
const GATHER_MS = 50;
const BUSY_GATHER_MS = 200;
/** News within this time of the last handing over follow closely. */
const BUSY_MS = 1_000;
const BATCH = 200;
/** A permit makes a worker take everything that it may, so a few of them stand for all that are handed over together. */
const MOST_PERMITS = 2;

/** Hands promised jobs to the queues. A crash between handing over and forgetting gives the same job id again, which is one job. */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopped = false;
  private wake: () => void = () => undefined;
  private running: Promise<void> = Promise.resolve();
  private unsubscribe: () => void = () => undefined;
  private readonly queues: Readonly<Record<QueueName, Queue>>;

  constructor(
    private readonly outbox: Outbox,
    private readonly logger: PinoLogger,
    @InjectQueue('ingestion') ingestion: Queue,
    @InjectQueue('maintenance') maintenance: Queue,
  ) {
    this.queues = { ingestion, maintenance };
  }

  onApplicationBootstrap(): void {
    this.unsubscribe = this.outbox.onAdded(() => this.wake());
    this.running = this.loop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    this.wake();
    await this.running;
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const nudged = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const moved = await this.move();
      if (moved >= BATCH) continue;
      const movedAt = Date.now();
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        nudged,
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, POLL_MS);
        }),
      ]);
      clearTimeout(timer);
      const gatherMs = moved > 0 && Date.now() - movedAt < BUSY_MS ? BUSY_GATHER_MS : GATHER_MS;
      if (!this.stopped) await new Promise((resolve) => setTimeout(resolve, gatherMs));
    }
  }

  /** A database or queue that is away is tried again at the next round; the promises stay where they are. */
  private async move(): Promise<number> {
    try {
      return await this.outbox.drain(BATCH, (rows) => this.deliver(rows));
    } catch (error) {
      this.logger.warn({ err: error }, 'outbox.relay_failed');
      return 0;
    }
  }

  private async deliver(rows: readonly OutboxRow[]): Promise<void> {
    for (const name of Object.keys(this.queues) as QueueName[]) {
      const all = rows.filter((row) => row.queue === name);
      const mine = name === 'ingestion' ? all.slice(0, MOST_PERMITS) : all;
      if (mine.length === 0) continue;
      await this.queues[name].addBulk(
        mine.map((row) => ({
          name,
          data: row.payload,
          opts: {
            jobId: row.id,
            removeOnComplete: true,
            removeOnFail: name === 'ingestion' || { age: 86_400, count: 1_000 },
            // A permit fails only with the database or the queue; work that is left is promised anew.
            attempts: name === 'ingestion' ? 1 : 5,
            backoff: { type: 'exponential', delay: 1_000 },
          },
        })),
      );
    }
  }
}
