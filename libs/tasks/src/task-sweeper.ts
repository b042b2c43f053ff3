import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { BackgroundLoop, NOWHERE_TENANT, MessageThrottle } from '#libs/common';
import { Settings } from '#libs/config';
import { WorkNotifier } from '#libs/queue';
import { TaskKinds } from './task-kinds.js';
import { TaskLeasesRepository, type LostTask } from './task-leases.repository.js';
import { TaskRegistry } from './task-registry.js';
import { TasksRepository } from './tasks.repository.js';

const LONGEST_PAUSE_MS = 1_000;
const BATCH = 200;
/** Number of rounds after which work whose notification was lost is found at the latest. */
const ROUNDS_PER_LOOK = 5;
const ROUNDS_PER_MINUTE = 60;
const QUIET_MS = 60_000;
/** Time for which a new process takes up no tasks, so that a process that is killed right after its start costs no task one of its tries. */
const SETTLING_MS = 500;

/** Finds tasks whose worker died, tasks whose waiting time is over and tasks whose notification was lost, and creates the regular tasks. */
@Injectable()
export class TaskSweeper implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;
  private readonly unhandled = new MessageThrottle(QUIET_MS);
  private rounds = 0;
  private settling: NodeJS.Timeout | undefined;

  constructor(
    private readonly leases: TaskLeasesRepository,
    private readonly tasks: TasksRepository,
    private readonly kinds: TaskKinds,
    private readonly registry: TaskRegistry,
    private readonly notifier: WorkNotifier,
    private readonly settings: Settings,
    private readonly logger: PinoLogger,
  ) {
    const pauseMs = Math.min(LONGEST_PAUSE_MS, (settings.values.leaseSeconds * 1000) / 2);
    this.loop = new BackgroundLoop(
      pauseMs,
      () => this.sweep(),
      (error) => this.logger.warn({ err: error }, 'tasks.sweep_failed'),
    );
  }

  /** Before any worker begins, so that only leases of earlier processes are freed and the first sweep finds them. */
  async onModuleInit(): Promise<void> {
    const { role, vectorStore } = this.settings.values;
    // The embedded store belongs to one process, so anyone who held a lease before this start is dead.
    if (role === 'all' && vectorStore === 'embedded') await this.leases.releaseAll();
  }

  onApplicationBootstrap(): void {
    this.settling = setTimeout(() => this.loop.start(), SETTLING_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.settling);
    await this.loop.stop();
  }

  /** One round; the loop calls it. */
  async sweep(): Promise<void> {
    const now = Date.now();
    const lost = await this.leases.takeLost(BATCH);
    await this.noteLost(lost);
    const kinds = new Set([...lost.map(({ kind }) => kind), ...(await this.leases.wake(BATCH))]);
    if (this.rounds % ROUNDS_PER_LOOK === 0) for (const kind of await this.leases.listWaitingKinds()) kinds.add(kind);
    for (const kind of kinds) this.wake(kind, now);
    this.rounds += 1;
    // Not in the first minute: a service that has just begun is busy with what its predecessor left.
    if (this.rounds % ROUNDS_PER_MINUTE === 0) await this.promiseRegular();
  }

  private wake(kind: string, now: number): void {
    const worker = this.kinds.find(kind);
    if (worker !== undefined) worker.wake(now);
    else this.unhandled.pass((omitted) => this.logger.warn({ kind, omitted }, 'tasks.kind_without_handler'));
  }

  private async noteLost(lost: readonly LostTask[]): Promise<void> {
    for (const kind of new Set(lost.map((task) => task.kind))) {
      await this.kinds.find(kind)?.noteLost?.(lost.filter((task) => task.kind === kind));
    }
  }

  private async promiseRegular(): Promise<void> {
    for (const { definition } of this.registry.list()) {
      const seconds = definition.every(this.settings.values);
      if (seconds === 0) continue;
      const id = await this.tasks.promiseRegular(definition.kind, NOWHERE_TENANT, seconds);
      if (id !== undefined) this.notifier.notify(definition.kind);
    }
  }
}
