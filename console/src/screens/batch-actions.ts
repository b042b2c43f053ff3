import { mayPass } from './failure-codes.js';

/** What the service says of a batch. */
export interface BatchResult {
  readonly accepted: readonly string[];
  readonly rejected: readonly Rejection[];
  /** Those whose release another account has to grant. */
  readonly awaiting?: readonly string[];
}

interface Rejection {
  readonly id: string;
  readonly code: string;
  readonly detail: string;
}

/** What is done with chosen documents. */
export type BatchAction =
  | { readonly name: 'retry' | 'cancel' | 'reingest' | 'release' | 'delete' }
  | { readonly name: 'quarantine'; readonly reason: string }
  | { readonly name: 'tag'; readonly add: readonly string[]; readonly remove: readonly string[] };

export interface Outcome extends Required<BatchResult> {
  readonly action: BatchAction['name'];
}

/** Why some of the documents were refused. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
  readonly count: number;
  /** The first of them by name. */
  readonly names: readonly string[];
}

/** What decides whether an action can do anything for a document. */
interface Chosen {
  readonly status: string;
  readonly error: { readonly code: string } | null;
}

/** Actions of the state, and whether there is a chosen document for which each can do something: a damaged file fails again. */
export function possibleActions(
  ids: readonly string[],
  rows: ReadonlyMap<string, Chosen>,
): Readonly<Record<'retry' | 'reingest' | 'cancel' | 'quarantine' | 'release', boolean>> {
  const some = (can: (row: Chosen) => boolean): boolean =>
    ids.some((id) => {
      const row = rows.get(id);
      // Of one that has not been fetched nothing is known.
      return row === undefined || can(row);
    });
  return {
    retry: some(({ status, error }) => status === 'failed' && mayPass(error?.code)),
    reingest: some(({ status }) => status === 'completed'),
    cancel: some(({ status }) => status === 'pending' || status === 'processing'),
    quarantine: some(({ status }) => status !== 'quarantined' && status !== 'cancelled'),
    release: some(({ status }) => status === 'quarantined'),
  };
}

/** Sends an action for as many documents as a request takes. */
export type SendBatch = (action: BatchAction, ids: readonly string[]) => Promise<BatchResult>;

/** As many as a request takes. */
const MOST_IDS = 500;
const MOST_NAMES = 3;

/** The ids in parts, each of which a request takes. */
export function batchesOf(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, part) =>
    ids.slice(part * MOST_IDS, (part + 1) * MOST_IDS),
  );
}

/** Carries it out for all, however many, and says what became of each. An error after the first request is a refusal of what was left then. */
export async function carryOut(action: BatchAction, ids: readonly string[], send: SendBatch): Promise<Outcome> {
  const accepted: string[] = [];
  const rejected: Rejection[] = [];
  const awaiting: string[] = [];
  for (let from = 0; from < ids.length; from += MOST_IDS) {
    try {
      const result = await send(action, ids.slice(from, from + MOST_IDS));
      accepted.push(...result.accepted);
      rejected.push(...result.rejected);
      awaiting.push(...(result.awaiting ?? []));
    } catch (error) {
      if (from === 0) throw error;
      const { message, code } = error as Error & { readonly code?: string };
      rejected.push(...ids.slice(from).map((id) => ({ id, code: code ?? '', detail: message })));
      break;
    }
  }
  return { action: action.name, accepted, rejected, awaiting };
}

/** The reasons of an outcome, the most frequent first, each with the names of some documents. */
export function refusalsOf(
  { rejected }: Pick<BatchResult, 'rejected'>,
  nameOf: (id: string) => string | undefined,
): readonly Refusal[] {
  const byDetail = new Map<string, { readonly code: string; readonly ids: string[] }>();
  for (const { id, code, detail } of rejected) {
    const known = byDetail.get(detail) ?? { code, ids: [] };
    known.ids.push(id);
    byDetail.set(detail, known);
  }
  return [...byDetail]
    .map(([detail, { code, ids }]) => ({
      code,
      detail,
      count: ids.length,
      names: ids.flatMap((id) => nameOf(id) ?? []).slice(0, MOST_NAMES),
    }))
    .toSorted((one, other) => other.count - one.count);
}

/** Tags as a person writes them, separated by commas. */
export function tagsOf(text: string): readonly string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}
