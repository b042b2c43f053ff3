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
import { IngestionTasksRepository } from './ingestion-tasks.repository.js';
import { MaintenanceTasksRepository } from './maintenance-tasks.repository.js';

const BATCH = 200;
/** A task that nobody took for so long is promised again: its job may have been lost with the queue. */
const QUIET_SECONDS = 300;
/** Maintenance reports its progress all the time. */
const MAINTENANCE_QUIET_SECONDS = 60;

/** Finds tasks whose worker died or whose job got lost, and promises them anew. */
@Injectable()
export class StrandedTasksSweeper implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;

  constructor(
    private readonly tasks: IngestionTasksRepository,
    private readonly maintenance: MaintenanceTasksRepository,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    logger: PinoLogger,
  ) {
    const pauseMs = Math.min(5_000, (settings.values.leaseSeconds * 1000) / 2);
    this.loop = new BackgroundLoop('stranded-tasks', pauseMs, () => this.sweep(), logger);
  }

  /** Before any worker begins, so that only leases of earlier processes are freed and the first sweep finds them. */
  async onModuleInit(): Promise<void> {
    const { role, vectorStore } = this.settings.values;
    // The embedded store belongs to one process, so whoever held a lease before this start is dead.
    if (role === 'all' && vectorStore === 'embedded') await this.tasks.releaseAll();
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async sweep(): Promise<void> {
    await this.tasks.takeStranded(BATCH, QUIET_SECONDS, (stranded) => {
      const jobs = stranded.map(({ tenantId, documentId }) =>
        jobPayload('ingestion', { tenantId, documentId, requestId: newId() }),
      );
      return this.outbox.addAsSystem('ingestion', jobs);
    });
    await this.maintenance.forgetFinished();
    await this.maintenance.takeStranded(BATCH, MAINTENANCE_QUIET_SECONDS, (open) => {
      const jobs = open.map(({ tenantId, id }) =>
        jobPayload('maintenance', { tenantId, taskId: id, requestId: newId() }),
      );
      return this.outbox.addAsSystem('maintenance', jobs);
    });
  }
}
