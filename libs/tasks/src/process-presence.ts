import { randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { BackgroundLoop, MessageThrottle, reasonOf } from '#libs/common';
import type { ProcessEntity } from './process.entity.js';
import { ProcessesRepository, SEEN_EVERY_MS } from './processes.repository.js';

/** The record of a process. */
export const PRESENT_PROCESS = Symbol('present process');
export type PresentProcess = Pick<ProcessEntity, 'role' | 'version'>;

const QUIET_MS = 60_000;

/** Records a sign of life of this process every few seconds, and its end. */
@Injectable()
export class ProcessPresence implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private readonly throttle = new MessageThrottle(QUIET_MS);
  private readonly loop: BackgroundLoop;

  constructor(
    @Inject(PRESENT_PROCESS) private readonly process: PresentProcess,
    private readonly processes: ProcessesRepository,
    private readonly logger: PinoLogger,
  ) {
    this.loop = new BackgroundLoop(
      SEEN_EVERY_MS,
      () => this.noteSeen(),
      (error) => this.report(error),
    );
  }

  /** Before anybody looks whether someone works. */
  async onModuleInit(): Promise<void> {
    await this.noteSeen().catch((error: unknown) => this.report(error));
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.processes.noteLeft(this.id).catch((error: unknown) => this.report(error));
  }

  private async noteSeen(): Promise<void> {
    await this.processes.noteSeen({ id: this.id, ...this.process });
  }

  private report(error: unknown): void {
    this.throttle.pass((omitted) =>
      this.logger.warn({ reason: reasonOf(error), omitted }, 'process.presence_not_noted'),
    );
  }
}
