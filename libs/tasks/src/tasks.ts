import { Inject, Injectable } from '@nestjs/common';
import { newId, NOWHERE_TENANT, type JsonObject, type TenantId } from '#libs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import { WorkNotifier } from '#libs/queue';
import type { PrincipalReference, RequestContext } from '#libs/tenancy';
import { promiseEach } from './promise-each.js';
import { putTasks, type NewTask } from './shared-writes.js';
import type { TaskDefinition } from './task-definition.js';
import { TasksRepository, type PromisedTask } from './tasks.repository.js';
import type { TaskView } from './task-view.js';

const LIST_MOST = 1_000;

export interface PromiseOptions {
  /** Subject of the work, by which the task can be found. */
  readonly subject?: string;
  /** Earliest time at which the task may start. */
  readonly notBefore?: Date;
  /** Creates no task while one of the same kind, tenant and subject waits that may start as early. Needs a subject. */
  readonly once?: boolean;
}

/** Background work: tasks are created here and run by a `TaskHandler` in a worker. */
@Injectable()
export class Tasks {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tasks: TasksRepository,
    @Inject(WorkNotifier) private readonly notifier: Pick<WorkNotifier, 'notify'>,
  ) {}

  /** Creates a task in the transaction of `ctx`: it runs if and only if that transaction commits. Resolves to the id of the task. */
  async promise<P extends object>(
    ctx: TransactionContext,
    definition: TaskDefinition<P>,
    payload: P,
    options: PromiseOptions = {},
  ): Promise<string> {
    const task = toTask(definition, payload, options, fromOf(ctx, definition));
    const { id, mayBegin } = await this.unitOfWork.asSystem(ctx, (manager) => this.tasks.promise(manager, task));
    if (mayBegin) this.unitOfWork.afterCommit(ctx, () => this.notifier.notify(definition.kind));
    return id;
  }

  /**
   * Creates tasks for many subjects in the transaction of `ctx`, with two statements. As with `once`, it creates none for a subject of which a
   * task waits that may start at once. Each subject may occur only once.
   */
  async promiseEach<P extends object>(
    ctx: TransactionContext,
    definition: TaskDefinition<P>,
    works: readonly { readonly subject: string; readonly payload: P }[],
  ): Promise<void> {
    if (works.length === 0) return;
    const from = fromOf(ctx, definition);
    const tasks = works.map(({ subject, payload }) => toTask(definition, payload, { subject, once: true }, from));
    const promised = await this.unitOfWork.asSystem(ctx, (manager) => promiseEach(manager, tasks));
    if (promised > 0) this.unitOfWork.afterCommit(ctx, () => this.notifier.notify(definition.kind, promised));
  }

  /**
   * Creates tasks of a kind that is claimed by a statement of its own, in the transaction of `ctx`; each may occur only once. A task with an
   * existing id is started again.
   */
  async put(ctx: TransactionContext, kind: string, tasks: readonly NewTask[]): Promise<void> {
    if (tasks.length === 0) return;
    await this.unitOfWork.asSystem(ctx, (manager) => putTasks(manager, kind, ctx.tenantId, tasks));
    this.unitOfWork.afterCommit(ctx, () => this.notifier.notify(kind, tasks.length));
  }

  /** Creates a task outside of a tenant's transaction, by default without a tenant. */
  async promiseAsSystem<P extends object>(
    definition: TaskDefinition<P>,
    payload: P,
    options: PromiseOptions & { readonly tenantId?: TenantId } = {},
  ): Promise<string> {
    if (definition.permission !== null)
      throw new TypeError(`A task of kind ${definition.kind} needs the principal that requests it.`);
    const task = toTask(definition, payload, options, {
      tenantId: options.tenantId ?? NOWHERE_TENANT,
      requestId: newId(),
      principal: null,
    });
    const { id, mayBegin } = await this.unitOfWork.runAsSystem((manager) => this.tasks.promise(manager, task));
    if (mayBegin) this.notifier.notify(definition.kind);
    return id;
  }

  /** Cancels a task of the tenant: at once while it waits, soon while it runs. False when it has ended already or does not exist. Idempotent. */
  async cancel(ctx: TransactionContext, id: string): Promise<boolean> {
    return this.unitOfWork.asSystem(ctx, (manager) => this.tasks.cancel(manager, ctx.tenantId, id));
  }

  /** A task of the tenant; undefined when it does not exist, or ended so long ago that it was removed. */
  async find(ctx: RequestContext, id: string): Promise<TaskView | undefined> {
    return this.unitOfWork.runAsSystem((manager) => this.tasks.find(manager, id, ctx.tenantId));
  }

  /** The tenant's tasks of a kind that have not ended, oldest first, at most 1,000. */
  async listOpen(ctx: RequestContext, { kind }: Pick<TaskDefinition, 'kind'>): Promise<TaskView[]> {
    return this.unitOfWork.runAsSystem((manager) => this.tasks.listOpen(manager, ctx.tenantId, kind, LIST_MOST));
  }

  /** The most recently completed task of a kind, of any tenant. */
  async findLatestCompleted({ kind }: Pick<TaskDefinition, 'kind'>): Promise<TaskView | undefined> {
    return this.tasks.findLatestCompleted(kind);
  }
}

function toTask<P extends object>(
  definition: TaskDefinition<P>,
  payload: P,
  { subject, notBefore, once = false }: PromiseOptions,
  from: Pick<PromisedTask, 'tenantId' | 'requestId' | 'principal'>,
): PromisedTask {
  if (once && subject === undefined) throw new TypeError('A task with "once" needs a subject.');
  const checked = definition.parse({ ...payload } as unknown as JsonObject);
  return {
    ...from,
    kind: definition.kind,
    payload: checked as unknown as JsonObject,
    subject: subject ?? null,
    notBefore: notBefore ?? null,
    once,
  };
}

function fromOf<P extends object>(
  ctx: TransactionContext,
  { permission, kind }: TaskDefinition<P>,
): Pick<PromisedTask, 'tenantId' | 'requestId' | 'principal'> {
  const principal = permission === null ? null : referenceTo(ctx, kind);
  return { tenantId: ctx.tenantId, requestId: ctx.requestId, principal };
}

function referenceTo({ principal }: RequestContext, kind: string): PrincipalReference {
  switch (principal.kind) {
    case 'account':
      return { kind: 'account', accountId: principal.accountId };
    case 'api_key':
      return { kind: 'api_key', keyId: principal.keyId };
    case 'system':
      throw new TypeError(`A task of kind ${kind} runs for a person, and the service itself is not a person.`);
  }
}
