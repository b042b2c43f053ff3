import { Query, type QueryConfig, type QueryResult, type Submittable } from 'pg';

/** Role and tenant of a statement. */
export interface StatementScope {
  /** The role of the statement; null: that of the login. */
  readonly role: string | null;
  /** The tenant whose rows the statement sees; null: none. */
  readonly tenantId: string | null;
  /** Whether its commit waits for the disk. */
  readonly isDurable: boolean;
}

/** Sets what `scopeValues` gives until the transaction ends. Prepared on each connection before anything else. */
export const SET_SCOPE = {
  name: 'scope',
  text: `SELECT set_config('role', $1, true), set_config('app.tenant_id', $2, true),
    CASE WHEN NOT $3::boolean THEN set_config('synchronous_commit', 'off', true) END`,
} as const;

/** The values of `SET_SCOPE`. */
export function scopeValues({ role, tenantId, isDurable }: StatementScope): unknown[] {
  return [role ?? 'none', tenantId ?? '', isDurable];
}

type Answered = (error: Error | null | undefined, result: QueryResult) => void;

/** The messages of a connection that a query sends, as far as they are used here. */
interface MessageConnection {
  bind(message: { readonly statement: string; readonly values: readonly unknown[] }): void;
  execute(): void;
}

/** What pg's query does when it is sent and answered, which its types do not tell. */
interface MessageQuery extends Submittable {
  prepare(connection: MessageConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: MessageConnection): void;
}
const MessageQuery = Query as unknown as new (
  config: QueryConfig & { readonly queryMode: 'extended' },
  values: readonly unknown[],
  answered: Answered,
) => MessageQuery;

/**
 * A statement with its scope. Both are sent to the server together and are one transaction there, without messages for begin and commit; the
 * statement does not run if its scope could not be set.
 */
export class ScopedQuery extends MessageQuery {
  private readonly scope: readonly string[];
  private isScoped = false;

  constructor(scope: StatementScope, statement: QueryConfig, values: readonly unknown[], answered: Answered) {
    // Sent in any other way it would have no scope.
    super({ ...statement, queryMode: 'extended' }, values, answered);
    this.scope = scopeValues(scope).map(String);
  }

  override prepare(connection: MessageConnection): void {
    connection.bind({ statement: SET_SCOPE.name, values: this.scope });
    connection.execute();
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.isScoped) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: MessageConnection): void {
    if (this.isScoped) super.handleCommandComplete(message, connection);
    this.isScoped = true;
  }
}
