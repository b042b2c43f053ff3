import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { newId } from '#libs/common';
import { Settings } from '#libs/config';
import { Outbox } from '#libs/database';
import { jobPayload } from '#libs/queue';
import { BackgroundLoop } from './background-loop.js';
import { ExpiredRequests } from './expired-requests.js';
import { IngestionTasksRepository } from './ingestion-tasks.repository.js';
import { LostDocuments } from './lost-documents.js';
import { MaintenanceTasksRepository } from './maintenance-tasks.repository.js';

const LONGEST_PAUSE_MS = 1_000;
const ROUNDS_PER_MAINTENANCE = 5;
/** Old requests are forgotten about hourly, the first time a minute after the start. */
const ROUNDS_PER_FORGETTING = 3_600;
const FIRST_FORGETTING = 60;
const BATCH = 200;
/** A permit makes a worker take everything that it may; a few of them reach a few workers. */
const PERMITS = 4;
/** A task that nobody took for so long is promised again: its permit may have been lost with the queue. */
const QUIET_SECONDS = 10;
/** Maintenance reports its progress all the time. */
const MAINTENANCE_QUIET_SECONDS = 60;

/** Finds tasks whose time to wait is over, whose worker died or whose permit got lost, and promises them anew. */
@Injectable()
export class StrandedTasksSweeper implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;
  private rounds = 0;

  constructor(
    private readonly tasks: IngestionTasksRepository,
    private readonly lost: LostDocuments,
    private readonly maintenance: MaintenanceTasksRepository,
    private readonly requests: ExpiredRequests,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    logger: PinoLogger,
  ) {
    const pauseMs = Math.min(LONGEST_PAUSE_MS, (settings.values.leaseSeconds * 1000) / 2);
    this.loop = new BackgroundLoop('stranded-tasks', pauseMs, () => this.sweep(), logger);
  }

  /** Before any worker begins, so that only leases of earlier processes are freed and the first sweep finds them. */
  async onModuleInit(): Promise<void> {
    const { role, vectorStore } = this.settings.values;
    // The embedded store belongs to one process, so whoever held a lease before this start is dead.
    if (role !== 'all' || vectorStore !== 'embedded') return;
    await this.tasks.releaseAll();
    await this.maintenance.releaseAll();
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async sweep(): Promise<void> {
    const lost = await this.tasks.takeLost(BATCH);
    const woken = await this.tasks.wake(BATCH);
    // At the start permits of an earlier process may be gone, or be held by the queue until it notices its death.
    const hasNews = this.rounds === 0 || lost.length > 0 || woken > 0;
    await this.tasks.promiseWaiting(PERMITS, hasNews ? 0 : QUIET_SECONDS, (waiting) => {
      const jobs = waiting.map(({ tenantId, documentId }) =>
        jobPayload('ingestion', { tenantId, documentId, requestId: newId() }),
      );
      return this.outbox.addAsSystem('ingestion', jobs);
    });
    await this.lost.note(lost);
    this.rounds += 1;
    if (this.rounds % ROUNDS_PER_MAINTENANCE === 1) await this.sweepMaintenance();
    if (this.rounds % ROUNDS_PER_FORGETTING === FIRST_FORGETTING) await this.requests.forget();
  }

  private async sweepMaintenance(): Promise<void> {
    await this.maintenance.forgetFinished();
    await this.maintenance.takeStranded(BATCH, MAINTENANCE_QUIET_SECONDS, (open) => {
      const jobs = open.map(({ tenantId, id }) =>
        jobPayload('maintenance', { tenantId, taskId: id, requestId: newId() }),
      );
      return this.outbox.addAsSystem('maintenance', jobs);
    });
  }
}
