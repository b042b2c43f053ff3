import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api/client';
import type { SearchOptions } from './search-options';

const FRESH_MS = 60_000;

/** The request of a search, just as the service is sent it. */
export function requestOf(datasetId: string, query: string, options: SearchOptions): Schema<'SearchRequestDto'> {
  const request = { query, dataset_ids: [datasetId], include: ['text', 'highlights'], ...options };
  return request as Schema<'SearchRequestDto'>;
}

/** The results of a search. Former ones stay until the new ones are here. */
export function useSearch(
  datasetId: string,
  q: string,
  options: SearchOptions,
): UseQueryResult<Schema<'SearchResponse'>, Error> {
  const body = requestOf(datasetId, q, options);
  return useQuery({
    queryKey: ['search', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/v1/retrieval/search', { body, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
}
