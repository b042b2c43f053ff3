import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineSettings } from '../adapter/search-engine/engine-settings.js';
import type { VectorStore } from '../vector-store.port.js';
import { buildChunk, buildMetadata, newIndex, SPEC, words } from './chunk-builder.js';
import { idOf, sorted } from './conformance-suite.js';

/** A real server and the beginning of the names of the indexes that a run makes there. */
export interface TestServer {
  readonly url: string;
  readonly indexPrefix: string;
}

/** A server at `url` for one run. Its indexes are removed one by one: engines refuse to remove by a pattern. */
export function useTestServer(url: string): TestServer {
  const indexPrefix = `kb-test-${randomBytes(4).toString('hex')}`;
  afterAll(async () => {
    const listed = await fetch(`${url}/_cat/indices/${indexPrefix}-*?format=json&h=index`);
    for (const { index } of (await listed.json()) as { index: string }[]) {
      await fetch(`${url}/${index}`, { method: 'DELETE' });
    }
  });
  return { url, indexPrefix };
}

const NEAR = { vector: Float32Array.of(1, 0, 0, 0), limit: 50 };

/**
 * What a store over a search engine does beyond what every store must do: at the real server `url`, and at servers of the test's
 * own that answer wrongly or not at all.
 */
export function describeSearchEngine(
  name: string,
  { url, indexPrefix }: TestServer,
  open: (settings: EngineSettings) => Promise<VectorStore>,
): void {
  const stores: VectorStore[] = [];
  const servers: Server[] = [];
  const openAt = async (settings: Partial<EngineSettings> = {}): Promise<VectorStore> => {
    const store = await open({ urls: [url], indexPrefix, ...settings });
    stores.push(store);
    return store;
  };
  const serve = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    }
  });

  describe(`${name} as a search engine`, () => {
    describeRows(() => openAt());
    describeSharing(() => openAt());
    describeBlocks({ url, indexPrefix }, () => openAt());
  });
  describe(`${name} when it does not work`, () => {
    describeFaults(name, openAt, serve);
  });
}

function describeRows(openStore: () => Promise<VectorStore>): void {
  let store: VectorStore;
  beforeEach(async () => {
    store = await openStore();
  });

  it('takes more terms than the engine takes clauses', async () => {
    const index = newIndex();
    await store.ensureIndex(index, SPEC);
    const chunks = [0, 1_500, 2_999].map((n) => buildChunk({ terms: { words: [`term${n}`, 'shared'] } }));
    const other = buildChunk();
    await store.write(index, [...chunks, other]);
    const terms = words('shared', ...Array.from({ length: 3_000 }, (_, n) => `term${n}`));
    const hits = await store.searchKeyword([index], { terms, limit: 10 });
    expect(sorted(hits)).toEqual(sorted(chunks));
  });

  it.each([
    ['ideographic space', 'a\u3000b'],
    ['a separator that only Java takes for white space', 'a\u001fb'],
    ['300 letters', 'x'.repeat(300)],
  ])('finds a term with %s as a whole', async (_what, term) => {
    const index = newIndex();
    await store.ensureIndex(index, SPEC);
    const chunk = buildChunk({ terms: { words: [term] } });
    await store.write(index, [chunk, buildChunk({ terms: { words: ['a', 'b', 'x'.repeat(255), 'x'.repeat(45)] } })]);
    const hits = await store.searchKeyword([index], { terms: words(term), limit: 10 });
    expect(hits.map(idOf)).toEqual([idOf(chunk)]);
  });

  it('keeps terms and vectors of rows whose metadata change', async () => {
    const index = newIndex();
    await store.ensureIndex(index, SPEC);
    const metadata = buildMetadata();
    const chunk = buildChunk({ metadata, vector: Float32Array.of(0.6, 0.8, 0, 0) });
    await store.write(index, [chunk]);
    await store.updateMetadata(index, metadata.documentId, { ...metadata, tags: ['new'] });
    const filter = { type: 'eq', key: 'tags', value: 'new' } as const;
    expect(await store.searchKeyword([index], { terms: words('alpha'), limit: 5, filter })).toHaveLength(1);
    const [hit] = await store.searchVector([index], { ...NEAR, filter });
    expect(hit?.score).toBeCloseTo(0.6, 5);
  });

  it('filters by texts that are longer than a term may be', async () => {
    const index = newIndex();
    await store.ensureIndex(index, SPEC);
    const text = Array.from({ length: 9_000 }, (_, n) => `${n} `).join('');
    const long = buildChunk({ metadata: buildMetadata({ metadata: { text } }) });
    await store.write(index, [long, buildChunk()]);
    for (const value of [text.slice(40_000, 44_000), text.slice(-30), '100 101']) {
      const filter = { type: 'contains', key: 'metadata.text', value } as const;
      expect((await store.searchVector([index], { ...NEAR, filter })).map(idOf)).toEqual([idOf(long)]);
    }
  });

  it('lists the rows of the moment at which listing began', async () => {
    const index = newIndex();
    await store.ensureIndex(index, SPEC);
    const chunks = Array.from({ length: 2_500 }, () => buildChunk());
    for (let start = 0; start < chunks.length; start += 1_000) {
      await store.write(index, chunks.slice(start, start + 1_000));
    }
    const listed: ReturnType<typeof idOf>[] = [];
    for await (const row of store.listIds(index, { all: true })) {
      if (listed.length === 10) {
        await store.write(index, [buildChunk()]);
        await store.remove(index, { chunkIds: chunks.map(({ chunkId }) => chunkId) });
      }
      listed.push(idOf(row));
    }
    expect(sorted(listed)).toEqual(sorted(chunks));
    expect(await store.count(index)).toBe(1);
  });
}

