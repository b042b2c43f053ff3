import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api/client';

export type Row = Schema<'DocumentListItem'>;
export type State = Row['status'];

export interface Filter {
  readonly datasetId: string;
  readonly state: State | undefined;
  readonly q: string;
}

export const PAGE = 100;
const BUSY_MS = 4000;
const STATES: readonly string[] = ['pending', 'processing', 'completed', 'failed', 'quarantined', 'cancelled'];

export const isState = (value: string): value is State => STATES.includes(value);

function pageQuery({ datasetId, state, q }: Filter, page: number, isBusy: boolean) {
  return {
    queryKey: ['documents', datasetId, state, q, page] as const,
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      dataOf(
        api.GET('/api/v1/documents/', {
          params: {
            query: {
              dataset_id: datasetId,
              skip: page * PAGE,
              limit: PAGE,
              ...(state === undefined ? {} : { status: state }),
              ...(q === '' ? {} : { q }),
            },
          },
          signal,
        }),
      ),
    refetchInterval: isBusy ? BUSY_MS : (false as const),
    placeholderData: keepPreviousData,
  };
}

/** How many documents a filter leaves, and the first of them. */
export function useFirstPage(filter: Filter, isBusy: boolean) {
  return useQuery(pageQuery(filter, 0, isBusy));
}

/** The rows from `first` to `last`; undefined where one has not come yet. Pages are fetched as they are looked at. */
export function useRows(
  filter: Filter,
  first: number,
  last: number,
  isBusy: boolean,
): (index: number) => Row | undefined {
  const from = Math.floor(first / PAGE);
  const count = Math.floor(Math.max(first, last) / PAGE) - from + 1;
  const pages = useQueries({
    queries: Array.from({ length: count }, (_, offset) => pageQuery(filter, from + offset, isBusy)),
  });
  return (index) => pages[Math.floor(index / PAGE) - from]?.data?.items[index % PAGE];
}
