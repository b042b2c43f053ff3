import { Injectable } from '@nestjs/common';
import { newId, type JsonObject } from '#libs/common';
import {
  columnsOf,
  result,
  rowsOf,
  SQL_NOW,
  statement,
  systemRowsOf,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { StoreIntentEntity } from './store-intent.entity.js';
import { INTENT_TASKS, type StoreIntentKind } from './store-intent.tasks.js';

export interface NewStoreIntent {
  readonly subject: string;
  readonly payload: JsonObject;
}

export type StoreIntent = Pick<StoreIntentEntity, 'id' | 'kind' | 'subject' | 'payload'>;

const ADD = statement(
  {},
  `INSERT INTO store_intents (id, tenant_id, kind, subject, payload, due_at)
   SELECT i.id, $1, $2, i.subject, i.payload, now() + make_interval(secs => $6)
   FROM unnest($3::uuid[], $4::text[], $5::jsonb[]) AS i(id, subject, payload)`,
);
const FORGET = statement(
  {},
  `DELETE FROM store_intents WHERE tenant_id = $1 AND kind = $2 AND subject = ANY($3::text[])`,
);
const LIST_DUE = statement(
  columnsOf(StoreIntentEntity, 'id', 'kind', 'subject', 'payload'),
  `SELECT id, kind, subject, payload FROM store_intents
   WHERE tenant_id = $1 AND kind = $2 AND due_at <= ${SQL_NOW} ORDER BY due_at LIMIT $3`,
);
const FIND_NEXT = statement(
  { due_at: result.time },
  `SELECT due_at FROM store_intents WHERE tenant_id = $1 AND kind = $2 ORDER BY due_at LIMIT 1`,
);
const SETTLE = statement({}, `DELETE FROM store_intents WHERE id = ANY ($1::uuid[])`);
const POSTPONE = statement(
  {},
  `UPDATE store_intents SET due_at = now() + make_interval(secs => $2) WHERE id = ANY ($1::uuid[])`,
);

/**
 * Changes outside the database, recorded before an object is written or in the same transaction as the change that needs them. No object is
 * removed without a record, so that after a crash at any moment either the object has an owner or an intent to remove it exists. Recording
 * an intent also enqueues the task for its kind and tenant.
 */
@Injectable()
export class StoreIntents {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tasks: Tasks,
  ) {}

  /** Records an intent in the transaction of `ctx`; it is carried out after `delaySeconds` at the earliest. */
  async add(
    ctx: TransactionContext,
    kind: StoreIntentKind,
    subject: string,
    payload: JsonObject,
    delaySeconds = 0,
  ): Promise<void> {
    await this.addAll(ctx, kind, [{ subject, payload }], delaySeconds);
  }

  /** The same for many at once. */
  async addAll(
    ctx: TransactionContext,
    kind: StoreIntentKind,
    intents: readonly NewStoreIntent[],
    delaySeconds = 0,
  ): Promise<void> {
    if (intents.length === 0) return;
    await this.unitOfWork.asSystem(ctx, (manager) =>
      rowsOf(manager, ADD, [
        ctx.tenantId,
        kind,
        intents.map(() => newId()),
        intents.map(({ subject }) => subject),
        intents.map(({ payload }) => JSON.stringify(payload)),
        delaySeconds,
      ]),
    );
    await this.promise(ctx, kind, delaySeconds === 0 ? undefined : secondsFromNow(delaySeconds));
  }

  /** Withdraws intents in the transaction of `ctx`, because the object now has an owner. */
  async forget(ctx: TransactionContext, kind: StoreIntentKind, subject: string): Promise<void> {
    await this.forgetAll(ctx, kind, [subject]);
  }

  /** The same for many objects of one kind. */
  async forgetAll(ctx: TransactionContext, kind: StoreIntentKind, subjects: readonly string[]): Promise<void> {
    if (subjects.length === 0) return;
    await this.unitOfWork.asSystem(ctx, (manager) => rowsOf(manager, FORGET, [ctx.tenantId, kind, subjects]));
  }

  /** Due intents of the tenant, oldest first. */
  async listDue(ctx: RequestContext, kind: StoreIntentKind, limit: number): Promise<StoreIntent[]> {
    return systemRowsOf(this.unitOfWork, LIST_DUE, [ctx.tenantId, kind, limit]);
  }

  /**
   * Enqueues a task for the remaining intents of a kind, for when the first is due, but not before `pauseSeconds` have passed. Does nothing
   * when none remain.
   */
  async promiseNext(ctx: RequestContext, kind: StoreIntentKind, pauseSeconds: number): Promise<void> {
    const [next] = await systemRowsOf(this.unitOfWork, FIND_NEXT, [ctx.tenantId, kind]);
    if (next === undefined) return;
    const notBefore = pauseSeconds === 0 ? next.due_at : latest(next.due_at, secondsFromNow(pauseSeconds));
    await this.unitOfWork.run(ctx, (_manager, inner) => this.promise(inner, kind, notBefore));
  }

  /** Removes intents that were carried out or whose object now has an owner. */
  async settle(intents: readonly StoreIntent[]): Promise<void> {
    if (intents.length === 0) return;
    await systemRowsOf(this.unitOfWork, SETTLE, [intents.map(({ id }) => id)]);
  }

  /** Postpones intents; the others of their kind do not wait for them. */
  async postpone(intents: readonly StoreIntent[], seconds: number): Promise<void> {
    if (intents.length === 0) return;
    await systemRowsOf(this.unitOfWork, POSTPONE, [intents.map(({ id }) => id), seconds]);
  }

  /** Enqueues the task unless one is already waiting: one is enough for all intents of a kind and tenant that are due when it runs. */
  private async promise(ctx: TransactionContext, kind: StoreIntentKind, notBefore: Date | undefined): Promise<void> {
    const once = { subject: ctx.tenantId, once: true };
    await this.tasks.promise(ctx, INTENT_TASKS[kind], {}, notBefore === undefined ? once : { ...once, notBefore });
  }
}

function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other;
}
