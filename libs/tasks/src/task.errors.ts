import { defineErrors } from '#libs/common';

/** Why a task ended, or ends this try. */
export const taskErrors = defineErrors('tasks', {
  payload_invalid: {
    status: 500,
    title: 'Task cannot be understood',
    detail: (f: { kind: string }) =>
      `The payload of this task of kind ${f.kind} is not one that this version of the service understands. Ask for the work again.`,
  },
  principal_gone: {
    status: 403,
    title: 'Who asked for the task has no access any more',
    detail: () => 'The account or API key that asked for this work was removed, disabled or has left the tenant.',
  },
  permission_lost: {
    status: 403,
    title: 'Who asked for the task may not any more',
    detail: (f: { permission: string }) =>
      `The account or API key that asked for this work has lost the permission ${f.permission}.`,
  },
  worker_lost: {
    status: 500,
    title: 'Task ended its workers',
    detail: (f: { tries: number }) =>
      `This task was begun ${f.tries} times without coming to an end. Check the memory of the worker, then ask for the work again.`,
  },
});

/** The work cannot go on now through no fault of its own; it is taken up again after `ms`, and no try is counted. `code`: what the task waits for. */
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

/** The place goes to another tenant, whose task waits; the work goes on when its turn comes again, and no try is counted. */
export class TurnEnded extends Error {
  constructor(readonly taskId: string) {
    super(`Task ${taskId} gave its place to another tenant.`);
    this.name = 'TurnEnded';
  }
}

/** The work cannot be done, however often it is tried. `code` is for programs, the message for people. */
export class TaskFailed extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'TaskFailed';
  }
}

/** Someone else holds the task by now, or it has been removed. */
export class LeaseLost extends Error {
  constructor(readonly taskId: string) {
    super(`The lease of task ${taskId} was lost.`);
    this.name = 'LeaseLost';
  }
}

/** Someone asked that the task be given up. */
export class TaskCancelled extends Error {
  constructor(readonly taskId: string) {
    super(`Task ${taskId} was cancelled.`);
    this.name = 'TaskCancelled';
  }
}
