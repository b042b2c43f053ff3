import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api/client';

export type Row = Schema<'DocumentListItem'>;
export type State = Row['status'];

export interface Filter {
  readonly datasetId: string;
  readonly state: State | undefined;
  readonly q: string;
  /** What a number of another page stands for, such as one code of failures. */
  readonly more?: MoreFilters;
}

export const MORE_FILTERS = ['searchable', 'error_code', 'warning_code', 'waiting_reason', 'outdated'] as const;
export type MoreFilters = Partial<Record<(typeof MORE_FILTERS)[number], string>>;

export function moreFiltersOf(address: URLSearchParams): MoreFilters {
  return Object.fromEntries(MORE_FILTERS.flatMap((name) => (address.has(name) ? [[name, address.get(name)!]] : [])));
}

export const PAGE = 100;
const BUSY_MS = 4000;
const STATES: readonly string[] = ['pending', 'processing', 'completed', 'failed', 'quarantined', 'cancelled'];

export const isState = (value: string): value is State => STATES.includes(value);

function pageQuery({ datasetId, state, q, more = {} }: Filter, page: number, isBusy: boolean) {
  const { searchable, outdated, ...others } = more;
  return {
    queryKey: ['documents', datasetId, state, q, more, page] as const,
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
              ...(searchable === undefined ? {} : { searchable: searchable === 'true' }),
              ...(outdated === undefined ? {} : { outdated: outdated === 'true' }),
              ...others,
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
