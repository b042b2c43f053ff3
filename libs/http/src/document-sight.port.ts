import type { RequestContext } from '#libs/tenancy';

/** What is asked of documents before an answer is kept or given a second time; the documents module provides it globally. Injection token. */
export abstract class DocumentSight {
  /** Those of the ids that are documents of the tenant, deleted ones included. */
  abstract listKnown(ctx: RequestContext, ids: readonly string[]): Promise<string[]>;

  /**
   * Resolves when each of them is in a dataset that the caller sees, deleted or not, or is in no dataset any more; in the transaction of `ctx` if there is
   * one. @throws `documents.not_found`
   */
  abstract assertVisible(ctx: RequestContext, ids: readonly string[]): Promise<void>;
}

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

/** The ids in a value of which something else may be said there, too; none of a bulk answer. */
export function idsDescribedIn(value: unknown): readonly string[] {
  if (isBulkAnswer(value)) return [];
  return [...new Set((JSON.stringify(value) ?? '').toLowerCase().match(UUID) ?? [])];
}

/** The documents that a body names in the field `document_ids`. */
export function documentsNamedIn(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { document_ids: ids } = body as { document_ids?: unknown };
  return Array.isArray(ids) ? (ids as unknown[]).filter((id) => typeof id === 'string') : [];
}
