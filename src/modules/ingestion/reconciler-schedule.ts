import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { newId, NOWHERE_TENANT } from '#libs/common';
import { Settings } from '#libs/config';
import { Outbox } from '#libs/database';
import { jobPayload } from '#libs/queue';
import { BackgroundLoop } from './background-loop.js';
import { MaintenanceTasksRepository } from './maintenance-tasks.repository.js';

const LOOK_MS = 60_000;

/** Has the reconciler run regularly: once per period, however many workers there are. */
@Injectable()
export class ReconcilerSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;
  private readonly periodSeconds: number;
  private startup = true;

  constructor(
    private readonly tasks: MaintenanceTasksRepository,
    private readonly outbox: Outbox,
    settings: Settings,
    logger: PinoLogger,
  ) {
    this.periodSeconds = settings.values.reconcileMinutes * 60;
    this.loop = new BackgroundLoop('reconciler', LOOK_MS, () => this.round(), logger);
  }

  onApplicationBootstrap(): void {
    if (this.periodSeconds > 0) this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** The first round does nothing: a service that has just begun is busy with what its predecessor left. */
  private async round(): Promise<void> {
    if (this.startup) {
      this.startup = false;
      return;
    }
    const taskId = await this.tasks.addRegular('reconcile', this.periodSeconds);
    if (taskId === undefined) return;
    const job = jobPayload('maintenance', { tenantId: NOWHERE_TENANT, taskId, requestId: newId() });
    await this.outbox.addAsSystem('maintenance', [job]);
  }
}
