import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** Check of datasets before a stored response is repeated; the datasets module provides it globally. Injection token. */
export abstract class DatasetSight {
  /** Resolves when the caller sees all of these datasets, in the transaction of `ctx` if there is one. @throws `datasets.not_found` */
  abstract assertVisible(ctx: RequestContext, ids: readonly DatasetId[]): Promise<void>;
}

/** The datasets that a body names in a field of its own: `dataset_id`, `dataset_ids`, `unanswerable_from`. */
export function datasetsNamedIn(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const {
    dataset_id: one,
    dataset_ids: several,
    unanswerable_from: further,
  } = body as Readonly<Record<string, unknown>>;
  return [one, several, further].flat().filter((id) => typeof id === 'string');
}
