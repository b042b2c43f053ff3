import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { catalogueErrorOf, newId, pauseAfter, type JsonObject } from '#libs/common';
import { BackupUnderWay } from '#libs/database';
import { Metrics } from '#libs/metrics';
import { StorageSpace } from '#libs/storage-space';
import { PresentPrincipals, type Principal, type RequestContext } from '#libs/tenancy';
import type { RunningTask } from './task-handler.js';
import type { HandledKind } from './task-registry.js';
import { LeaseLost, TaskCancelled, taskErrors, TaskFailed, TaskPostponed, TurnEnded } from './task.errors.js';
import type { TryEnd } from './task-ends.js';
import { TaskRules } from './task-rules.js';
import { TaskTurn } from './task-turn.js';
import { TasksRepository, type ClaimedTask } from './tasks.repository.js';
import type { TaskDefinition } from './task-definition.js';

/** Pause between two checks whether the backup that keeps files has ended. */
const BACKUP_PAUSE_MS = 60_000;
const FAILED_WITHOUT_CODE = 'INTERNAL_ERROR';

/** One try of one task, from its claim to its end. */
@Injectable()
export class TaskRun {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly principals: PresentPrincipals,
    private readonly metrics: Metrics,
    private readonly space: StorageSpace,
    private readonly rules: TaskRules,
    private readonly logger: PinoLogger,
  ) {}

  /** Whether there is the space that the kind of work needs. */
  async mayBegin({ needsSpace }: TaskDefinition): Promise<boolean> {
    return !needsSpace || !(await this.space.isLow());
  }

  /** Runs the task and records the outcome; throws only errors of the database. `signal` is aborted when the lease ends or the service stops. */
  async carryOut(handled: HandledKind, task: ClaimedTask, signal: AbortSignal): Promise<void> {
    const { kind, isRoutine } = handled.definition;
    const began = performance.now();
    const { end, error } = await this.tryOnce(handled, task, signal);
    const isKept = end !== null && (await this.tasks.end(task, end));
    const outcome = isKept ? outcomeOf(end) : 'lease_lost';
    this.metrics.observeTask(kind, outcome, (performance.now() - began) / 1000);
    const facts = { taskId: task.id, kind, tries: task.tries, requestId: task.requestId };
    if (outcome === 'failed' || outcome === 'retried') this.logger.warn({ err: error, ...facts }, `task.${outcome}`);
    else this.logger[isRoutine ? 'debug' : 'info'](facts, `task.${outcome}`);
  }

  private async tryOnce(
    handled: HandledKind,
    task: ClaimedTask,
    signal: AbortSignal,
  ): Promise<{ readonly end: TryEnd | null; readonly error?: unknown }> {
    const { definition, handler } = handled;
    try {
      if (definition.mostTries !== null && task.tries > definition.mostTries) {
        throw taskErrors.worker_lost({ tries: task.tries - 1 });
      }
      signal.throwIfAborted();
      const progress = await handler.run(await this.running(handled, task, signal));
      return { end: { status: 'completed', progress: progress ?? null, isRemoved: definition.isRoutine } };
    } catch (error) {
      return { end: endAfter(error, handled, task, signal), error };
    }
  }

  private async running(
    { definition }: HandledKind,
    task: ClaimedTask,
    signal: AbortSignal,
  ): Promise<RunningTask<object>> {
    const ctx: RequestContext = {
      tenantId: task.tenantId,
      principal: await this.principalOf(definition.permission, task),
      requestId: task.requestId ?? newId(),
    };
    const turn = new TaskTurn(this.tasks, this.rules, definition.kind, task);
    const report = async (progress: JsonObject): Promise<void> => {
      signal.throwIfAborted();
      if (!(await this.tasks.report(task, progress))) throw new LeaseLost(task.id);
    };
    return {
      id: task.id,
      ctx,
      payload: parsed(definition, task),
      progress: task.progress,
      tries: task.tries,
      fencingToken: task.token,
      signal,
      report,
      giveWay: async (progress) => {
        signal.throwIfAborted();
        if (!(await turn.isOver())) return;
        if (progress !== undefined) await report(progress);
        throw turn.ended();
      },
    };
  }

  /** The requester with its current permissions. */
  private async principalOf(
    permission: HandledKind['definition']['permission'],
    task: ClaimedTask,
  ): Promise<Principal> {
    if (permission === null) return { kind: 'system', permissions: new Set() };
    const principal = task.principal === null ? null : await this.principals.find(task.tenantId, task.principal);
    if (principal === null) throw taskErrors.principal_gone({});
    if (!principal.permissions.has(permission)) throw taskErrors.permission_lost({ permission });
    return principal;
  }
}

function parsed({ kind, parse }: HandledKind['definition'], task: ClaimedTask): object {
  try {
    return parse(task.payload);
  } catch (error) {
    throw taskErrors.payload_invalid({ kind }, { cause: error });
  }
}

/** Errors that another try cannot mend. */
const FINAL = new Set(
  ['payload_invalid', 'principal_gone', 'permission_lost', 'worker_lost'].map((key) => `tasks.${key}`),
);

/** Null when another worker holds the task. */
function endAfter(error: unknown, { definition }: HandledKind, task: ClaimedTask, signal: AbortSignal): TryEnd | null {
  const reason = signal.aborted ? (signal.reason as unknown) : error;
  if (reason instanceof LeaseLost) return null;
  if (reason instanceof TaskCancelled) return { status: 'cancelled' };
  if (signal.aborted || error instanceof TurnEnded) return { status: 'open', waitMs: 0, counts: false, reason: null };
  const told = { code: codeOf(error), message: error instanceof Error ? error.message : String(error) };
  if (error instanceof TaskPostponed || error instanceof BackupUnderWay) {
    const waitMs = error instanceof TaskPostponed ? error.ms : BACKUP_PAUSE_MS;
    return { status: 'open', waitMs, counts: false, reason: told };
  }
  const isLast = definition.mostTries !== null && task.tries >= definition.mostTries;
  if (error instanceof TaskFailed || isLast || FINAL.has(told.code)) return { status: 'failed', ...told };
  return { status: 'open', waitMs: pauseAfter(task.tries), counts: true, reason: told };
}

function codeOf(error: unknown): string {
  const known = error instanceof TaskFailed ? error : catalogueErrorOf(error);
  if (known !== undefined) return known.code;
  if (error instanceof TaskPostponed) return error.code;
  return error instanceof BackupUnderWay ? 'POSTPONED' : FAILED_WITHOUT_CODE;
}

function outcomeOf(end: TryEnd): 'completed' | 'cancelled' | 'failed' | 'retried' | 'postponed' {
  if (end.status !== 'open') return end.status;
  return end.counts ? 'retried' : 'postponed';
}
