import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** What is asked before an answer is given a second time; the datasets module provides it globally. Injection token. */
export abstract class DatasetSight {
  /** Resolves when the caller sees every one of them, in the transaction of `ctx` if there is one. @throws `datasets.not_found` */
  abstract assertVisible(ctx: RequestContext, ids: readonly DatasetId[]): Promise<void>;
}

/** The datasets that a body names in a field of its own: `dataset_id`, `dataset_ids`. */
export function datasetsNamedIn(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { dataset_id: one, dataset_ids: several } = body as { dataset_id?: unknown; dataset_ids?: unknown };
  return [one, ...(Array.isArray(several) ? (several as unknown[]) : [])].filter((id) => typeof id === 'string');
}
