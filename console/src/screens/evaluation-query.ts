import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../api/client';

/** An evaluation with its figures, as far as it has some: those of a completed one never change. */
export const evaluationQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['evaluation', jobId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/evaluations/jobs/{job_id}', { params: { path: { job_id: jobId } }, signal })),
    staleTime: ({ state }) => (state.data?.status === 'completed' ? Infinity : 0),
  });
