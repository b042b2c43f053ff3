import type { DuckDBConnection } from '@duckdb/node-api';
import { StatementFailed } from './statement-failed.js';

/** An interrupt that comes between two steps of a statement is lost, so it is repeated. */
const REPEAT_MS = 20;

/** Stops a statement at its time limit, or when its answer is no longer wanted. */
export class StatementInterrupt {
  reason: 'timeout' | 'stopped' | undefined;
  private connection: DuckDBConnection | undefined;
  private repeating: NodeJS.Timeout | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.timer = setTimeout(() => this.stop('timeout'), timeoutMs);
  }

  watch(connection: DuckDBConnection): void {
    this.connection = connection;
  }

  stop(reason: 'timeout' | 'stopped'): void {
    this.reason ??= reason;
    this.repeating ??= setInterval(() => this.connection?.interrupt(), REPEAT_MS);
    this.connection?.interrupt();
  }

  throwIfStopped(): void {
    if (this.reason !== undefined) throw new StatementFailed(this.reason, '');
  }

  /** The statement has ended. */
  forget(): void {
    this.connection = undefined;
    clearTimeout(this.timer);
    clearInterval(this.repeating);
  }
}