/** Several processes on one server. */
function describeSharing(openStore: () => Promise<VectorStore>): void {
  it('shows rows that one process wrote to another, and makes one index when both ask at once', async () => {
    const [one, two] = [await openStore(), await openStore()];
    const index = newIndex();
    await Promise.all([one, two, one, two].map((store) => store.ensureIndex(index, SPEC)));
    const chunk = buildChunk();
    await one.write(index, [chunk]);
    expect((await two.searchVector([index], NEAR)).map(idOf)).toEqual([idOf(chunk)]);
    expect(await two.count(index)).toBe(1);
  });

  it('notices that another process has made the index again for longer vectors, or dropped it', async () => {
    const [one, two] = [await openStore(), await openStore()];
    const index = newIndex();
    await one.ensureIndex(index, SPEC);
    await one.write(index, [buildChunk()]);
    await two.dropIndex(index);
    await expect(one.write(index, [buildChunk()])).rejects.toMatchObject({ code: 'vector_store.index_missing' });
    await one.ensureIndex(index, SPEC);
    await two.dropIndex(index);
    await two.ensureIndex(index, { ...SPEC, dimensions: 8 });
    await expect(one.write(index, [buildChunk()])).rejects.toMatchObject({ code: 'vector_store.schema_mismatch' });
    await expect(one.searchVector([index], NEAR)).rejects.toMatchObject({ code: 'vector_store.schema_mismatch' });
  });
}

/** A full disk makes an engine set these blocks. */
function describeBlocks({ url, indexPrefix }: TestServer, openStore: () => Promise<VectorStore>): void {
  it('says that it takes no writes while an index is read-only, goes on searching, and writes again afterwards', async () => {
    const store = await openStore();
    const index = newIndex();
    await store.ensureIndex(index, SPEC);
    const chunk = buildChunk();
    await store.write(index, [chunk]);
    const block = async (isBlocked: boolean | null): Promise<void> => {
      const answer = await fetch(`${url}/${indexPrefix}-${index.tenantId}-*/_settings`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'index.blocks.read_only_allow_delete': isBlocked }),
      });
      expect(answer.status).toBe(200);
    };
    await block(true);
    await expect(store.write(index, [buildChunk()])).rejects.toMatchObject({ code: 'storage.low', status: 507 });
    const reason = expect.stringContaining('takes no writes') as string;
    expect(await store.refusesWrites()).toMatchObject({ reason, isFull: true });
    expect(await store.searchVector([index], NEAR)).toHaveLength(1);
    await block(null);
    await store.write(index, [buildChunk()]);
    expect(await store.count(index)).toBe(2);
  });
}

