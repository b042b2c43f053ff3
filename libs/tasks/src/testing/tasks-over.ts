import { newId, type JsonObject } from '#libs/common';
import type { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { RunningTask } from '../task-handler.js';
import { TaskLeasesRepository } from '../task-leases.repository.js';
import { Tasks } from '../tasks.js';
import { TasksRepository } from '../tasks.repository.js';

const MANY = 1_000;

/** Promises over a database, with a bell that nobody hears. */
export function tasksOver(unitOfWork: UnitOfWork): Tasks {
  return new Tasks(unitOfWork, new TasksRepository(unitOfWork), { ring: () => undefined });
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
  return { id: newId(), ctx, payload, progress: {}, tries: 1, fencingToken: '1', signal, report };
}
