import { describe, expect, it } from 'vitest';
import { BulkWriter, deleteItem, indexItem, splitByBytes } from './bulk-writer.js';
import { EngineApi } from './engine-api.js';
import type { EngineCall } from './engine-call.js';
import type { EngineRequest } from './engine-transport.js';

const CALL: EngineCall = {
  signal: new AbortController().signal,
  limits: () => ({ signal: new AbortController().signal, timeoutMs: 1_000 }),
};
const WRITTEN = { index: { status: 201, result: 'created' } };
const FULL = { index: { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'queue full' } } };
const READ_ONLY = { index: { status: 429, error: { type: 'cluster_block_exception', reason: 'disk' } } };
const WRONG = { index: { status: 400, error: { type: 'document_parsing_exception', reason: 'dims' } } };

/** A writer to an engine that answers each request with the next list of items. */
function writerTo(...answers: object[][]): { writer: BulkWriter; requests: EngineRequest[] } {
  const requests: EngineRequest[] = [];
  const api = new EngineApi({
    send: (request) => {
      requests.push(request);
      return Promise.resolve({ status: 200, body: { errors: true, items: answers[requests.length - 1] ?? [] } });
    },
    close: () => Promise.resolve(),
  });
  return { writer: new BulkWriter(api), requests };
}

describe('BulkWriter', () => {
  const items = [indexItem('a', { n: 1 }), indexItem('b', { n: 2 }), indexItem('c', { n: 3 })];

  it('sends again just the items that the engine had no room for', async () => {
    const { writer, requests } = writerTo([WRITTEN, FULL, WRITTEN], [WRITTEN]);
    await expect(writer.run(CALL, 'alias', items)).resolves.toEqual({ created: ['a', 'c', 'b'] });
    expect(requests.map(({ lines }) => lines)).toEqual([items.map(({ lines }) => lines).join(''), items[1]!.lines]);
  });

  it('says which rows are new and what was refused although the request answered 200', async () => {
    const { writer } = writerTo([WRITTEN, WRONG, WRITTEN]);
    const { created, refused } = await writer.run(CALL, 'alias', items);
    expect(created).toEqual(['a', 'c']);
    expect(refused).toMatchObject({ status: 400, type: 'document_parsing_exception' });
  });

  it('does not knock at a full disk again and again', async () => {
    const { writer, requests } = writerTo([READ_ONLY, READ_ONLY, READ_ONLY]);
    const { refused } = await writer.run(CALL, 'alias', items);
    expect(refused).toMatchObject({ reason: expect.stringContaining('takes no writes') as string });
    expect(requests).toHaveLength(1);
  });

  it('takes a row that is gone for one that is removed', async () => {
    const { writer } = writerTo([{ delete: { status: 404, result: 'not_found' } }]);
    await expect(writer.run(CALL, 'alias', [deleteItem('a')])).resolves.toEqual({ created: [] });
  });

  it('never lets the engine make an index by itself', async () => {
    const { writer, requests } = writerTo([WRITTEN, WRITTEN, WRITTEN]);
    await writer.run(CALL, 'alias', items);
    expect(requests[0]!.query).toMatchObject({ require_alias: 'true' });
  });

  it('cuts requests by bytes, and refreshes with the last one', async () => {
    const large = Array.from({ length: 5 }, (_, n) => indexItem(`k${n}`, { text: 'x'.repeat(2_000_000) }));
    const { writer, requests } = writerTo([WRITTEN, WRITTEN], [WRITTEN, WRITTEN], [WRITTEN]);
    await writer.run(CALL, 'alias', large);
    expect(requests.map(({ query }) => query?.['refresh'])).toEqual(['false', 'false', 'true']);
    expect(splitByBytes(large, 1).map((list) => list.length)).toEqual([1, 1, 1, 1, 1]);
  });
});
