import { newId, type JsonObject } from '#libs/common';
import type { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { RunningTask, TaskHandler } from '../task-handler.js';
import { TurnEnded } from '../task.errors.js';
import { TaskLeasesRepository } from '../task-leases.repository.js';
import { Tasks } from '../tasks.js';
import { TasksRepository } from '../tasks.repository.js';

const MANY = 1_000;
const MOST_TURNS = 1_000;

/** Promises over a database, with notifications that reach no one. */
export function tasksOver(unitOfWork: UnitOfWork): Tasks {
  return new Tasks(unitOfWork, new TasksRepository(unitOfWork), { notify: () => undefined });
}

/** Lets all tasks be taken whose time to wait is over, as the sweeper of a process that works does. */
export async function wakeDueTasks(unitOfWork: UnitOfWork): Promise<void> {
  await new TaskLeasesRepository(unitOfWork).wake(MANY);
}

/** A task as its handler sees it, for handlers that are called by hand. */
export function runningTask<P extends object>(
  ctx: RequestContext,
  payload: P,
  report: (progress: JsonObject) => Promise<void> = async () => undefined,
): RunningTask<P> {
  const signal = new AbortController().signal;
  return {
    id: newId(),
    ctx,
    payload,
    progress: {},
    tries: 1,
    fencingToken: '1',
    signal,
    report,
    giveWay: async () => undefined,
  };
}

/**
 * Carries a task out as if another tenant waited all the time: each turn ends at the first place where its handler gives way, and the
 * next one has its progress. Resolves to how many turns it took, and to the result. Rejects when the handler comes to no end.
 */
export async function inTurns<P extends object>(
  handler: TaskHandler<P>,
  task: RunningTask<P>,
): Promise<{ readonly turns: number; readonly result: JsonObject | void }> {
  let { progress } = task;
  const report = async (next: JsonObject): Promise<void> => {
    // As the database keeps it.
    progress = JSON.parse(JSON.stringify(next)) as JsonObject;
    await task.report(progress);
  };
  const giveWay = async (next?: JsonObject): Promise<void> => {
    if (next !== undefined) await report(next);
    throw new TurnEnded(task.id);
  };
  for (let turns = 1; turns <= MOST_TURNS; turns += 1) {
    try {
      return { turns, result: await handler.run({ ...task, progress, report, giveWay }) };
    } catch (error) {
      if (!(error instanceof TurnEnded)) throw error;
    }
  }
  throw new Error(`The task came to no end in ${MOST_TURNS} turns: its handler does the same again and again.`);
}
