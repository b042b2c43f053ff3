import { catalogueErrorOf, defineErrors, type CatalogueError } from './catalogue-error.js';

/** Seconds after which a caller may try again. */
const RETRY_AFTER = 30;

/** Bytes of the volume that has least left above its reserve. */
export interface SpaceFigures {
  readonly free_bytes: number;
  readonly reserve_bytes: number;
  /** What the request needs together with everything that was accepted before it and has yet to grow; 0: any amount is too much. */
  readonly needed_bytes: number;
}

/** What has no space left: the volume of the data folder, or a server that said so. */
export type FullPlace = 'volume' | 'database' | 'object_storage' | 'vector_store';

const PLACES: Readonly<Record<Exclude<FullPlace, 'volume'>, string>> = {
  database: 'The database has no space left',
  object_storage: 'The storage of files has no space left',
  vector_store: 'The vector store takes no writes because its disks are full',
};

const errors = defineErrors('storage', {
  low: {
    status: 507,
    title: 'Not enough storage',
    detail: ({ place, figures }: { place: FullPlace; figures?: SpaceFigures }) =>
      `${describe(place, figures)} ${ADVICE}`,
  },
});

const ADVICE = 'Reads, searches and deletions go on: delete what is not needed, or ask the operator for more space.';

/** The code of `storageLow`. */
export const STORAGE_LOW = 'storage.low';

/** 507: there is less space than what must be kept free. With figures where it is our own volume. */
export function storageLow(place: FullPlace, about: { figures?: SpaceFigures; cause?: unknown } = {}): CatalogueError {
  const { figures, cause } = about;
  return errors.low(
    { place, ...(figures === undefined ? {} : { figures }) },
    { retryAfter: RETRY_AFTER, cause, ...(figures === undefined ? {} : { figures: { ...figures } }) },
  );
}

function describe(place: FullPlace, figures: SpaceFigures | undefined): string {
  if (place !== 'volume') return `${PLACES[place]}.`;
  if (figures === undefined) return 'The disk has no space left.';
  const { free_bytes: free, reserve_bytes: reserve, needed_bytes: needed } = figures;
  const need = needed === 0 ? '' : `, and ${needed} are needed for what was accepted and for this request`;
  return `The disk has ${free} bytes free, of which ${reserve} are kept in reserve${need}.`;
}

const FULL_CODES: Readonly<Record<string, FullPlace>> = {
  ENOSPC: 'volume',
  EDQUOT: 'volume',
  EFBIG: 'volume',
  // PostgreSQL: disk_full.
  '53100': 'database',
};
const FULL_WORDS = /no space left on device|disk quota exceeded|os error 28\b|os error 122\b/i;
const DEEPEST_CAUSE = 8;

/** What has no space left, as an error or one of its causes says in whatever words; undefined when none of them is about space. */
export function fullPlaceOf(error: unknown): FullPlace | undefined {
  let current = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && current instanceof Error; depth += 1) {
    const place = FULL_CODES[String((current as { readonly code?: unknown }).code)];
    if (place !== undefined) return place;
    if (FULL_WORDS.test(current.message)) return 'volume';
    current = current.cause;
  }
  return undefined;
}

/** The error `storage.low` that something thrown is or represents; undefined for everything else. */
export function storageLowOf(error: unknown): CatalogueError | undefined {
  const known = catalogueErrorOf(error);
  if (known?.code === STORAGE_LOW) return known;
  const place = fullPlaceOf(error);
  return place === undefined ? undefined : storageLow(place, { cause: error });
}
