import { DiscoveryService } from '@nestjs/core';
import type { JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { TaskDefinition } from './task-definition.js';

/** A task under the lease of this process. */
export interface RunningTask<P extends object> {
  readonly id: string;
  /** The tenant and the request that promised it; acts as the service, or as who asked, with the rights of this moment. */
  readonly ctx: RequestContext;
  readonly payload: P;
  /** What the earlier tries have reported last; empty at the first one. */
  readonly progress: JsonObject;
  /** How often it has been begun, this time included. */
  readonly tries: number;
  /** Higher than that of every earlier try: to be written beside results, so that a late write of an earlier try is refused. */
  readonly fencingToken: string;
  /** Fires when the task was cancelled, when its lease was lost and when the service stops; work is to end then. */
  readonly signal: AbortSignal;
  /**
   * Keeps where the work is: shown to anyone who watches, and given to the next try, which can go on from there.
   * @throws the reason of `signal` once it has fired, and when someone else holds the task by now
   */
  report(progress: JsonObject): Promise<void>;
  /**
   * To be called between two units of work, with what the last one did kept. After 5 s of work the place goes to another tenant whose task
   * waits; this one goes on later, and no try is counted. `progress` is reported in that case alone.
   * @throws `TurnEnded`, which the handler passes on; the reason of `signal` once it has fired
   */
  giveWay(progress?: JsonObject): Promise<void>;
}

/**
 * Carries out the tasks of a kind. A task may be begun again at any point, also while an earlier try has not noticed yet that it
 * lost its lease: the same work twice must come to the same state.
 */
export interface TaskHandler<P extends object> {
  /** What it resolves to is kept as the last progress. Throws to be tried again, `TaskPostponed` to wait without counting a try, `TaskFailed` to give up. */
  run(task: RunningTask<P>): Promise<JsonObject | void>;
}

export const HANDLED_TASK = DiscoveryService.createDecorator<TaskDefinition>();

type HandlerClass<P extends object> = new (...parameters: never[]) => TaskHandler<P>;

/** Marks the one provider that carries out the tasks of a kind; it is found when the process starts, wherever its module is. */
export function TaskHandler<P extends object>(definition: TaskDefinition<P>): (target: HandlerClass<P>) => void {
  return (target) => HANDLED_TASK(definition as unknown as TaskDefinition)(target);
}
