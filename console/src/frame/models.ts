import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client';

/** The models of the service: they change only where it starts again. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/v1/models', { signal })),
  staleTime: Infinity,
});

/** The name by which the interface calls the model that answers. */
const ANSWERING = 'default';
const BUILT_IN = 'builtin';

/** Whether the built-in model answers, which quotes sentences and writes none; false until it is known. */
export function useIsQuoting(): boolean {
  const models = useQuery(modelsQuery);
  return models.data?.data.some(({ id, owned_by: by }) => id === ANSWERING && by === BUILT_IN) === true;
}
