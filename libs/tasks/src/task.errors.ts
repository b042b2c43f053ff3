import { defineErrors } from '#libs/common';

/** Why a task, or this try of it, ended. */
export const taskErrors = defineErrors('tasks', {
  payload_invalid: {
    status: 500,
    title: 'Task cannot be understood',
    detail: (f: { kind: string }) =>
      `This version of the service does not understand the payload of this task of kind ${f.kind}. Start the work again.`,
  },
  principal_gone: {
    status: 403,
    title: 'The requester of the task has lost access',
    detail: () => 'The account or API key that started this work was removed or disabled, or has left the tenant.',
  },
  permission_lost: {
    status: 403,
    title: 'The requester of the task has lost a permission',
    detail: (f: { permission: string }) =>
      `The account or API key that started this work has lost the permission ${f.permission}.`,
  },
  worker_lost: {
    status: 500,
    title: 'Task ended with its workers',
    detail: (f: { tries: number }) =>
      `This task was started ${f.tries} times, and each time its worker ended before the task did. Check the memory of the worker, then start the work again.`,
  },
});

/**
 * The work has to wait for something outside of the task. It is continued after `ms` milliseconds, and no try is counted. `code`: what the task
 * waits for.
 */
export class TaskPostponed extends Error {
  constructor(
    reason: string,
    readonly ms: number,
    readonly code: 'POSTPONED' | 'NOT_DUE' = 'POSTPONED',
  ) {
    super(reason);
    this.name = 'TaskPostponed';
  }
}

/** The worker is given to the waiting task of another tenant. The work is continued in its next turn, and no try is counted. */
export class TurnEnded extends Error {
  constructor(readonly taskId: string) {
    super(`Task ${taskId} gave its place to another tenant.`);
    this.name = 'TurnEnded';
  }
}

/** The work cannot be done by any further try. `code` is for programs, the message for people. */
export class TaskFailed extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'TaskFailed';
  }
}

/** Another worker holds the task, or the task was removed. */
export class LeaseLost extends Error {
  constructor(readonly taskId: string) {
    super(`The lease of task ${taskId} was lost.`);
    this.name = 'LeaseLost';
  }
}

/** Cancellation of the task was requested. */
export class TaskCancelled extends Error {
  constructor(readonly taskId: string) {
    super(`Task ${taskId} was cancelled.`);
    this.name = 'TaskCancelled';
  }
}