type OpenAt = (settings: Partial<EngineSettings>) => Promise<VectorStore>;
type Serve = (answer: RequestListener) => Promise<string>;

function describeFaults(name: string, openAt: OpenAt, serve: Serve): void {
  it.each([401, 403, 429, 500, 502, 503, 504])('is unavailable while it answers %i', async (status) => {
    const server = await serve((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{"type":"x","reason":"y"}}');
    });
    const store = await openAt({ urls: [server] });
    await expect(store.searchVector([newIndex()], NEAR)).rejects.toMatchObject({
      code: 'vector_store.unavailable',
      status: 503,
    });
  });

  it('is unavailable when no one listens, when it hangs up, and when a proxy answers a page', async () => {
    const closed = await openAt({ urls: ['http://127.0.0.1:9'] });
    await expect(closed.ping()).rejects.toMatchObject({ code: 'vector_store.unavailable' });
    const hangsUp = await openAt({ urls: [await serve((request) => void request.socket.destroy())] });
    await expect(hangsUp.write(newIndex(), [buildChunk()])).rejects.toMatchObject({ code: 'vector_store.unavailable' });
    const page = await serve((_request, response) => {
      response.writeHead(503, { 'content-type': 'text/html' }).end('<html>maintenance</html>');
    });
    await expect((await openAt({ urls: [page] })).ping()).rejects.toMatchObject({ code: 'vector_store.unavailable' });
  });

  it('gives up a request that is not answered in time, or whose caller leaves, and hangs up', async () => {
    let hungUp = 0;
    const silent = await serve((request) => void request.socket.once('close', () => (hungUp += 1)));
    const store = await openAt({ urls: [silent] });
    await expect(store.searchVector([newIndex()], NEAR, { deadlineMs: 100 })).rejects.toMatchObject({
      code: 'vector_store.unavailable',
      message: expect.stringContaining('no answer within 100 ms') as string,
    });
    const leaving = new AbortController();
    const search = store.searchKeyword([newIndex()], { terms: words('a'), limit: 1 }, { signal: leaving.signal });
    leaving.abort(new Error('the caller left'));
    await expect(search).rejects.toThrow('the caller left');
    await expect.poll(() => hungUp).toBeGreaterThan(0);
  });

  it('asks another node when one is down', async () => {
    const health = await serve((_request, response) => {
      const product = name === 'elasticsearch' ? { 'x-elastic-product': 'Elasticsearch' } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...product }).end('{}');
    });
    const store = await openAt({ urls: ['http://127.0.0.1:9', health] });
    for (let n = 0; n < 4; n += 1) await expect(store.ping()).resolves.toBeUndefined();
  });

  it.each([
    [
      'a login',
      { username: 'kb', password: 'secret-word' },
      `Basic ${Buffer.from('kb:secret-word').toString('base64')}`,
    ],
    ['an API key', { apiKey: 'secret-word' }, 'ApiKey secret-word'],
  ])('sends %s and keeps it out of its errors', async (_what, credentials, expected) => {
    const seen: (string | undefined)[] = [];
    const server = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"type":"security_exception"}}');
    });
    const store = await openAt({ urls: [server], ...credentials });
    const error = await store.ping().catch((caught: unknown) => caught as Error);
    expect(seen[0]).toBe(expected);
    const shown = JSON.stringify([
      error,
      (error as Error).cause,
      String((error as Error).cause),
      (error as Error).stack,
    ]);
    expect(shown).not.toContain('secret-word');
    expect(shown).not.toContain(Buffer.from('kb:secret-word').toString('base64'));
    expect(shown).toContain('refused the credentials');
  });

  it('refuses to start with a certificate file that is not there', async () => {
    await expect(openAt({ caFile: '/does/not/exist.pem' })).rejects.toMatchObject({ code: 'ENOENT' });
  });
}
