import type { Writable } from 'node:stream';
import { Client, type QueryResult } from 'pg';
import { ScopedQuery, SET_SCOPE, scopeValues, type StatementScope } from './scoped-query.js';

/** Texts that each connection keeps prepared; a text beyond, of a list with odd filters say, is sent as it is. */
const MOST_PREPARED = 500;
/** "cached plan must not change result type": a migration has changed the table of a prepared statement. */
const STALE_PLAN = /cached plan must not change result type/;

const names = new Map<string, string>();

/**
 * A connection that costs server and network little: statements with parameters are prepared once and then only bound, and what
 * is sent within one turn of the event loop leaves in one packet.
 */
export class PreparedClient extends Client {
  private holdsBack = false;

  // The overloads of the base class have no common type that a subclass could state.
  override query(...parameters: never[]): never {
    this.holdBack();
    const [text, values, callback] = parameters as unknown[];
    const name = typeof text === 'string' && Array.isArray(values) && callback === undefined ? nameOf(text) : undefined;
    const send = super.query.bind(this) as (...sent: unknown[]) => Promise<QueryResult>;
    if (name === undefined) return send(...(parameters as unknown[])) as never;
    const answer = send({ name, text, values });
    answer.catch((error: unknown) => this.leaveIfStale(error));
    return answer as never;
  }

  /** Makes the connection ready for `queryWithin`. */
  async prepareScope(): Promise<void> {
    await super.query({ ...SET_SCOPE, values: scopeValues({ role: null, tenantId: null, isDurable: true }) });
  }

  /** One statement with its scope, in a transaction of its own that takes one message. */
  queryWithin(scope: StatementScope, text: string, values: readonly unknown[]): Promise<QueryResult> {
    this.holdBack();
    const name = nameOf(text);
    const statement = name === undefined ? { text } : { name, text };
    return new Promise((resolve, reject) => {
      super.query(
        new ScopedQuery(scope, statement, values, (error, result) => {
          if (error === null || error === undefined) resolve(result);
          else {
            this.leaveIfStale(error);
            reject(error);
          }
        }),
      );
    });
  }

  /** Writes wait until the promises that are ready have run, which may have more to send. */
  private holdBack(): void {
    const stream = (this as unknown as { readonly connection?: { readonly stream?: Writable } }).connection?.stream;
    if (this.holdsBack || stream === undefined) return;
    this.holdsBack = true;
    stream.cork();
    process.nextTick(() => {
      this.holdsBack = false;
      stream.uncork();
    });
  }

  /** The pool lets go of a connection that has ended; the next one prepares again. */
  private leaveIfStale(error: unknown): void {
    if (error instanceof Error && STALE_PLAN.test(error.message)) void this.end();
  }
}

/** The same for all connections; undefined for a text that is not to be prepared. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_PREPARED) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
