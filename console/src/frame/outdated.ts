import { Problem } from '../api/problem.js';

/** What is fetched for a page, as the cache of queries has it. */
interface Fetched {
  isActive(): boolean;
  readonly state: { readonly data: unknown; readonly error: Error | null };
}

/** Whether something that is looked at could not be fetched again, and is shown as it was before. */
export function isAnyOutdated(queries: readonly Fetched[]): boolean {
  return queries.some((query) => {
    const { data, error } = query.state;
    return query.isActive() && data !== undefined && error instanceof Problem && error.isPassing;
  });
}
