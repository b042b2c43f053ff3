import { canonicalJson, CatalogueError, type FieldProblem } from '#libs/common';
import type { RetrievalDefaults } from '../../ingestion-policy/index.js';
import { TOP_K_DEFAULT, type SearchOptionsDto } from './search-options.dto.js';
import { resolveOptions, type OptionFacts } from './search-options.js';

type Option = keyof RetrievalDefaults;

/** Options that requests and policies may both name. */
type Asked = SearchOptionsDto & { readonly top_k?: number };

/** The defaults that apply to a search, and those that were left out. */
export interface AppliedDefaults {
  /** The defaults of the datasets, otherwise those of the caller within the service. */
  readonly options: RetrievalDefaults;
  /** Options that the request omits and in which the datasets differ. */
  readonly differing: readonly Option[];
  /** Options of the datasets that are no longer available in the installation. */
  readonly unavailable: readonly Option[];
}

/** A request with its omitted options filled in, except for the built-in defaults. */
export interface RequestWithDefaults<Request extends Asked> {
  readonly request: Request & { readonly top_k: number };
  readonly defaults: AppliedDefaults;
}

export type DefaultsFacts = Omit<OptionFacts, 'topK' | 'pointer'>;

/** The options in which all datasets agree, and the names of the others. A dataset without an option differs from one that has it. */
export function agreeOn(all: readonly RetrievalDefaults[]): {
  readonly agreed: RetrievalDefaults;
  readonly differing: readonly Option[];
} {
  const names = [...new Set(all.flatMap((one) => Object.keys(one) as Option[]))].toSorted();
  const isAgreed = (name: Option): boolean =>
    new Set(all.map((one) => (one[name] === undefined ? '' : canonicalJson(one[name])))).size === 1;
  const agreed = Object.fromEntries(names.filter(isAgreed).map((name) => [name, all[0]![name]]));
  return { agreed, differing: names.filter((name) => !isAgreed(name)) };
}

/**
 * Fills in options that the request omits: first those in which its datasets agree, then those of `fallback`. A default never makes a request
 * invalid: numbers of candidates and results are adapted to those of the request, and unavailable options are left out.
 */
export function applyDefaults<Request extends Asked>(
  request: Request,
  ofDatasets: readonly RetrievalDefaults[],
  fallback: RetrievalDefaults,
  facts: DefaultsFacts,
): RequestWithDefaults<Request> {
  const isOpen = (name: Option): boolean => request[name] === undefined;
  const { agreed, differing } = agreeOn(ofDatasets);
  const named = (Object.keys(agreed) as Option[]).filter(isOpen);
  const unavailable = named.filter((name) => problemsOf({ [name]: agreed[name] }, facts, '').length > 0);
  const usable = named.filter((name) => !unavailable.includes(name));
  const options: RetrievalDefaults = {
    ...fallback,
    ...Object.fromEntries(usable.map((name) => [name, agreed[name]])),
  };
  const { candidate_k: asked } = request;
  const defaultTopK = usable.includes('top_k') && asked !== undefined ? Math.min(asked, options.top_k!) : options.top_k;
  const topK = request.top_k ?? defaultTopK ?? TOP_K_DEFAULT;
  const candidateK = options.candidate_k === undefined ? {} : { candidate_k: Math.max(options.candidate_k, topK) };
  const settled = { ...options, ...candidateK, ...definedOf(request), top_k: topK } as Request & { top_k: number };
  return { request: settled, defaults: { options, unavailable, differing: differing.filter(isOpen) } };
}

/** What the installation cannot do of these options, or what does not fit together in them. */
export function problemsOf(options: RetrievalDefaults, facts: DefaultsFacts, pointer: string): readonly FieldProblem[] {
  try {
    resolveOptions(options, { ...facts, topK: options.top_k ?? 1, pointer });
    return [];
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.errors === undefined) throw error;
    return error.errors;
  }
}

function definedOf<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}
