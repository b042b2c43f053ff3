import { keepPreviousData, useQueries, useQuery, type QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api/client';

export type Row = Schema<'DocumentListItem'>;
export type State = Row['status'];
type Page = Schema<'DocumentPage'>;

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
/** Changes are told; a list that is asked for now and then heals what was lost. */
const CALM_MS = 60_000;
const STATES: readonly string[] = ['pending', 'processing', 'completed', 'failed', 'quarantined', 'cancelled'];

export const isState = (value: string): value is State => STATES.includes(value);

const keyOf = ({ datasetId, state, q, more = {} }: Filter, page: number) =>
  ['documents', datasetId, state, q, more, page] as const;

/** Behind the page before it, so that nothing is left out or shown twice; only a jump over pages that have not come counts rows. */
function placeOf(queries: QueryClient, filter: Filter, page: number): { after: string } | { skip: number } {
  const before = page === 0 ? undefined : queries.getQueryData<Page>(keyOf(filter, page - 1));
  const next = before?.next ?? null;
  return next === null ? { skip: page * PAGE } : { after: next };
}

function pageQuery(filter: Filter, page: number, isBusy: boolean) {
  const { datasetId, state, q, more = {} } = filter;
  const { searchable, outdated, ...others } = more;
  return {
    queryKey: keyOf(filter, page),
    queryFn: ({ signal, client }: { readonly signal: AbortSignal; readonly client: QueryClient }) =>
      dataOf(
        api.GET('/api/v1/documents/', {
          params: {
            query: {
              dataset_id: datasetId,
              limit: PAGE,
              ...placeOf(client, filter, page),
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
    refetchInterval: isBusy ? BUSY_MS : CALM_MS,
    placeholderData: keepPreviousData,
  };
}

/** Puts a changed document into the pages that show it. True where only its progress is another: then no list has to be asked for. */
export function showChange(queries: QueryClient, row: Row): boolean {
  let before: Row | undefined;
  queries.setQueriesData<Page>({ queryKey: ['documents', row.dataset_id] }, (page) => {
    const index = page?.items.findIndex(({ id }) => id === row.id) ?? -1;
    if (page === undefined || index < 0) return page;
    before = page.items[index];
    return { ...page, items: page.items.with(index, row) };
  });
  return before !== undefined && before.status === row.status;
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
