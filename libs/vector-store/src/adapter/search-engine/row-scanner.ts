import type { JsonObject } from '#libs/common';
import type { ChunkSelection } from '../../vector-store.port.js';
import { requireWhole, type Answer, type EngineApi, type SearchAnswer } from './engine-api.js';
import type { EngineCall } from './engine-call.js';
import type { EngineDialect } from './engine-dialect.js';
import type { EngineRequest } from './engine-transport.js';
import { CHUNK_FIELD, DOCUMENT_FIELD, generationKey, GENERATION_FIELD, KEY_FIELD } from './index-layout.js';

const PAGE_ROWS = 2_000;
/** How long a view outlives the last page that was read from it. */
const KEEP_ALIVE = '5m';
/** Values of one `terms` query; engines take 65,536. */
const VALUES_PER_QUERY = 10_000;

/** Runs one request under a call of its own or a shared one. */
export type RequestRunner = <T>(work: (call: EngineCall) => Promise<T>) => Promise<T>;

/** Reads the keys of rows as of one moment. */
export class RowScanner {
  constructor(
    private readonly api: EngineApi,
    private readonly dialect: EngineDialect,
  ) {}

  /** Pages of keys of the selected rows, each once; nothing when the index is missing. */
  async *keys(alias: string, selection: ChunkSelection, run: RequestRunner): AsyncGenerator<string[], void, undefined> {
    const queries = selectionQueries(selection);
    if (queries.length === 0) return;
    const opened = await run((call) => this.open(call, alias));
    if (opened === undefined) return;
    let view = opened;
    try {
      for (const query of queries) {
        for (let after: SortValues | undefined; ;) {
          const request = pageRequest(view, query, after);
          const { body } = await run((call) => this.page(call, request));
          const hits = body.hits?.hits ?? [];
          view = body.pit_id ?? view;
          if (hits.length > 0) yield hits.map((hit) => String(hit.sort[0]));
          if (hits.length < PAGE_ROWS) break;
          after = hits.at(-1)!.sort;
        }
      }
    } finally {
      await run((call) => this.api.send(call, this.dialect.closeView(view), [404]));
    }
  }

  /** Makes everything that was written before this call readable, also by writers who did not live to do it. */
  async refresh(call: EngineCall, alias: string): Promise<void> {
    const answer = await this.api.send<SearchAnswer>(call, { method: 'POST', path: `/${alias}/_refresh` }, [404]);
    if (answer.status !== 404) requireWhole(answer.body);
  }

  private async open(call: EngineCall, alias: string): Promise<string | undefined> {
    const answer = await this.api.send(call, this.dialect.openView(alias, KEEP_ALIVE), [404]);
    return answer.status === 404 ? undefined : this.dialect.viewIdOf(answer.body);
  }

  private async page(call: EngineCall, request: EngineRequest): Promise<Answer<SearchAnswer>> {
    const answer = await this.api.send<SearchAnswer>(call, request);
    requireWhole(answer.body);
    return answer;
  }
}

type SortValues = readonly (string | number)[];

function pageRequest(view: string, query: JsonObject, after: SortValues | undefined): EngineRequest {
  return {
    method: 'POST',
    path: '/_search',
    query: { allow_partial_search_results: 'false' },
    body: {
      pit: { id: view, keep_alive: KEEP_ALIVE },
      query,
      size: PAGE_ROWS,
      sort: [{ [KEY_FIELD]: 'asc' }],
      _source: false,
      stored_fields: '_none_',
      track_total_hits: false,
      ...(after !== undefined && { search_after: after }),
    },
  };
}

/** Queries whose union is the selection, each of bounded length; none for an empty selection. They do not overlap. */
export function selectionQueries(selection: ChunkSelection): JsonObject[] {
  if ('all' in selection) return [{ match_all: {} }];
  if ('documentIds' in selection) return termsQueries(DOCUMENT_FIELD, selection.documentIds);
  if ('chunkIds' in selection) return termsQueries(CHUNK_FIELD, selection.chunkIds);
  return termsQueries(GENERATION_FIELD, selection.generations.map(generationKey));
}

function termsQueries(field: string, values: readonly string[]): JsonObject[] {
  const distinct = [...new Set(values)];
  const queries: JsonObject[] = [];
  for (let start = 0; start < distinct.length; start += VALUES_PER_QUERY) {
    queries.push({ bool: { filter: [{ terms: { [field]: distinct.slice(start, start + VALUES_PER_QUERY) } }] } });
  }
  return queries;
}
