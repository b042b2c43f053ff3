import { keepPreviousData, useQueries, useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { keepsPlace, type DocumentQuery } from './document-filter';

export type Row = Schema<'DocumentListItem'>;
type Page = Schema<'DocumentPage'>;
/** With the cursor that it was asked for by; undefined where rows were counted. */
type PlacedPage = Page & { readonly after?: string };

export const PAGE = 100;
const BUSY_MS = 4000;
/** Changes are told; a list that is asked for now and then heals what was lost. */
const CALM_MS = 60_000;

const keyOf = (query: DocumentQuery, page: number) => ['documents', query.dataset_id, query, page] as const;

/** Behind the page before it, so that nothing is left out or shown twice; only a jump over pages that have not come counts rows. */
function placeOf(queries: QueryClient, query: DocumentQuery, page: number): { after: string } | { skip: number } {
  const before = page === 0 ? undefined : queries.getQueryData<Page>(keyOf(query, page - 1));
  const next = before?.next ?? null;
  return next === null ? { skip: page * PAGE } : { after: next };
}

interface Asking {
  readonly signal: AbortSignal;
  readonly client: QueryClient;
}

function pageQuery(query: DocumentQuery, page: number, isBusy: boolean) {
  return {
    queryKey: keyOf(query, page),
    queryFn: async ({ signal, client }: Asking): Promise<PlacedPage> => {
      const place = placeOf(client, query, page);
      const params = { query: { ...query, limit: PAGE, ...place } };
      return { ...(await dataOf(api.GET('/api/v1/documents/', { params, signal }))), ...place };
    },
    refetchInterval: isBusy ? BUSY_MS : CALM_MS,
    placeholderData: keepPreviousData,
  };
}

/** The rows from `first` to `last`, fetched where they have not come yet. */
export async function rowsBetween(
  queries: QueryClient,
  query: DocumentQuery,
  first: number,
  last: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1) {
    const { queryKey, queryFn } = pageQuery(query, page, false);
    const { items } = await queries.query({ queryKey, queryFn, staleTime: CALM_MS });
    rows.push(...items.slice(Math.max(0, first - page * PAGE), last - page * PAGE + 1));
  }
  return rows;
}

/** Puts a changed document into the pages that show it. True where it stays where it is in each of them: then no list has to be asked for. */
export function showChange(queries: QueryClient, row: Row): boolean {
  const kept: boolean[] = [];
  for (const [key, page] of queries.getQueriesData<Page>({ queryKey: ['documents', row.dataset_id] })) {
    const index = page?.items.findIndex(({ id }) => id === row.id) ?? -1;
    if (page === undefined || index < 0) continue;
    const { order_by: order } = key[2] as DocumentQuery;
    kept.push(keepsPlace(page.items[index]!, row, order));
    queries.setQueryData<Page>(key, { ...page, items: page.items.with(index, row) });
  }
  return kept.length > 0 && !kept.includes(false);
}

/** The rows of a dataset that have been fetched, by their ids. */
export function knownRows(queries: QueryClient, datasetId: string): ReadonlyMap<string, Row> {
  const pages = queries.getQueriesData<Page>({ queryKey: ['documents', datasetId] });
  return new Map(pages.flatMap(([, page]) => page?.items ?? []).map((row) => [row.id, row]));
}

/** How many documents a filter leaves, and the first of them. */
export function useFirstPage(query: DocumentQuery, isBusy: boolean) {
  return useQuery(pageQuery(query, 0, isBusy));
}

/** The rows from `first` to `last`; undefined where one has not come yet. Pages are fetched as they are looked at. */
export function useRows(
  query: DocumentQuery,
  first: number,
  last: number,
  isBusy: boolean,
): (index: number) => Row | undefined {
  const from = Math.floor(first / PAGE);
  const count = Math.floor(Math.max(first, last) / PAGE) - from + 1;
  const pages = useQueries({
    queries: Array.from({ length: count }, (_, offset) => pageQuery(query, from + offset, isBusy)),
  });
  // Pages that are asked for anew at one moment begin where the ones before them ended until then: rows that have moved between them would be
  // there twice, or missing.
  useEffect(() => {
    pages.forEach((page, index) => {
      const before = pages[index - 1];
      if (before?.data === undefined || page.data === undefined) return;
      if ([before, page].some((one) => one.isFetching || one.isError || one.isPlaceholderData)) return;
      const { after } = page.data;
      if (after !== undefined && before.data.next !== null && after !== before.data.next) void page.refetch();
    });
  });
  return (index) => pages[Math.floor(index / PAGE) - from]?.data?.items[index % PAGE];
}
