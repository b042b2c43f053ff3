import { keepPreviousData, queryOptions, useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query';
import { fetchText } from '../api/canonical-text';
import { api, dataOf, type Schema } from '../api/client';
import { gapsOf, type Gap } from '../search/chunk-gaps';

type Detail = Schema<'DocumentDetail'>;
type ChunkPage = Schema<'DocumentChunkPage'>;

/** Chunks that are shown at once. One more is fetched: it says where the text of the last one ends. */
export const PAGE = 99;
/** White space between chunks. */
const USUAL_GAP = 2;

const FRESH_MS = 5000;

/** A page of chunks, by its number from 0. */
const chunksQuery = ({ id, revision, updated_at: changed }: Detail, page: number) =>
  queryOptions({
    queryKey: ['chunks', id, revision, changed, page],
    queryFn: ({ signal }): Promise<ChunkPage> => {
      const params = { path: { document_id: id }, query: { skip: page * PAGE, limit: PAGE + 1 } };
      return dataOf(api.GET('/api/v1/documents/{document_id}/chunks', { params, signal }));
    },
    staleTime: FRESH_MS,
  });

/** The page of chunks that holds a place, by halving: chunks stand in the order of the text. */
async function findPage(queries: QueryClient, detail: Detail, from: number): Promise<number> {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  for (let page = 0; low < high; page = Math.floor((low + high) / 2)) {
    const { items, total } = await queries.query({ ...chunksQuery(detail, page), retry: false });
    high = Math.min(high, Math.max(0, Math.ceil(total / PAGE) - 1));
    const [first, last] = [items[0], items[Math.min(items.length, PAGE) - 1]];
    if (first === undefined || last === undefined) return 0;
    if (from < first.position.char_start && page > low) high = page - 1;
    else if (from >= (items[PAGE]?.position.char_start ?? last.position.char_end) && page < high) low = page + 1;
    else return page;
  }
  return low;
}

/** Number of the page of chunks that holds a place, from 0. */
export function usePageOf(detail: Detail, from: number | undefined): UseQueryResult<number, Error> {
  return useQuery({
    queryKey: ['chunk-page', detail.id, detail.revision, from],
    queryFn: ({ client }) => findPage(client, detail, from!),
    enabled: from !== undefined,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
}

export function useChunks(detail: Detail, page: number | undefined): UseQueryResult<ChunkPage, Error> {
  return useQuery({
    ...chunksQuery(detail, page ?? 0),
    enabled: page !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** A gap with its text. */
type ReadGap = Gap & { readonly text: string };

/** The gaps that hold more than white space, once their text has come. */
export function useGaps(
  detail: Detail,
  chunks: ChunkPage,
): { readonly gaps: readonly ReadGap[]; readonly error: Error | null } {
  const length = detail.fidelity['characters'];
  const wide = gapsOf(chunks, PAGE, typeof length === 'number' ? length : 0).filter(
    (gap) => gap.to - gap.from > USUAL_GAP,
  );
  const [from, to] = [wide[0]?.from ?? 0, wide.at(-1)?.to ?? 0];
  const { data, error } = useQuery({
    queryKey: ['between', detail.id, detail.revision, detail.updated_at, from, to],
    queryFn: ({ signal }) => fetchText(detail.id, from, to, signal),
    enabled: to > from,
    staleTime: Infinity,
  });
  const gaps =
    data === undefined ? [] : wide.map((gap) => ({ ...gap, text: data.slice(gap.from - from, gap.to - from) }));
  return { gaps: gaps.filter(({ text }) => text.trim() !== ''), error };
}
