import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { TaskKinds, type KindWorker, type LostTask } from '#libs/tasks';
import { INGESTION_KIND } from '../../documents/index.js';
import { IngestionRunner } from './ingestion-runner.service.js';
import { LostDocuments } from '../../indexing/index.js';

/** Wakes the runner when documents wait, and stops it with the service. */
@Injectable()
export class IngestionWorker implements KindWorker, OnModuleInit, BeforeApplicationShutdown {
  readonly kind = INGESTION_KIND;
  readonly longestUnit = 'one document, or 32 small ones of a dataset';

  constructor(
    private readonly runner: IngestionRunner,
    private readonly lost: LostDocuments,
    private readonly kinds: TaskKinds,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  async stop(): Promise<void> {
    await this.runner.stop();
  }

  wake(promisedAt: number): void {
    this.runner.wake(promisedAt);
  }

  async noteLost(tasks: readonly LostTask[]): Promise<void> {
    await this.lost.note(tasks);
  }
}
