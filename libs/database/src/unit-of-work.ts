import { Injectable } from '@nestjs/common';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { isUuid } from '#libs/common';
import type { RequestContext, TransactionHandle } from '#libs/tenancy';
import { Database } from './database.js';
import { runSingleStatement } from './single-statement.js';
import { TransactionRunner, type TransactionRole } from './transaction-runner.js';

/** A transaction in a context. */
class OpenTransaction implements TransactionHandle {
  declare readonly __transaction: true;
  readonly afterCommit: (() => void)[] = [];

  constructor(readonly runner: TransactionRunner) {}
}

export interface TransactionOptions {
  /**
   * Whether the commit waits for the disk. False for work that is simply repeated after a crash of the database (checkpoints, progress); a later
   * durable commit makes it durable too. Default true. Has no effect inside an open transaction.
   */
  readonly durable?: boolean;
  /** Whether all statements read the state of one moment; then none may write. Has no effect inside an open transaction. */
  readonly snapshot?: boolean;
}

/** Of a transaction of one statement. */
export type LoneOptions = Pick<TransactionOptions, 'durable'>;

/** A context whose transaction is open. */
export type TransactionContext = RequestContext & { readonly tx: TransactionHandle };

/**
 * Transactions. Work of a tenant runs under the application role with `app.tenant_id` set, so that row-level security shows only the tenant's
 * rows; work of no tenant runs under the system role. No remote call may happen inside (architecture, decision 15).
 */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /** Runs `work` in the transaction of `ctx`, or in one of its own that commits when `work` resolves. */
  async run<T>(
    ctx: RequestContext,
    work: (manager: EntityManager, ctx: TransactionContext) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    if (ctx.tx instanceof OpenTransaction) return work(ctx.tx.runner.manager, ctx as TransactionContext);
    if (!isUuid(ctx.tenantId)) throw new TypeError('A tenant id must be a UUID.');
    return this.transact('app', [...modeOf(options), this.tenantPreamble(ctx)], (tx) =>
      work(tx.runner.manager, { ...ctx, tx }),
    );
  }

  /** Runs `work` under the system role: accounts, keys, tokens, tasks, leases; never a tenant's rows. */
  async runAsSystem<T>(work: (manager: EntityManager) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.transact('system', this.systemPreamble(options), (tx) => work(tx.runner.manager));
  }

  /** One statement in the transaction of `ctx`, or in one of its own that takes a single message. The result is that of TypeORM. */
  async runOne(
    ctx: RequestContext,
    sql: string,
    parameters: readonly unknown[],
    { durable = true }: LoneOptions = {},
  ): Promise<unknown> {
    if (ctx.tx instanceof OpenTransaction) return ctx.tx.runner.query(sql, [...parameters]);
    if (!isUuid(ctx.tenantId)) throw new TypeError('A tenant id must be a UUID.');
    const { source, roles } = this.database;
    const scope = { role: roles.app, tenantId: ctx.tenantId, isDurable: durable };
    return runSingleStatement(source, scope, sql, parameters);
  }

  /** One statement under the system role, in a transaction of its own that takes a single message. */
  async runOneAsSystem(
    sql: string,
    parameters: readonly unknown[],
    { durable = true }: LoneOptions = {},
  ): Promise<unknown> {
    const { source, roles } = this.database;
    return runSingleStatement(source, { role: roles.system, tenantId: null, isDurable: durable }, sql, parameters);
  }

  /** Inside an open tenant transaction: runs `work` under the system role, then goes back to the application role. */
  async asSystem<T>(ctx: TransactionContext, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const tx = opened(ctx);
    const before = tx.runner.wanted;
    tx.runner.wanted = 'system';
    try {
      return await work(tx.runner.manager);
    } finally {
      tx.runner.wanted = before;
    }
  }

  /** The TypeORM repository of an entity within the open transaction of `ctx`; unusable after the transaction. */
  repository<Entity extends ObjectLiteral>(ctx: TransactionContext, entity: EntityTarget<Entity>): Repository<Entity> {
    return opened(ctx).runner.manager.getRepository(entity);
  }

  /** Calls `effect` once the transaction of `ctx` has committed; never when it rolls back. Effects must not throw. */
  afterCommit(ctx: TransactionContext, effect: () => void): void {
    opened(ctx).afterCommit.push(effect);
  }

  private tenantPreamble(ctx: RequestContext): string {
    const role = this.database.roles.app;
    const setTenant = `SET LOCAL app.tenant_id = '${ctx.tenantId}'`;
    return role === null ? setTenant : `SET LOCAL ROLE "${role}"; ${setTenant}`;
  }

  private systemPreamble(options: TransactionOptions): string[] {
    const role = this.database.roles.system;
    return [...modeOf(options), ...(role === null ? [] : [`SET LOCAL ROLE "${role}"`])];
  }

  private async transact<T>(
    role: TransactionRole,
    preamble: readonly string[],
    work: (tx: OpenTransaction) => Promise<T>,
  ): Promise<T> {
    const runner = new TransactionRunner(this.database.source, this.database.roles, role);
    const tx = new OpenTransaction(runner);
    let result: T;
    try {
      await runner.begin(preamble);
      try {
        result = await work(tx);
        await runner.commit();
      } catch (error) {
        await runner.rollBack();
        throw runner.reasonOf(error);
      }
    } finally {
      await runner.release();
    }
    for (const effect of tx.afterCommit) effect();
    return result;
  }
}

/** Comes before anything that reads. */
function modeOf({ durable, snapshot }: TransactionOptions): string[] {
  return [
    ...(snapshot === true ? ['SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY'] : []),
    ...(durable === false ? ['SET LOCAL synchronous_commit TO off'] : []),
  ];
}

function opened(ctx: TransactionContext): OpenTransaction {
  if (ctx.tx instanceof OpenTransaction) return ctx.tx;
  throw new TypeError('The context has no open transaction.');
}
