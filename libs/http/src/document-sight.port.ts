import type { RequestContext } from '#libs/tenancy';

/** Check of documents before a response is stored or repeated; the documents module provides it globally. Injection token. */
export abstract class DocumentSight {
  /** Those of the ids that are documents of the tenant, deleted ones included. */
  abstract listKnown(ctx: RequestContext, ids: readonly string[]): Promise<string[]>;

  /**
   * Resolves when each of them, deleted or not, is in a dataset that the caller sees, or saw until its deletion began, or is in no dataset any more; in
   * the transaction of `ctx` if there is one. @throws `documents.not_found`
   */
  abstract assertVisible(ctx: RequestContext, ids: readonly string[]): Promise<void>;
}

const IDS: ReadonlySet<string> = new Set(['id', 'document_id', 'archive_id']);
const WRITTEN_BY_CALLERS: ReadonlySet<string> = new Set(['metadata', 'tags', 'warnings']);
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

interface BulkAnswer {
  readonly accepted: readonly string[];
  readonly rejected: readonly { readonly id: string; readonly code: string }[];
}

/** An answer that says nothing of documents but their ids and what became of each. */
export function isBulkAnswer(body: unknown): body is BulkAnswer {
  if (typeof body !== 'object' || body === null) return false;
  const { accepted, rejected } = body as { accepted?: unknown; rejected?: unknown };
  return Array.isArray(accepted) && Array.isArray(rejected);
}

/** The ids of things that an answer describes, by its fields; not those that the caller wrote into a name, tags or metadata. None of a bulk answer. */
export function idsDescribedIn(answer: unknown): readonly string[] {
  const found = new Set<string>();
  if (!isBulkAnswer(answer)) collectIds(answer, found);
  return [...found];
}

/** The ids in the words and fields of a problem. */
export function idsNamedIn(problem: unknown): readonly string[] {
  return [...new Set((JSON.stringify(problem) ?? '').toLowerCase().match(UUID) ?? [])];
}

function collectIds(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    if (WRITTEN_BY_CALLERS.has(name)) continue;
    if (typeof one !== 'string') collectIds(one, found);
    else if (IDS.has(name)) for (const id of one.toLowerCase().match(UUID) ?? []) found.add(id);
  }
}

/** The documents that a body names in the field `document_ids`. */
export function documentsNamedIn(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { document_ids: ids } = body as { document_ids?: unknown };
  return Array.isArray(ids) ? (ids as unknown[]).filter((id) => typeof id === 'string') : [];
}
