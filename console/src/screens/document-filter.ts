const STATES = ['pending', 'processing', 'completed', 'failed', 'quarantined', 'cancelled'] as const;
type State = (typeof STATES)[number];

/** Properties that a list is filtered by, as the address calls them. */
export const FACETS = [
  'state',
  'type',
  'tag',
  'error_code',
  'warning_code',
  'waiting_reason',
  'searchable',
  'outdated',
] as const;
export type FacetName = (typeof FACETS)[number];

/** Which documents of a dataset are listed; all conditions must hold. */
export interface DocumentFilter {
  /** A part of the name or the path. */
  readonly q: string;
  readonly chosen: Partial<Readonly<Record<FacetName, string>>>;
}

/** Orders of a list, the usual one first. */
export const ORDERS = ['-created_at', '-updated_at', 'name', '-name'] as const;
export type Order = (typeof ORDERS)[number];

/** The order that the address names; a slip is none. */
export const readOrder = (address: URLSearchParams): Order =>
  ORDERS.find((order) => order === address.get('order')) ?? ORDERS[0];

/** The address with another order; the usual one is not named. */
export const withOrder = (address: URLSearchParams, order: Order): URLSearchParams =>
  withCondition(address, 'order', order === ORDERS[0] ? '' : order);

/** The same as `GET /documents/` takes it. */
export interface DocumentQuery {
  dataset_id: string;
  q?: string;
  status?: State;
  media_type?: string;
  tag?: string;
  error_code?: string;
  warning_code?: string;
  waiting_reason?: string;
  searchable?: boolean;
  outdated?: boolean;
  order_by?: Order;
}

const FLAGS: readonly string[] = ['true', 'false'];
/** Facets whose values are known; anything else in an address is a slip, and filters nothing. */
const VALUES: Partial<Readonly<Record<FacetName, readonly string[]>>> = {
  state: STATES,
  searchable: FLAGS,
  outdated: FLAGS,
};

export function readFilter(address: URLSearchParams): DocumentFilter {
  const chosen = FACETS.flatMap((name) => {
    const value = address.get(name) ?? '';
    const isKnown = value !== '' && VALUES[name]?.includes(value) !== false;
    return isKnown ? [[name, value] as const] : [];
  });
  return { q: address.get('q')?.trim() ?? '', chosen: Object.fromEntries(chosen) };
}

/** The address with another value of a condition; `''` takes it away. Whatever else is in it stays. */
export function withCondition(
  address: URLSearchParams,
  name: FacetName | 'q' | 'order',
  value: string,
): URLSearchParams {
  const next = new URLSearchParams(address);
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}

export function queryOf(datasetId: string, { q, chosen }: DocumentFilter): DocumentQuery {
  const { state, type, searchable, outdated, ...same } = chosen;
  return {
    dataset_id: datasetId,
    ...(q === '' ? {} : { q }),
    ...(state === undefined ? {} : { status: state as State }),
    ...(type === undefined ? {} : { media_type: type }),
    ...same,
    ...(searchable === undefined ? {} : { searchable: searchable === 'true' }),
    ...(outdated === undefined ? {} : { outdated: outdated === 'true' }),
  };
}

/** The chosen conditions beside the state, which has chips of its own. */
export function furtherOf({ chosen }: DocumentFilter): readonly (readonly [FacetName, string])[] {
  return FACETS.flatMap((name) => {
    const value = chosen[name];
    return name === 'state' || value === undefined ? [] : [[name, value] as const];
  });
}

/** What of a document places it in lists. */
interface Placed {
  readonly name: string;
  readonly path: string | null;
  readonly status: string;
  readonly updated_at: string;
}

/** Whether a document that has changed is still in the same lists, at the same place of a list with this order. */
export function keepsPlace(before: Placed, after: Placed, order: Order = ORDERS[0]): boolean {
  const isSame = before.name === after.name && before.path === after.path && before.status === after.status;
  return isSame && (order !== '-updated_at' || before.updated_at === after.updated_at);
}
