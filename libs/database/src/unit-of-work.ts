import { Injectable } from '@nestjs/common';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isUuid } from '#libs/common';
import type { RequestContext, TransactionHandle } from '#libs/tenancy';
import { Database } from './database.js';

class OpenTransaction implements TransactionHandle {
  declare readonly __transaction: true;
  readonly afterCommit: (() => void)[] = [];
  constructor(readonly runner: QueryRunner) {}
}

export interface TransactionOptions {
  /**
   * False for what is simply done again after a crash of the database (checkpoints, progress): its commit does not wait for
   * the disk. A later durable commit makes it durable too. Default true. Without effect inside an open transaction.
   */
  readonly durable?: boolean;
}

/** A context whose transaction is open. */
export type TransactionContext = RequestContext & { readonly tx: TransactionHandle };

/**
 * Transactions. A tenant's work runs under the application role with `app.tenant_id` set, so that row-level security
 * shows the tenant's rows and no others; what belongs to no tenant runs under the system role.
 * No remote call may happen inside (architecture, decision 15).
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
    return this.transact([...lazily(options), this.tenantPreamble(ctx)], (tx) =>
      work(tx.runner.manager, { ...ctx, tx }),
    );
  }

  /** Runs `work` under the system role: accounts, keys, tokens, outbox, leases; never a tenant's rows. */
  async runAsSystem<T>(work: (manager: EntityManager) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const role = this.database.roles.system;
    const preamble = [...lazily(options), ...(role === null ? [] : [`SET LOCAL ROLE "${role}"`])];
    return this.transact(preamble, (tx) => work(tx.runner.manager));
  }

  /** Inside an open tenant transaction: runs `work` under the system role, then goes back to the application role. */
  async asSystem<T>(ctx: TransactionContext, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const { runner } = opened(ctx);
    const { app, system } = this.database.roles;
    if (app === null || system === null) return work(runner.manager);
    await runner.query(`SET LOCAL ROLE "${system}"`);
    const result = await work(runner.manager);
    await runner.query(`SET LOCAL ROLE "${app}"`);
    return result;
  }

  /** Calls `effect` once the transaction of `ctx` has committed; never when it rolls back. Effects must not throw. */
  afterCommit(ctx: TransactionContext, effect: () => void): void {
    opened(ctx).afterCommit.push(effect);
  }

  private tenantPreamble(ctx: RequestContext): string {
    const role = this.database.roles.app;
    const setTenant = `SELECT set_config('app.tenant_id', '${ctx.tenantId}', true)`;
    return role === null ? setTenant : `SET LOCAL ROLE "${role}"; ${setTenant}`;
  }

  private async transact<T>(preamble: readonly string[], work: (tx: OpenTransaction) => Promise<T>): Promise<T> {
    const runner = this.database.source.createQueryRunner();
    const tx = new OpenTransaction(runner);
    let result: T;
    try {
      await runner.startTransaction();
      if (preamble.length > 0) await runner.query(preamble.join('; '));
      result = await work(tx);
      await runner.commitTransaction();
    } catch (error) {
      if (runner.isTransactionActive) await rollBack(runner);
      throw error;
    } finally {
      await runner.release();
    }
    for (const effect of tx.afterCommit) effect();
    return result;
  }
}

/** A connection that broke cannot roll back; the server does, and the first error is the one to report. */
async function rollBack(runner: QueryRunner): Promise<void> {
  await runner.rollbackTransaction().catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
  });
}

function lazily(options: TransactionOptions): string[] {
  return options.durable === false ? ['SET LOCAL synchronous_commit TO off'] : [];
}

function opened(ctx: TransactionContext): OpenTransaction {
  if (ctx.tx instanceof OpenTransaction) return ctx.tx;
  throw new TypeError('The context has no open transaction.');
}
