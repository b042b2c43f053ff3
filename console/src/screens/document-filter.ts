export const STATES = ['pending', 'processing', 'completed', 'failed', 'quarantined', 'cancelled'] as const;
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

/** What documents are told apart by first: where they stand, and whether a search can find them. Each chip sets both. */
export const STANDINGS = {
  total: {},
  searchable: { searchable: 'true' },
  processing: { state: 'processing' },
  pending: { state: 'pending' },
  failed: { state: 'failed' },
  quarantined: { state: 'quarantined' },
  cancelled: { state: 'cancelled' },
  without_text: { state: 'completed', searchable: 'false' },
} as const satisfies Readonly<Record<string, Pick<DocumentFilter['chosen'], 'state' | 'searchable'>>>;
export type Standing = keyof typeof STANDINGS;
const STANDING_NAMES = Object.keys(STANDINGS) as Standing[];

/** The standing that a filter asks for; undefined for another state, or another pair than one of these. */
export function standingOf({ chosen }: DocumentFilter): Standing | undefined {
  return STANDING_NAMES.find((name) => {
    const standing: DocumentFilter['chosen'] = STANDINGS[name];
    return standing.state === chosen.state && standing.searchable === chosen.searchable;
  });
}

/** The filter without a standing. */
export function withoutStanding({ q, chosen }: DocumentFilter): DocumentFilter {
  const { state: _state, searchable: _searchable, ...others } = chosen;
  return { q, chosen: others };
}

/** The address with another standing. */
export function withStanding(address: URLSearchParams, name: Standing): URLSearchParams {
  const { state = '', searchable = '' }: DocumentFilter['chosen'] = STANDINGS[name];
  return withCondition(withCondition(address, 'state', state), 'searchable', searchable);
}

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

/** The chosen conditions beside the standing, which has chips of its own. */
export function furtherOf(filter: DocumentFilter): readonly (readonly [FacetName, string])[] {
  const { chosen } = standingOf(filter) === undefined ? filter : withoutStanding(filter);
  return FACETS.flatMap((name) => (chosen[name] === undefined ? [] : [[name, chosen[name]] as const]));
}

/** What of a document places it in lists. */
interface Placed {
  readonly name: string;
  readonly path: string | null;
  readonly status: string;
  readonly searchable: boolean;
  readonly updated_at: string;
}

/** Whether a document that has changed is still in the same lists, at the same place of a list with this order. */
export function keepsPlace(before: Placed, after: Placed, order: Order = ORDERS[0]): boolean {
  const isNamedSame = before.name === after.name && before.path === after.path;
  const isSame = before.status === after.status && before.searchable === after.searchable;
  return isNamedSame && isSame && (order !== '-updated_at' || before.updated_at === after.updated_at);
}
