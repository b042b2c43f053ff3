import { queryOptions } from '@tanstack/react-query';
import { fetchRoute } from '../api/client';

/** What is fetched of a file at once: most PDFs are there with it. A multiple of what pdf.js asks for at a time. */
const HEAD_BYTES = 1 << 20;
const KEPT_MS = 60_000;

/** A part of a file, and how large the whole is. */
export interface FilePart {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** The beginning of a document's file. */
export const headQuery = (documentId: string, revision: number) =>
  queryOptions({
    queryKey: ['head', documentId, revision],
    queryFn: ({ signal }) => fetchPart(documentId, 0, HEAD_BYTES, signal),
    staleTime: Infinity,
    gcTime: KEPT_MS,
    retry: false,
  });

/** The bytes of a document's file from `begin` up to `end`, as far as it has them. */
export async function fetchPart(
  documentId: string,
  begin: number,
  end: number,
  signal: AbortSignal,
): Promise<FilePart> {
  const headers = { Range: `bytes=${begin}-${end - 1}` };
  const response = await fetchRoute(`api/v1/documents/${documentId}/content`, { headers, signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const [, size] = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '') ?? [];
  return { bytes, size: size === undefined ? bytes.byteLength : Number(size) };
}
