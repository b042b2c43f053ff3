import { matchesFilter, type ChunkMetadata, type Filter, type FilterScalar } from '#libs/vector-store';

/** Three-valued truth; undefined: unknown. */
export type Truth = boolean | undefined;

/** A condition over one key. */
export interface FactTest {
  readonly key: string;
  /** All of them must hold. */
  readonly filters: readonly Filter[];
  /** Meaning of a missing key: the result of the filter, or unknown. */
  readonly missing: 'as_filtered' | 'unknown';
}

/** Conditions over facts that must all hold. */
export interface FactCondition {
  readonly tests: readonly FactTest[];
}

/** A fact that a condition looked at. */
export interface SeenFact {
  readonly key: string;
  readonly value: string;
}

/** The condition as one filter. */
export function filterOf({ tests }: FactCondition): Filter {
  const filters = tests.flatMap((test) => test.filters);
  return filters.length === 1 ? filters[0]! : { type: 'and', filters };
}

/** Whether facts meet a condition: false where one test fails, unknown where none fails and a key is missing. */
export function meets({ tests }: FactCondition, facts: ChunkMetadata): Truth {
  let truth: Truth = true;
  for (const { key, filters, missing } of tests) {
    if (missing === 'unknown' && !matchesFilter({ type: 'exists', key }, facts)) truth = undefined;
    else if (!filters.every((filter) => matchesFilter(filter, facts))) return false;
  }
  return truth;
}

/** What is under the keys of a condition. */
export function factsSeen({ tests }: FactCondition, facts: ChunkMetadata): SeenFact[] {
  return [...new Set(tests.map(({ key }) => key))].map((key) => ({ key, value: valueText(key, facts) }));
}

function valueText(key: string, facts: ChunkMetadata): string {
  const fixed: Readonly<Record<string, unknown>> = {
    language: facts.language,
    media_type: facts.mediaType,
    created_at: facts.createdAt,
    tags: facts.tags,
    document_name: facts.documentName,
    path: facts.path,
    archive_id: facts.archiveId,
  };
  const value = key in fixed ? fixed[key] : facts.metadata[key.replace(/^metadata\./, '')];
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return text.slice(0, 500);
}

/** A test that its key equals a value. */
export function equals(key: string, value: FilterScalar, missing: FactTest['missing']): FactTest {
  return { key, filters: [{ type: 'eq', key, value }], missing };
}
