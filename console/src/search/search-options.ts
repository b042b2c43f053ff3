import { fieldsOf, filterOf, readFields, writeFields, FIELD_NAMES, type SearchFilter } from './search-filters.js';

/** What a search may be told beside its question, as its request says it. What is left out is as the dataset has it. */
export interface SearchOptions {
  readonly search_method?: (typeof METHODS)[number];
  readonly top_k?: number;
  readonly candidate_k?: number;
  readonly score_threshold?: number;
  readonly fusion?: { readonly method?: 'rrf' | 'weighted'; readonly k?: number; readonly vector_weight?: number };
  readonly rerank?: { readonly enabled?: boolean; readonly provider?: string; readonly top_n?: number };
  readonly mmr?: { readonly lambda?: number };
  readonly use_kg?: boolean;
  readonly expand?: (typeof SURROUNDINGS)[number];
  readonly filters?: SearchFilter;
  readonly dataset_ids?: readonly string[];
}

type Writable = { -readonly [Name in keyof SearchOptions]: SearchOptions[Name] };

export const METHODS = ['hybrid', 'keyword', 'vector'] as const;
export const SURROUNDINGS = ['none', 'neighbours', 'parent'] as const;
const SWITCH: Readonly<Record<string, boolean>> = { on: true, off: false };
const NAMES = ['method', 'top_k', 'threshold', 'weight', 'rerank', 'variety', 'graph', 'around', 'change'] as const;

/** The options that an address holds. What it says wrongly is left out, save `change`, which the service judges. */
export function optionsOf(address: URLSearchParams): SearchOptions {
  const options: Writable = {};
  const method = METHODS.find((name) => name === address.get('method'));
  const around = SURROUNDINGS.find((name) => name === address.get('around'));
  const [topK, threshold, weight, variety] = (['top_k', 'threshold', 'weight', 'variety'] as const).map((name) =>
    numberOf(address.get(name)),
  );
  const rerank = SWITCH[address.get('rerank') ?? ''];
  const graph = SWITCH[address.get('graph') ?? ''];
  const filter = filterOf(readFields(address));
  if (method !== undefined) options.search_method = method;
  if (topK !== undefined) options.top_k = topK;
  if (threshold !== undefined) options.score_threshold = threshold;
  if (weight !== undefined) options.fusion = { vector_weight: weight };
  if (rerank !== undefined) options.rerank = { enabled: rerank };
  if (variety !== undefined) options.mmr = { lambda: variety };
  if (graph !== undefined) options.use_kg = graph;
  if (around !== undefined) options.expand = around;
  if (filter !== undefined) options.filters = filter;
  return merged(options, objectOf(address.get('change')));
}

/** The address with these options in place of those that it has; everything else of it stays. */
export function withOptions(address: URLSearchParams, options: SearchOptions): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const name of [...NAMES, ...FIELD_NAMES]) next.delete(name);
  const rest: Record<string, unknown> = { ...options };
  const put = (name: string, option: keyof SearchOptions, value: string | number | boolean | undefined): void => {
    if (value === undefined) return;
    next.set(name, typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));
    delete rest[option];
  };
  put('method', 'search_method', options.search_method);
  put('top_k', 'top_k', options.top_k);
  put('threshold', 'score_threshold', options.score_threshold);
  put('weight', 'fusion', onlyValue(options.fusion, 'vector_weight'));
  put('rerank', 'rerank', onlyValue(options.rerank, 'enabled'));
  put('variety', 'mmr', onlyValue(options.mmr, 'lambda'));
  put('graph', 'use_kg', options.use_kg);
  put('around', 'expand', options.expand);
  const fields = fieldsOf(options.filters);
  if (fields !== undefined) {
    writeFields(next, fields);
    delete rest['filters'];
  }
  if (Object.keys(rest).length > 0) next.set('change', JSON.stringify(rest));
  return next;
}

/** A change of options as the service suggests it: JSON Merge Patch (RFC 7396). */
export function merged(options: SearchOptions, patch: Readonly<Record<string, unknown>>): SearchOptions {
  return mergePatch(options, patch) as SearchOptions;
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}

/** Options in words of the interface: "top_k 20", "search_method keyword". */
export function wordsOf(options: Readonly<Record<string, unknown>>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

function objectOf(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : {};
  } catch {
    // Somebody has shortened the address: the search runs unchanged.
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberOf(text: string | null): number | undefined {
  const value = Number(text ?? '');
  return text === null || text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}

/** The value of an object that has no other. */
function onlyValue<Value extends object>(object: Value | undefined, name: keyof Value): Value[keyof Value] | undefined {
  return object !== undefined && Object.keys(object).length === 1 ? object[name] : undefined;
}
