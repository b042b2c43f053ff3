import type { QueryClient } from '@tanstack/react-query';
import { Problem } from '../api/problem';

/** Whether something that is looked at could not be fetched again, and is shown as it was before. */
export function isAnyOutdated(queries: QueryClient): boolean {
  const all = queries.getQueryCache().getAll();
  return all.some((query) => {
    const { data, error } = query.state;
    return query.isActive() && data !== undefined && error instanceof Problem && error.isPassing;
  });
}
