import { it } from 'vitest';
import type { Operation } from './operations.js';

/** One test for each operation. Those that change nothing are asked side by side: one route takes five seconds for its answer. */
export function eachOperation(
  operations: readonly Operation[],
  title: string,
  expectRight: (operation: Operation) => Promise<void>,
): void {
  const isReading = ({ method }: Operation): boolean => method === 'GET';
  it.concurrent.each(operations.filter(isReading))(title, (operation) => expectRight(operation));
  it.each(operations.filter((operation) => !isReading(operation)))(title, (operation) => expectRight(operation));
}
