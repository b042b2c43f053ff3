import { delay } from '#libs/common';
import { ByteBudget } from './byte-budget.js';
import type { EngineApi } from './engine-api.js';
import type { EngineCall } from './engine-call.js';
import { EngineFailure, type EngineError } from './engine-transport.js';

/** Bytes of one bulk request: engines advise 5 to 15 MB, and a refused one is sent again whole. */
const REQUEST_BYTES = 4_194_304;
/** Bytes on their way at once in this process, so that an engine with a small heap is not run over. */
const FLYING_BYTES = 33_554_432;
/** Items that the engine had no room for are sent again after this many milliseconds each. */
const PAUSES_MS = [100, 200, 400, 800, 1_600];

/** One row to be written, changed or removed: two lines of a bulk request, or one. */
export interface BulkItem {
  readonly key: string;
  readonly lines: string;
}

export interface BulkOutcome {
  /** Rows that were not there before. */
  readonly created: readonly string[];
  /** The first item that was refused for good; rows behind it may be written. */
  readonly refused?: EngineFailure;
}

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly Readonly<Record<string, ItemAnswer>>[];
}

interface ItemAnswer {
  readonly status: number;
  readonly result?: string;
  readonly error?: EngineError;
}

/** Sends rows in requests of bounded size, one after the other, and reads what became of each item: a 200 can hold failures. */
export class BulkWriter {
  private readonly budget = new ByteBudget(FLYING_BYTES);

  constructor(private readonly api: EngineApi) {}

  /** Every item, the last request with a refresh. Stops at the first request with an item that is refused for good. */
  async run(call: EngineCall, alias: string, items: readonly BulkItem[]): Promise<BulkOutcome> {
    const created: string[] = [];
    const requests = splitByBytes(items, REQUEST_BYTES);
    for (const [at, request] of requests.entries()) {
      const outcome = await this.send(call, alias, request, at === requests.length - 1);
      created.push(...outcome.created);
      if (outcome.refused !== undefined) return { created, refused: outcome.refused };
    }
    return { created };
  }

  private async send(
    call: EngineCall,
    alias: string,
    items: readonly BulkItem[],
    refresh: boolean,
  ): Promise<BulkOutcome> {
    const created: string[] = [];
    let open = items;
    for (const pause of [...PAUSES_MS, undefined]) {
      const answers = await this.post(call, alias, open, refresh);
      created.push(...open.filter((_, at) => answers[at]?.result === 'created').map(({ key }) => key));
      const refused = answers.find((answer) => isRefused(answer));
      if (refused !== undefined) return { created, refused: EngineFailure.answered(refused.status, refused.error) };
      open = open.filter((_, at) => isCrowdedOut(answers[at]));
      if (open.length === 0) return { created };
      if (pause === undefined) break;
      await delay(pause, call.signal);
    }
    return { created, refused: new EngineFailure('it is overloaded', 429) };
  }

  private post(
    call: EngineCall,
    alias: string,
    items: readonly BulkItem[],
    refresh: boolean,
  ): Promise<readonly ItemAnswer[]> {
    const lines = items.map((item) => item.lines).join('');
    return this.budget.run(Buffer.byteLength(lines), call.signal, async () => {
      // Without its alias an index would be made by the engine, with types that it guesses.
      const query = { require_alias: 'true', refresh: String(refresh) };
      const request = { method: 'POST', path: `/${alias}/_bulk`, query, lines } as const;
      const { body } = await this.api.send<BulkAnswer>(call, request);
      return body.items.map((item) => Object.values(item)[0]!);
    });
  }
}

export function indexItem(key: string, row: object): BulkItem {
  return { key, lines: `{"index":{"_id":"${key}"}}\n${JSON.stringify(row)}\n` };
}

export function updateItem(key: string, fields: object): BulkItem {
  return { key, lines: `{"update":{"_id":"${key}","retry_on_conflict":3}}\n${JSON.stringify({ doc: fields })}\n` };
}

export function deleteItem(key: string): BulkItem {
  return { key, lines: `{"delete":{"_id":"${key}"}}\n` };
}

/** Lists of items of at most `bytes` each, in order; one item that is larger is alone. */
export function splitByBytes(items: readonly BulkItem[], bytes: number): BulkItem[][] {
  const lists: BulkItem[][] = [];
  let size = Infinity;
  for (const item of items) {
    const itemSize = Buffer.byteLength(item.lines);
    if (size + itemSize > bytes) {
      lists.push([]);
      size = 0;
    }
    lists.at(-1)!.push(item);
    size += itemSize;
  }
  return lists;
}

/** The engine had no room for it just now. A full disk answers 429 too, but does not pass in seconds. */
function isCrowdedOut(answer: ItemAnswer | undefined): boolean {
  return answer?.status === 429 && answer.error?.type !== 'cluster_block_exception';
}

/** A row that is gone can be neither changed nor removed, and needs neither. */
function isRefused(answer: ItemAnswer): boolean {
  const isGone = answer.result === 'not_found' || answer.error?.type === 'document_missing_exception';
  return answer.status >= 300 && !isGone && !isCrowdedOut(answer);
}
