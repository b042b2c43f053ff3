import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { newId } from '#libs/common';
import { Settings } from '#libs/config';
import { TaskLeases, TaskLeasesRepository, type HeldTask } from '#libs/tasks';
import { claimLimits } from '../claiming/claim-limits.js';
import { FairClaims, MOST_TOGETHER } from '../claiming/fair-claims.js';
import { IngestionPipeline } from '../pipeline/ingestion-pipeline.service.js';
import { IngestionTasksRepository, type ClaimedTask } from '../claiming/ingestion-tasks.repository.js';
import { SpaceWatch, systemContext, AttemptEnded } from '../../documents/index.js';

/** Allowed difference between the clocks of two hosts; beyond it, the sweeper wakes the worker. */
const CLOCKS_DIFFER_MS = 1_000;

/** Processes waiting documents in the order of the database, with the configured number of runs at once. */
@Injectable()
export class IngestionRunner {
  private readonly worker = randomUUID();
  private readonly claims = new FairClaims(() => this.claim());
  private readonly stopping = new AbortController();
  private readonly loops = new Set<Promise<void>>();
  private runs = 0;
  /** True when a task was enqueued while all loops ran, each of which may be about to end. */
  private isAsked = false;

  constructor(
    private readonly tasks: IngestionTasksRepository,
    private readonly leaseRows: TaskLeasesRepository,
    private readonly leases: TaskLeases,
    private readonly pipeline: IngestionPipeline,
    private readonly space: SpaceWatch,
    private readonly settings: Settings,
    private readonly logger: PinoLogger,
  ) {}

  /**
   * Reports that there is a task since `promisedAt`, a time of `Date.now()`. The worker takes everything that it may take before it rests,
   * so tasks enqueued before an empty claim have been taken.
   */
  wake(promisedAt: number): void {
    if (promisedAt < this.claims.lastEmptyAt - CLOCKS_DIFFER_MS) return;
    this.isAsked = true;
    this.startLoop();
  }

  /** Resolves when no run is left or about to begin, unless `wake` is called meanwhile. */
  async settled(): Promise<void> {
    while (this.loops.size > 0) await Promise.all(this.loops);
  }

  /** Gives running documents back, and resolves when no run is left. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('The service is stopping.'));
    await this.settled();
  }

  private startLoop(): void {
    if (this.stopping.signal.aborted || this.loops.size >= this.settings.values.workerConcurrency) return;
    const loop: Promise<void> = this.loop().finally(() => this.loops.delete(loop));
    this.loops.add(loop);
  }

  /** One run after another. A loop that found work starts another loop, which may find more. */
  private async loop(): Promise<void> {
    try {
      while (!this.stopping.signal.aborted) {
        this.isAsked = false;
        const tasks = await this.claims.next();
        if (tasks.length === 0) {
          // The claim may have begun before a task that was enqueued while it ran.
          if (this.isAsked) continue;
          return;
        }
        this.startLoop();
        await this.work(tasks);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'ingestion.claim_failed');
    }
  }

  private async claim(): Promise<ClaimedTask[] | null> {
    if (this.stopping.signal.aborted || (await this.space.isLow())) return [];
    const { leaseSeconds, workerConcurrency, tenantConcurrency } = this.settings.values;
    return this.tasks.claim({
      worker: this.worker,
      run: String((this.runs += 1)),
      leaseSeconds,
      most: MOST_TOGETHER,
      limits: claimLimits(workerConcurrency, tenantConcurrency),
    });
  }

  private async work(tasks: readonly ClaimedTask[]): Promise<void> {
    const stopping = this.stopping.signal;
    const held = tasks.map((task) => ({ task, signal: AbortSignal.any([this.hold(task), stopping]) }));
    const ctx = systemContext(tasks[0]!.tenantId, tasks[0]!.requestId ?? newId());
    try {
      await this.leaseRows.drop((await this.pipeline.run(ctx, held, stopping)).map(toHeld));
    } catch (error) {
      // The leases expire, and the sweeper frees the documents.
      this.logger.error({ err: error, documents: tasks.length, requestId: ctx.requestId }, 'ingestion.run_failed');
    } finally {
      this.leases.release(tasks.map(toHeld));
    }
  }

  private hold(task: ClaimedTask): AbortSignal {
    return this.leases.hold(toHeld(task), () => new AttemptEnded(task.documentId));
  }
}

function toHeld({ documentId, token }: Pick<ClaimedTask, 'documentId' | 'token'>): HeldTask {
  return { id: documentId, token };
}
