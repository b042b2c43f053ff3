import { rowsOf, systemRowsOf, type Repository, type Statement, type UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';

/**
 * Base of the repositories of accounts, tenants, memberships and keys. Their tables are read before a tenant is known, so
 * row-level security does not guard them: statements run under the system role and name the tenant themselves.
 */
export abstract class SystemRepository {
  constructor(protected readonly unitOfWork: UnitOfWork) {}

  /** Rows of one statement, in the transaction of `ctx` or a separate one. Values must be passed as `parameters`. */
  protected query<Row>(
    ctx: RequestContext,
    statement: string | Statement<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    if (ctx.tx === undefined) return systemRowsOf<Row>(this.unitOfWork, statement, parameters);
    return this.unitOfWork.run(ctx, (_manager, inner) =>
      this.unitOfWork.asSystem(inner, (manager) => rowsOf<Row>(manager, statement, parameters)),
    );
  }

  /** Calls `work` with TypeORM's repository of an entity under the system role, in the transaction of `ctx` or a separate one. */
  protected withRepository<Entity extends object, T>(
    ctx: RequestContext,
    entity: new () => Entity,
    work: (rows: Repository<Entity>) => Promise<T>,
  ): Promise<T> {
    if (ctx.tx === undefined) return this.unitOfWork.runAsSystem((manager) => work(manager.getRepository(entity)));
    return this.unitOfWork.run(ctx, (_manager, inner) =>
      this.unitOfWork.asSystem(inner, (manager) => work(manager.getRepository(entity))),
    );
  }

  /** The row of a statement that returns at most one. */
  protected async queryOne<Row>(
    ctx: RequestContext,
    statement: string | Statement<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<Row | undefined> {
    return (await this.query<Row>(ctx, statement, parameters))[0];
  }

  /** Rows of one statement before the caller is known: logins, tokens, keys. */
  protected queryBeforeContext<Row>(
    statement: string | Statement<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    return systemRowsOf<Row>(this.unitOfWork, statement, parameters);
  }
}
