import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DocumentScreen } from '../frame/screens';
import { placeAddress, placeOf, type RevisedCitation } from './addresses';
import { headQuery } from './document-bytes';
import { documentQuery } from './document-query';
import { boxesQuery } from './page-boxes';
import { PdfPane } from './pdf-pane';

/** What was asked for a moment ago is not asked for again by a mouse that comes back. */
const FRESH_MS = 30_000;

/**
 * Readies the page that shows the places of an answer or of a search, while what is there is still read: its code, and what draws PDFs, with its worker, where
 * one of the places is on a page. What cannot be fetched is fetched again by opening the document, which says so.
 */
export async function readyDocumentScreen(places: readonly { readonly page: number | null }[]): Promise<void> {
  const code = [DocumentScreen.fetch()];
  if (places.some(({ page }) => page !== null)) code.push(readyViewer());
  await Promise.allSettled(code);
}

async function readyViewer(): Promise<void> {
  const [{ prepareWorker }] = await Promise.all([import('./pdf-file'), PdfPane.fetch()]);
  prepareWorker();
}

/** Fetches what opening a cited place needs when a pointer or the focus is on its link, which both come before a press. */
export function useOpenAhead(): (citation: RevisedCitation) => void {
  const queries = useQueryClient();
  return (citation) => {
    void readyDocumentScreen([citation]);
    void fetchPlace(queries, citation);
    if (citation.page !== null) void settled(queries.query(headQuery(citation.document_id, citation.revision)));
  };
}

/** Fetches where the first place of an answer or of a search is, all but the file: it is the one that is opened most. */
export function useFirstPlace(first: RevisedCitation | undefined): void {
  const queries = useQueryClient();
  const address = first === undefined ? undefined : placeAddress(first);
  useEffect(() => {
    if (first !== undefined) void fetchPlace(queries, first);
  }, [queries, address]);
}

async function fetchPlace(queries: QueryClient, citation: RevisedCitation): Promise<void> {
  const { document_id: id, page } = citation;
  const asked: Promise<unknown>[] = [queries.query({ ...documentQuery(id), staleTime: FRESH_MS })];
  if (page !== null) asked.push(queries.query(boxesQuery(id, page, placeOf(citation))));
  await settled(...asked);
}

/** What fails is asked for again by the document's page, which shows why. */
async function settled(...asked: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(asked);
}
