import { Injectable } from '@nestjs/common';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isUuid } from '#libs/common';
import type { RequestContext, TransactionHandle } from '#libs/tenancy';
import { Database } from './database.js';
import type { DatabaseRoles } from './roles.js';

type Role = 'app' | 'system';

/**
 * A transaction and the role that its next statement runs under. Beginning it and changing the role take no round trips of their
 * own: those statements are sent ahead of the next one, and a failure of theirs fails the transaction.
 */
class OpenTransaction implements TransactionHandle {
  declare readonly __transaction: true;
  readonly afterCommit: (() => void)[] = [];
  /** The role that the statements of the present caller need. */
  wanted: Role;
  private readonly send: QueryRunner['query'];
  private readonly sentAhead: Promise<unknown>[] = [];
  private current: Role;

  constructor(
    readonly runner: QueryRunner,
    private readonly roles: DatabaseRoles,
    role: Role,
  ) {
    this.current = role;
    this.wanted = role;
    this.send = runner.query.bind(runner);
    runner.query = ((...statement: Parameters<QueryRunner['query']>) => {
      this.takeRole();
      return this.send(...statement);
    }) as QueryRunner['query'];
  }

  /** Sends the beginning ahead of the first statement. The connection is there already, so statements leave in their order. */
  async begin(preamble: readonly string[]): Promise<void> {
    await this.runner.connect();
    this.sendAhead(['START TRANSACTION', ...preamble].join('; '));
  }

  /** Runs the only statement and commits behind it. A statement that fails makes the server roll back. */
  async runLast(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    const answer = this.runner.query(sql, [...parameters]);
    const ended = await Promise.allSettled([...this.sentAhead, answer, this.send('COMMIT')]);
    for (const one of ended) if (one.status === 'rejected') throw one.reason as Error;
    return answer;
  }

  /** Throws when the server rolled back instead, because a statement had failed that nobody waited for. */
  async commit(): Promise<void> {
    await Promise.all(this.sentAhead);
    await this.send('COMMIT');
  }

  /** A connection that broke cannot roll back; the server does, and the first error is the one to report. */
  async rollBack(): Promise<void> {
    await Promise.allSettled(this.sentAhead);
    await this.send('ROLLBACK').catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
    });
  }

  private takeRole(): void {
    const role = this.roles[this.wanted];
    if (this.wanted === this.current || role === null) return;
    this.current = this.wanted;
    this.sendAhead(`SET LOCAL ROLE "${role}"`);
  }

  private sendAhead(sql: string): void {
    const sent = this.send(sql);
    // Looked at before the commit; until then a failure shows in the statements behind it, which the server refuses.
    sent.catch(() => undefined);
    this.sentAhead.push(sent);
  }
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
    return this.transact('app', [...lazily(options), this.tenantPreamble(ctx)], (tx) =>
      work(tx.runner.manager, { ...ctx, tx }),
    );
  }

  /** Runs `work` under the system role: accounts, keys, tokens, outbox, leases; never a tenant's rows. */
  async runAsSystem<T>(work: (manager: EntityManager) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.transact('system', this.systemPreamble(options), (tx) => work(tx.runner.manager));
  }

  /** One statement in the transaction of `ctx`, or in one of its own that takes a single round trip. As TypeORM gives its result. */
  async runOne(ctx: RequestContext, sql: string, parameters: readonly unknown[]): Promise<unknown> {
    if (ctx.tx instanceof OpenTransaction) return ctx.tx.runner.query(sql, [...parameters]);
    if (!isUuid(ctx.tenantId)) throw new TypeError('A tenant id must be a UUID.');
    return this.transactOne('app', [this.tenantPreamble(ctx)], sql, parameters);
  }

  /** One statement under the system role, in a transaction of its own that takes a single round trip. */
  async runOneAsSystem(
    sql: string,
    parameters: readonly unknown[],
    options: TransactionOptions = {},
  ): Promise<unknown> {
    return this.transactOne('system', this.systemPreamble(options), sql, parameters);
  }

  /** Inside an open tenant transaction: runs `work` under the system role, then goes back to the application role. */
  async asSystem<T>(ctx: TransactionContext, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const tx = opened(ctx);
    const before = tx.wanted;
    tx.wanted = 'system';
    try {
      return await work(tx.runner.manager);
    } finally {
      tx.wanted = before;
    }
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

  private systemPreamble(options: TransactionOptions): string[] {
    const role = this.database.roles.system;
    return [...lazily(options), ...(role === null ? [] : [`SET LOCAL ROLE "${role}"`])];
  }

  private async transactOne(
    role: Role,
    preamble: readonly string[],
    sql: string,
    parameters: readonly unknown[],
  ): Promise<unknown> {
    const runner = this.database.source.createQueryRunner();
    const tx = new OpenTransaction(runner, this.database.roles, role);
    try {
      await tx.begin(preamble);
      return await tx.runLast(sql, parameters);
    } finally {
      await runner.release();
    }
  }

  private async transact<T>(
    role: Role,
    preamble: readonly string[],
    work: (tx: OpenTransaction) => Promise<T>,
  ): Promise<T> {
    const runner = this.database.source.createQueryRunner();
    const tx = new OpenTransaction(runner, this.database.roles, role);
    let result: T;
    try {
      await tx.begin(preamble);
      try {
        result = await work(tx);
        await tx.commit();
      } catch (error) {
        await tx.rollBack();
        throw error;
      }
    } finally {
      await runner.release();
    }
    for (const effect of tx.afterCommit) effect();
    return result;
  }
}

function lazily(options: TransactionOptions): string[] {
  return options.durable === false ? ['SET LOCAL synchronous_commit TO off'] : [];
}

function opened(ctx: TransactionContext): OpenTransaction {
  if (ctx.tx instanceof OpenTransaction) return ctx.tx;
  throw new TypeError('The context has no open transaction.');
}
