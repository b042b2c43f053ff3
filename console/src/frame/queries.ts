import { queryOptions, useQuery, type UseQueryResult, type QueryClient } from '@tanstack/react-query';
import { api, dataOf, inTenant, type Schema } from '../api/client';

const PAGE = 100;
/** More are not fetched: where there are, that is said. */
const MOST_DATASETS = 1000;
/** While documents are read, their numbers change. */
const BUSY_MS = 4000;
const CALM_MS = 30_000;

const isBusy = ({ document_counts: counts }: Schema<'Dataset'>): boolean => counts.pending + counts.processing > 0;

const datasetsFrom = (skip: number, signal: AbortSignal): Promise<Schema<'DatasetPage'>> =>
  dataOf(api.GET('/api/v1/datasets/', { params: { query: { skip, limit: PAGE, order_by: 'name' } }, signal }));

/** All pages as one, as far as it goes. One that moved to another page meanwhile is there once. */
async function allDatasets(signal: AbortSignal): Promise<Schema<'DatasetPage'>> {
  const first = await datasetsFrom(0, signal);
  const items = new Map(first.items.map((dataset) => [dataset.id, dataset]));
  let { total } = first;
  for (let skip = PAGE; skip < Math.min(total, MOST_DATASETS); skip += PAGE) {
    const next = await datasetsFrom(skip, signal);
    for (const dataset of next.items) items.set(dataset.id, dataset);
    ({ total } = next);
  }
  return { ...first, items: [...items.values()], total, limit: MOST_DATASETS };
}

/** The datasets that I may see, by name: all up to a thousand, and how many there are. */
export function useDatasets(): UseQueryResult<Schema<'DatasetPage'>, Error> {
  return useQuery({
    queryKey: ['datasets'],
    queryFn: ({ signal }) => allDatasets(signal),
    refetchInterval: ({ state }) => (state.data?.items.some(isBusy) === true ? BUSY_MS : CALM_MS),
  });
}

export const datasetQuery = (id: string, tenantId?: string) =>
  queryOptions({
    queryKey: ['datasets', id, tenantId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/datasets/{id}', { params: { path: { id } }, signal, ...inTenant(tenantId) })),
    refetchInterval: ({ state }) => (state.data !== undefined && isBusy(state.data) ? BUSY_MS : CALM_MS),
  });

export const useDataset = (id: string, tenantId?: string): UseQueryResult<Schema<'Dataset'>, Error> =>
  useQuery(datasetQuery(id, tenantId));

/** Whether I may write to a dataset; false of none, and until it is known. */
export function useMayWrite(id: string | undefined): boolean {
  const dataset = useQuery({ ...datasetQuery(id ?? ''), enabled: id !== undefined });
  return dataset.data?.effective_permissions.includes('documents:write') === true;
}

/** The address of who is signed in, or was until the session ended, as far as it was asked for. */
export const knownEmail = (queries: QueryClient): string | undefined =>
  queries.getQueryData<Schema<'MeResponse'>>(['me', undefined])?.account.email;

export function useMe(tenantId?: string): UseQueryResult<Schema<'MeResponse'>, Error> {
  return useQuery({
    queryKey: ['me', tenantId],
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/auth/me', { signal, ...inTenant(tenantId) })),
    staleTime: 60_000,
  });
}
