import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client';
import type { SearchOptions } from './search-options';

/** What the dataset has for searches that say nothing else; undefined until it is known. */
export function useOwnOptions(datasetId: string): SearchOptions | undefined {
  const policy = useQuery({
    queryKey: ['search', 'own', datasetId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/datasets/{id}/ingestion-policy', { params: { path: { id: datasetId } }, signal })),
  });
  return policy.data && ((policy.data.policy.retrieval_defaults ?? {}) as SearchOptions);
}
