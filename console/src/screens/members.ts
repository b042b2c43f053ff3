import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api/client';

const PAGE = 100;
/** Who is invited joins while others look at the list. */
export const LOOK_MS = 10_000;

interface ListPage {
  readonly items: readonly unknown[];
  readonly total: number;
}

/** How many of a list are left out by its next page; undefined: there is none. */
export function nextSkip(last: ListPage, pages: readonly ListPage[]): number | undefined {
  const shown = pages.reduce((sum, { items }) => sum + items.length, 0);
  return last.items.length > 0 && shown < last.total ? shown : undefined;
}

/** The members of a tenant, by name, for who may manage them. */
export function useMembers(
  tenantId: string,
  isAllowed = true,
): UseInfiniteQueryResult<InfiniteData<Schema<'MemberPage'>>, Error> {
  return useInfiniteQuery({
    queryKey: ['members', tenantId],
    enabled: isAllowed,
    initialPageParam: 0,
    queryFn: ({ pageParam: skip, signal }) =>
      dataOf(
        api.GET('/api/v1/tenants/{id}/members', {
          params: { path: { id: tenantId }, query: { limit: PAGE, skip, order_by: 'name' } },
          signal,
        }),
      ),
    getNextPageParam: nextSkip,
    refetchInterval: LOOK_MS,
  });
}
