import {
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  type DataSource,
  type ObjectLiteral,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import type { DatabaseRoles } from './roles.js';

/** The roles that a transaction runs under. */
export type TransactionRole = keyof DatabaseRoles;

/**
 * TypeORM's runner of one transaction, which knows the role that its next statement runs under. Beginning it and changing the role
 * take no round trips of their own: those statements are sent ahead of the next one, and a failure of theirs fails the transaction.
 */
export class TransactionRunner extends PostgresQueryRunner {
  /** The role that the statements of the present caller need. */
  wanted: TransactionRole;
  private readonly sentAhead: Promise<unknown>[] = [];
  private current: TransactionRole;
  /** Why the connection is gone, when it broke. */
  private broken: Error | undefined;

  constructor(
    source: DataSource,
    private readonly roles: DatabaseRoles,
    role: TransactionRole,
  ) {
    super(source.driver as PostgresDriver, 'master');
    this.manager = source.createEntityManager(this);
    this.current = role;
    this.wanted = role;
  }

  /** Sends the beginning ahead of the first statement. The connection is there already, so statements leave in their order. */
  async begin(preamble: readonly string[]): Promise<void> {
    await this.connect();
    const { releaseCallback } = this;
    this.releaseCallback = (error: Error | undefined) => {
      this.broken = error;
      releaseCallback?.(error);
    };
    // TypeORM makes savepoints of the transactions that it wants to have inside of this one.
    this.isTransactionActive = true;
    this.transactionDepth = 1;
    this.sendAhead(['START TRANSACTION', ...preamble].join('; '));
  }

  override query(
    sql: string,
    parameters?: unknown[] | ObjectLiteral,
    structured?: boolean,
  ): ReturnType<PostgresQueryRunner['query']> {
    this.takeRole();
    return super.query(sql, parameters, structured);
  }

  /** Throws when the server rolled back instead, because a statement had failed that no one waited for. */
  async commit(): Promise<void> {
    await Promise.all(this.sentAhead);
    await super.query('COMMIT');
    this.isTransactionActive = false;
  }

  /** A connection that broke cannot roll back; the server does, and the first error is the one to report. */
  async rollBack(): Promise<void> {
    await Promise.allSettled(this.sentAhead);
    this.isTransactionActive = false;
    await super.query('ROLLBACK').catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
    });
  }

  /**
   * The error to report for one that a statement or its caller threw. TypeORM lets go of a connection that breaks between two statements, and then
   * says of the second one that its runner is released: what tells anything is why the connection broke.
   */
  reasonOf(error: unknown): unknown {
    const isReleased =
      error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError;
    return isReleased ? (this.broken ?? error) : error;
  }

  private takeRole(): void {
    const role = this.roles[this.wanted];
    if (this.wanted === this.current || role === null) return;
    this.current = this.wanted;
    this.sendAhead(`SET LOCAL ROLE "${role}"`);
  }

  private sendAhead(sql: string): void {
    const sent = super.query(sql);
    // Looked at before the commit; until then a failure shows in the statements behind it, which the server refuses.
    sent.catch(() => undefined);
    this.sentAhead.push(sent);
  }
}
