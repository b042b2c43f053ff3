import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { RequestContext } from '#libs/tenancy';
import type { Statement } from './statement.js';
import type { LoneOptions, TransactionContext, UnitOfWork } from './unit-of-work.js';

/** Base of every repository of tenant data: every access to rows needs a context. */
export abstract class TenantRepository {
  constructor(protected readonly unitOfWork: UnitOfWork) {}

  /** Rows of one statement, in the transaction of `ctx` or one of its own. Values go through `parameters` only. */
  protected async query<Row>(
    ctx: RequestContext,
    statement: string | Statement<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    return unpacked<Row>(await this.unitOfWork.runOne(ctx, textOf(statement), parameters));
  }

  /**
   * TypeORM's repository of an entity in the transaction of `ctx`: row-level security shows it only the rows of the tenant, and it is refused
   * after the transaction has ended.
   */
  protected repository<Entity extends ObjectLiteral>(
    ctx: TransactionContext,
    entity: EntityTarget<Entity>,
  ): Repository<Entity> {
    return this.unitOfWork.repository(ctx, entity);
  }

  /** Gives `work` the repository of an entity, in the transaction of `ctx` or one of its own. */
  protected withRepository<Entity extends ObjectLiteral, T>(
    ctx: RequestContext,
    entity: EntityTarget<Entity>,
    work: (rows: Repository<Entity>) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(ctx, (_manager, inner) => work(this.repository(inner, entity)));
  }

  /** The only row of a statement that gives at most one. */
  protected async queryOne<Row>(
    ctx: RequestContext,
    statement: string | Statement<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<Row | undefined> {
    return (await this.query<Row>(ctx, statement, parameters))[0];
  }
}

/** Rows of a statement of any kind: TypeORM gives `[rows, count]` for UPDATE and DELETE, rows for the rest. */
export async function rowsOf<Row>(
  manager: EntityManager,
  statement: string | Statement<Row>,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return unpacked<Row>(await manager.query(textOf(statement), [...parameters]));
}

/** Rows of one statement of a transaction of its own under the system role. */
export async function systemRowsOf<Row>(
  unitOfWork: UnitOfWork,
  statement: string | Statement<Row>,
  parameters: readonly unknown[] = [],
  options: LoneOptions = {},
): Promise<Row[]> {
  return unpacked<Row>(await unitOfWork.runOneAsSystem(textOf(statement), parameters, options));
}

function unpacked<Row>(result: unknown): Row[] {
  if (Array.isArray(result) && result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number') {
    return result[0] as Row[];
  }
  return result as Row[];
}

function textOf(statement: string | Statement<unknown>): string {
  return typeof statement === 'string' ? statement : statement.sql;
}
