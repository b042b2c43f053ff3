import { randomUUID } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { delay } from '#libs/common';
import { Settings } from '#libs/config';
import { TaskKinds, type KindWorker } from './task-kinds.js';
import { TaskLeases } from './task-leases.js';
import { TaskRegistry, type HandledKind } from './task-registry.js';
import { TaskRun } from './task-run.js';
import { TasksRepository, type ClaimedTask } from './tasks.repository.js';

/** Pause before a claim is made again whose task another transaction held. */
const HELD_PAUSE_MS = 20;

/** Runs the tasks of every kind that has a handler in this process. */
@Injectable()
export class TaskRunner implements OnModuleInit, BeforeApplicationShutdown {
  private readonly worker = randomUUID();
  private readonly stopping = new AbortController();
  private readonly kinds: KindLoop[] = [];

  constructor(
    private readonly registry: TaskRegistry,
    private readonly workers: TaskKinds,
    private readonly tasks: TasksRepository,
    private readonly leases: TaskLeases,
    private readonly taskRun: TaskRun,
    private readonly settings: Settings,
    private readonly logger: PinoLogger,
  ) {}

  onModuleInit(): void {
    for (const handled of this.registry.list()) {
      const loop = new KindLoop(
        handled,
        () => this.claim(handled),
        (task) => this.carryOut(handled, task),
        this.stopping,
        this.logger,
      );
      this.kinds.push(loop);
      this.workers.register(loop);
    }
  }

  /** Starts no more tasks, has running tasks given back, and resolves when none runs. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.kinds.map((kind) => kind.stop()));
    await this.settled();
  }

  /** Resolves when no task runs and none is about to begin, unless a kind is woken meanwhile. */
  async settled(): Promise<void> {
    while (this.kinds.some((kind) => kind.isBusy)) await Promise.all(this.kinds.map((kind) => kind.settled()));
  }

  /** Tasks that need space are not started while there is too little; the sweeper checks again. */
  private async claim({ definition }: HandledKind): Promise<ClaimedTask | null | undefined> {
    if (!(await this.taskRun.mayBegin(definition))) return undefined;
    return this.tasks.claim(definition, this.worker, this.settings.values.leaseSeconds);
  }

  private async carryOut(handled: HandledKind, task: ClaimedTask): Promise<void> {
    const signal = AbortSignal.any([this.leases.hold(task), this.stopping.signal]);
    try {
      await this.taskRun.carryOut(handled, task, signal);
    } catch (error) {
      // The lease runs out, and anyone who looks for ended ones frees the task.
      this.logger.error({ err: error, taskId: task.id, kind: handled.definition.kind }, 'task.end_not_written');
    } finally {
      this.leases.release([task]);
    }
  }
}

/** Claims tasks of one kind, one after the other, and runs as many at once as the kind may. */
class KindLoop implements KindWorker {
  private readonly runs = new Set<Promise<void>>();
  private looking: Promise<void> | undefined;
  private isAsked = false;

  constructor(
    private readonly handled: HandledKind,
    /** Null when another transaction holds in this moment what is next. */
    private readonly claim: () => Promise<ClaimedTask | null | undefined>,
    private readonly carryOut: (task: ClaimedTask) => Promise<void>,
    /** Shared by the kinds of a process, which stop together. */
    private readonly stopping: AbortController,
    private readonly logger: PinoLogger,
  ) {}

  get kind(): string {
    return this.handled.definition.kind;
  }

  get longestUnit(): string {
    return this.handled.definition.longestUnit;
  }

  get isBusy(): boolean {
    return this.looking !== undefined || this.runs.size > 0;
  }

  wake(): void {
    this.isAsked = true;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
      // Asked for after the last claim had found nothing.
      if (this.isAsked && this.hasRoom) this.wake();
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('The service is stopping.'));
    while (this.isBusy) await this.settled();
  }

  async settled(): Promise<void> {
    await this.looking;
    await Promise.all(this.runs);
  }

  private get hasRoom(): boolean {
    return !this.stopping.signal.aborted && this.runs.size < this.handled.definition.concurrency;
  }

  private async look(): Promise<void> {
    try {
      while (this.isAsked && this.hasRoom) {
        this.isAsked = false;
        for (let task = await this.claim(); task !== undefined; task = this.hasRoom ? await this.claim() : undefined) {
          if (task === null) await delay(HELD_PAUSE_MS);
          else this.begin(task);
        }
      }
    } catch (error) {
      this.isAsked = false;
      this.logger.warn({ err: error, kind: this.kind }, 'tasks.claim_failed');
    }
  }

  private begin(task: ClaimedTask): void {
    const run: Promise<void> = this.carryOut(task).finally(() => {
      this.runs.delete(run);
      this.wake();
    });
    this.runs.add(run);
  }
}
