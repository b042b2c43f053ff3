import { useQueryClient } from '@tanstack/react-query';
import { placeOf, type Citation } from './addresses';
import { documentQuery } from './document-query';
import { boxesQuery } from './page-boxes';

/** What was asked for a moment ago is not asked for again by a mouse that comes back. */
const FRESH_MS = 30_000;

/** The code of the document's page, and what draws PDFs. The browser keeps it; where it cannot be fetched, opening the document says so. */
export async function fetchDocumentScreen(): Promise<void> {
  await Promise.allSettled([import('./document'), import('./pdf-page')]);
}

/** Fetches what opening a cited place needs while somebody is about to open it: before a click comes a pointer or the focus. */
export function useOpenAhead(): (citation: Citation) => void {
  const queries = useQueryClient();
  return (citation) => {
    const { document_id: id, page } = citation;
    void fetchDocumentScreen();
    // What fails is asked for again by the document's page, which shows why.
    const asked: Promise<unknown>[] = [queries.query({ ...documentQuery(id), staleTime: FRESH_MS })];
    if (page !== null) asked.push(queries.query(boxesQuery(id, page, placeOf(citation))));
    void Promise.allSettled(asked);
  };
}
