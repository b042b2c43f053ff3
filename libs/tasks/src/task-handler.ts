import { DiscoveryService } from '@nestjs/core';
import type { JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { TaskDefinition } from './task-definition.js';

/** A task under the lease of this process. */
export interface RunningTask<P extends object> {
  readonly id: string;
  /** Context with the tenant of the task and the request that created it; acts as the service, or as the requester with its current permissions. */
  readonly ctx: RequestContext;
  readonly payload: P;
  /** Latest progress that earlier tries reported; empty in the first try. */
  readonly progress: JsonObject;
  /** Number of times that the task was started, including this one. */
  readonly tries: number;
  /** Fencing token, higher than that of every earlier try. It is written beside results, so that a late write of an earlier try is refused. */
  readonly fencingToken: string;
  /** Aborted when the task is cancelled, its lease is lost or the service stops; the work must end then. */
  readonly signal: AbortSignal;
  /**
   * Stores the progress of the work. It is shown to those who watch the task, and given to the next try, which can continue from it.
   * @throws the reason of `signal` once it has fired, and when someone else holds the task by now
   */
  report(progress: JsonObject): Promise<void>;
  /**
   * To be called between two units of work, when the results of the last one are stored. After 5 s of work the worker is given to another
   * tenant's waiting task; this task is continued later, and no try is counted. `progress` is reported only in this case.
   * @throws `TurnEnded`, which the handler passes on; the reason of `signal` once it has fired
   */
  giveWay(progress?: JsonObject): Promise<void>;
}

/**
 * Runs the tasks of a kind. A task may be started again at any point, also while an earlier try has not yet noticed that it lost its lease, so
 * doing the same work twice must lead to the same state.
 */
export interface TaskHandler<P extends object> {
  /**
   * The result is stored as the last progress. Throws `TaskPostponed` to wait without counting a try, `TaskFailed` to fail at once, and any other
   * error to be tried again.
   */
  run(task: RunningTask<P>): Promise<JsonObject | void>;
}

export const HANDLED_TASK = DiscoveryService.createDecorator<TaskDefinition>();

type HandlerClass<P extends object> = new (...parameters: never[]) => TaskHandler<P>;

/** Marks the only provider that runs the tasks of a kind; it is found at start in any module. */
export function TaskHandler<P extends object>(definition: TaskDefinition<P>): (target: HandlerClass<P>) => void {
  return (target) => HANDLED_TASK(definition as unknown as TaskDefinition)(target);
}
