import { api, dataOf, type Schema } from '../api/client';
import { Problem } from '../api/problem';

type Result = Schema<'BulkResult'>;

/** What is done with chosen documents. */
export type Deed =
  | { readonly name: 'retry' | 'cancel' | 'reingest' | 'delete' }
  | { readonly name: 'quarantine'; readonly reason: string }
  | { readonly name: 'tag'; readonly add: readonly string[]; readonly remove: readonly string[] };

export interface Outcome extends Result {
  readonly deed: Deed['name'];
}

/** Why some of the documents were refused. */
export interface Refusal {
  readonly detail: string;
  readonly count: number;
  /** The first of them by name. */
  readonly names: readonly string[];
}

/** As many as a request takes. */
const MOST_IDS = 500;
const MOST_NAMES = 3;

/** Carries it out for all, however many, and says what became of each. An error after the first request is a refusal of what was left then. */
export async function carryOut(deed: Deed, ids: readonly string[], send = sendBatch): Promise<Outcome> {
  const accepted: string[] = [];
  const rejected: Result['rejected'] = [];
  for (let from = 0; from < ids.length; from += MOST_IDS) {
    try {
      const result = await send(deed, ids.slice(from, from + MOST_IDS));
      accepted.push(...result.accepted);
      rejected.push(...result.rejected);
    } catch (error) {
      if (from === 0 || !(error instanceof Problem)) throw error;
      const { code, message: detail } = error;
      rejected.push(...ids.slice(from).map((id) => ({ id, code, detail })));
      break;
    }
  }
  return { deed: deed.name, accepted, rejected };
}

function sendBatch(deed: Deed, ids: readonly string[]): Promise<Result> {
  const body = { document_ids: [...ids] };
  switch (deed.name) {
    case 'retry':
      return dataOf(api.POST('/api/v1/documents/batch/retry', { body }));
    case 'cancel':
      return dataOf(api.POST('/api/v1/documents/batch/cancel', { body }));
    case 'reingest':
      return dataOf(api.POST('/api/v1/documents/batch/reingest', { body }));
    case 'delete':
      return dataOf(api.POST('/api/v1/documents/batch/delete', { body }));
    case 'quarantine':
      return dataOf(api.POST('/api/v1/governance/quarantine', { body: { ...body, reason: deed.reason } }));
    case 'tag': {
      const patch = {
        ...(deed.add.length === 0 ? {} : { add_tags: [...deed.add] }),
        ...(deed.remove.length === 0 ? {} : { remove_tags: [...deed.remove] }),
      };
      return dataOf(api.POST('/api/v1/documents/batch/update', { body: { ...body, patch } }));
    }
  }
}

/** The reasons of an outcome, the most frequent first, each with the names of some documents. */
export function refusalsOf({ rejected }: Result, nameOf: (id: string) => string | undefined): readonly Refusal[] {
  const byDetail = new Map<string, string[]>();
  for (const { id, detail } of rejected) byDetail.set(detail, [...(byDetail.get(detail) ?? []), id]);
  return [...byDetail]
    .map(([detail, ids]) => ({
      detail,
      count: ids.length,
      names: ids.flatMap((id) => nameOf(id) ?? []).slice(0, MOST_NAMES),
    }))
    .toSorted((one, other) => other.count - one.count);
}

/** Tags as a person writes them, parted by commas. */
export function tagsOf(text: string): readonly string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}
