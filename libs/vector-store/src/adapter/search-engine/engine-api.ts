import type { EngineCall } from './engine-call.js';
import { EngineFailure, type EngineError, type EngineRequest, type EngineTransport } from './engine-transport.js';

/** How many shards a request reached. */
export interface ShardCounts {
  readonly failed?: number;
}

/** What became of one search of several. */
export interface SearchAnswer {
  readonly status?: number;
  readonly error?: EngineError;
  readonly timed_out?: boolean;
  readonly _shards?: ShardCounts;
  readonly pit_id?: string;
  readonly hits?: { readonly total?: { readonly value: number }; readonly hits: readonly SearchHit[] };
}

/** A hit as the searches here ask for it: nothing but what it is sorted by. */
export interface SearchHit {
  readonly sort: readonly (string | number)[];
}

/** One search of several: which indexes, and the body. */
export interface EngineSearch {
  readonly indexes: readonly string[];
  readonly body: object;
  /** Statistics over all of the indexes, so that scores of several compare. */
  readonly isGlobal?: boolean;
}

/** Of several copies of a shard the same one each time: copies merge at their own pace, and their scores differ. */
const COPY = 'knowledge-base';

/** Sends requests and turns refusals into `EngineFailure`s. */
export class EngineApi {
  constructor(private readonly transport: EngineTransport) {}

  /** @throws EngineFailure for a status from 400 that is not in `accepted`. */
  async send<T>(call: EngineCall, request: EngineRequest, accepted: readonly number[] = []): Promise<Answer<T>> {
    const { status, body } = await this.transport.send(request, call.limits());
    if (status >= 400 && !accepted.includes(status)) throw EngineFailure.answered(status, errorOf(body));
    return { status, body: body as T };
  }

  /** The answers in the order of the searches. A missing index counts as empty; a shard that does not answer is an error. */
  async searchAll(call: EngineCall, searches: readonly EngineSearch[]): Promise<SearchAnswer[]> {
    if (searches.length === 0) return [];
    const lines = searches.flatMap(({ indexes, body, isGlobal }) => [
      JSON.stringify({
        index: indexes,
        ignore_unavailable: true,
        allow_partial_search_results: false,
        preference: COPY,
        ...(isGlobal && { search_type: 'dfs_query_then_fetch' }),
      }),
      JSON.stringify(body),
    ]);
    const request = { method: 'POST', path: '/_msearch', lines: `${lines.join('\n')}\n` } as const;
    const { body } = await this.send<{ responses: SearchAnswer[] }>(call, request);
    for (const answer of body.responses) requireWhole(answer);
    return body.responses;
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** @throws EngineFailure unless every shard answered in time. */
export function requireWhole(answer: SearchAnswer): void {
  if (answer.error !== undefined) throw EngineFailure.answered(answer.status ?? 500, rootOf(answer.error));
  if (answer.timed_out === true || (answer._shards?.failed ?? 0) > 0) {
    throw new EngineFailure('a part of it did not answer', answer.status ?? 200);
  }
}

/** An error object out of the body of a refusal; a proxy's page has none. */
function errorOf(body: unknown): EngineError | undefined {
  const error = body !== null && typeof body === 'object' && 'error' in body ? body.error : undefined;
  if (typeof error === 'string') return { reason: error };
  return error !== null && typeof error === 'object' ? rootOf(error) : undefined;
}

/** Of a failure on shards the first cause: the outer error says only that shards failed. */
function rootOf(error: EngineError & { root_cause?: readonly EngineError[] }): EngineError {
  return error.root_cause?.[0] ?? error;
}
