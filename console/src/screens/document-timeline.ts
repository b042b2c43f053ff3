import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api/client';

/** What happened to a document, from its upload on. Who sees the document may read it, in quarantine too. */
export function useTimeline({
  id,
  updated_at: changed,
}: Schema<'DocumentDetail'>): UseQueryResult<Schema<'DocumentTimelineResponse'>, Error> {
  return useQuery({
    queryKey: ['timeline', id, changed],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/documents/{document_id}/timeline', { params: { path: { document_id: id } }, signal })),
  });
}
