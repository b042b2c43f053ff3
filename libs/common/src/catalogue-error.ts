/** The HTTP status codes that the service's errors use (contract, section 1). */
export type ErrorStatus =
  400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 412 | 413 | 415 | 416 | 417 | 422 | 429 | 431 | 500 | 503 | 507;

/** Most problems that one answer lists. */
export const MAX_FIELD_PROBLEMS = 20;

/** One problem inside a request: where it is (JSON pointer), a stable code, and what to change. */
export interface FieldProblem {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export type ErrorFacts = Readonly<Record<string, unknown>>;

export interface ErrorDefinition<F extends ErrorFacts = ErrorFacts> {
  readonly status: ErrorStatus;
  readonly title: string;
  /** The sentence that the caller reads: what happened and what to change. */
  readonly detail: (facts: F) => string;
}

/** An entry of the error catalogue as `GET /errors` shows it. */
export interface CatalogueEntry {
  readonly code: string;
  readonly status: ErrorStatus;
  readonly title: string;
}

export interface CatalogueErrorOptions {
  readonly errors?: readonly FieldProblem[];
  /** How many problems there are, where `errors` no longer holds all of them. */
  readonly errorCount?: number;
  /** Seconds, sent as `Retry-After`. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Numbers for programs, as the member `figures` of the body; null: not known. */
  readonly figures?: ErrorFigures;
  readonly cause?: unknown;
}

export type ErrorFigures = Readonly<Record<string, number | null>>;

/** An error that the caller sees as `application/problem+json`; made only through a module's catalogue. */
export class CatalogueError extends Error {
  readonly code: string;
  readonly status: ErrorStatus;
  readonly title: string;
  readonly facts: ErrorFacts;
  /** The first ones, at most `MAX_FIELD_PROBLEMS`. */
  readonly errors: readonly FieldProblem[] | undefined;
  /** How many there are; undefined where there is no list of them. */
  readonly errorCount: number | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly figures: ErrorFigures | undefined;

  constructor(entry: CatalogueEntry, detail: string, facts: ErrorFacts, options: CatalogueErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CatalogueError';
    this.code = entry.code;
    this.status = entry.status;
    this.title = entry.title;
    this.facts = facts;
    this.errors = options.errors?.slice(0, MAX_FIELD_PROBLEMS);
    this.errorCount = options.errorCount ?? options.errors?.length;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
    this.figures = options.figures;
  }
}

/** An error that says more to the code than a caller may read, and knows the catalogue's entry for it. */
export abstract class CataloguedError extends Error {
  /** What a caller of the HTTP interface reads. */
  abstract toCatalogueError(): CatalogueError;
}

/** The catalogue's error that something thrown is or represents; undefined for what no one expected. */
export function catalogueErrorOf(thrown: unknown): CatalogueError | undefined {
  if (thrown instanceof CatalogueError) return thrown;
  return thrown instanceof CataloguedError ? thrown.toCatalogueError() : undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the facts of each entry are typed where it is defined
type Definitions = Readonly<Record<string, ErrorDefinition<any>>>;

export type Catalogue<D extends Definitions> = {
  readonly [K in keyof D]: (facts: FactsOf<D[K]>, options?: CatalogueErrorOptions) => CatalogueError;
};

type FactsOf<E extends ErrorDefinition> =
  Parameters<E['detail']> extends [infer F extends ErrorFacts] ? F : Readonly<Record<string, never>>;

const registry = new Map<string, CatalogueEntry>();

/**
 * Defines the errors of one area; the code of an entry is `<area>.<key>`.
 * Every entry is listed in `GET /errors` and in the OpenAPI description.
 *
 *     export const datasetErrors = defineErrors('datasets', {
 *       name_taken: { status: 409, title: 'Name taken', detail: (f: { name: string }) => `…${f.name}…` },
 *     });
 *     throw datasetErrors.name_taken({ name });
 */
export function defineErrors<const D extends Definitions>(area: string, definitions: D): Catalogue<D> {
  const catalogue: Record<string, unknown> = {};
  for (const [key, definition] of Object.entries(definitions)) {
    const entry: CatalogueEntry = { code: `${area}.${key}`, status: definition.status, title: definition.title };
    registry.set(entry.code, entry);
    catalogue[key] = (facts: ErrorFacts, options?: CatalogueErrorOptions) =>
      new CatalogueError(entry, definition.detail(facts), facts, options);
  }
  return catalogue as Catalogue<D>;
}

/** All entries defined so far, by code. */
export function listCatalogueEntries(): CatalogueEntry[] {
  return [...registry.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}
