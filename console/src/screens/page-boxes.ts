import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api/client';
import { Problem } from '../api/problem';
import type { Place } from './addresses';

/** Where a place stands on a page. */
export const boxesQuery = (documentId: string, page: number, place: Place | undefined) =>
  queryOptions({
    queryKey: ['boxes', documentId, page, place?.from, place?.to],
    queryFn: ({ signal }) => fetchBoxes(documentId, page, place!, signal),
    staleTime: Infinity,
    retry: false,
  });

/** Where the cited place stands on a page. A page that holds nothing of it has no boxes; that is no error. */
export function useBoxes(
  documentId: string,
  page: number,
  place: Place | undefined,
): UseQueryResult<Schema<'PageBoxes'> | null, Error> {
  return useQuery({ ...boxesQuery(documentId, page, place), enabled: place !== undefined });
}

async function fetchBoxes(
  documentId: string,
  page: number,
  { from, to }: Place,
  signal: AbortSignal,
): Promise<Schema<'PageBoxes'> | null> {
  const path = { document_id: documentId, page };
  const params = { path, query: { start: from, end: to } };
  try {
    return await dataOf(api.GET('/api/v1/documents/{document_id}/pages/{page}/boxes', { params, signal }));
  } catch (error) {
    if (error instanceof Problem && error.code === 'documents.not_on_page') return null;
    throw error;
  }
}
