import { queryOptions, useQuery, type UseQueryResult, type QueryClient } from '@tanstack/react-query';
import { api, dataOf, inTenant, type Schema } from '../api/client';

const ALL = 100;
/** While documents are read, their numbers change. */
const BUSY_MS = 4000;
const CALM_MS = 30_000;

const isBusy = ({ document_counts: counts }: Schema<'Dataset'>): boolean => counts.pending + counts.processing > 0;

/** The datasets that I may see, by name. */
export function useDatasets(): UseQueryResult<Schema<'DatasetPage'>, Error> {
  return useQuery({
    queryKey: ['datasets'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/datasets/', { params: { query: { limit: ALL, order_by: 'name' } }, signal })),
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
