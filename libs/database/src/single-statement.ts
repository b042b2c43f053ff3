import { DatabaseError } from 'pg';
import { QueryFailedError, type DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { PreparedClient } from './prepared-client.js';
import type { StatementScope } from './scoped-query.js';

/** One statement in a transaction of its own, on a connection of the pool. Result and errors are as TypeORM gives them. */
export async function runSingleStatement(
  source: DataSource,
  scope: StatementScope,
  sql: string,
  parameters: readonly unknown[],
): Promise<unknown> {
  const taken = await (source.driver as PostgresDriver).obtainMasterConnection();
  const [client, release] = taken as [PreparedClient, (error?: Error) => void];
  let broken: Error | undefined;
  const noteBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', noteBroken);
  try {
    const { command, rows, rowCount } = await client.queryWithin(scope, sql, parameters);
    return command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows;
  } catch (error) {
    // The socket may tell of it only after the connection was lent to the next one.
    if (endsConnection(error)) broken ??= error;
    throw error instanceof Error ? new QueryFailedError(sql, [...parameters], error) : error;
  } finally {
    client.off('error', noteBroken);
    release(broken);
  }
}

/** Codes with which the server ends a connection: it was told to stop, or the client was silent for too long. */
const ENDING = /^(?:57P0|08|25P0[34])/;

/** Whether nothing more comes over a connection after this error, or no one knows what does. */
function endsConnection(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof DatabaseError && !ENDING.test(error.code ?? ''));
}
