import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../api/client';

/** Everything about a document but its content. */
export const documentQuery = (documentId: string) =>
  queryOptions({
    queryKey: ['document', documentId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/documents/{document_id}', { params: { path: { document_id: documentId } }, signal })),
  });
