import { queryOptions } from '@tanstack/react-query';
import { fetchRoute } from '../api/client';

/** What is fetched first of a file: most PDFs are there with it. */
const HEAD_BYTES = 1 << 20;
/** Another revision may be shown afterwards. */
const FRESH_MS = 30_000;
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
    staleTime: FRESH_MS,
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
  // What stands between may drop the range, and gives the whole file then.
  if (response.status !== 206) return { bytes: bytes.subarray(begin, end), size: bytes.byteLength };
  const [, size] = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '') ?? [];
  if (size === undefined) throw new Error('The answer does not say which part of the file it is.');
  return { bytes, size: Number(size) };
}

/** Size of the parts of a file that are fetched behind its beginning: of a scan with hundreds of pages not one for each page. */
export const partBytesOf = (size: number): number => (size > 16 * HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES / 4);
