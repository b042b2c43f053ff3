import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EngineSettings } from '../adapter/search-engine/engine-settings.js';
import type { VectorStore } from '../vector-store.port.js';
import { buildChunk, newIndex, SPEC, words } from './chunk-builder.js';
import { idOf } from './conformance-suite.js';
import type { TestServer } from './describe-search-engine.js';
import { OTHER_AUTHORITY, TEST_AUTHORITY, TEST_CERTIFICATE, TEST_KEY } from './test-certificate.js';

/** One node of an engine behind TLS that wants to know who asks. */
class SecuredNode {
  /** Requests that were let through. */
  passed = 0;

  private constructor(private readonly server: Server) {}

  static async start(target: string, authorization: string): Promise<SecuredNode> {
    const server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE });
    const node = new SecuredNode(server);
    const { hostname, port } = new URL(target);
    server.on('request', (incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      if (headers.authorization !== authorization) {
        incoming.resume();
        outgoing.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"type":"security_exception"}}');
        return;
      }
      node.passed += 1;
      const { authorization: _own, ...others } = headers;
      const forwarded = send({ hostname, port, method, path, headers: others }, (response) => {
        outgoing.writeHead(response.statusCode!, response.headers);
        pipeline(response, outgoing, () => undefined);
      });
      pipeline(incoming, forwarded, () => undefined);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => void this.server.close(resolve));
  }
}

const CREDENTIALS: readonly (readonly [string, Partial<EngineSettings>, string])[] = [
  ['a login', { username: 'kb', password: 'pa:ss' }, `Basic ${Buffer.from('kb:pa:ss').toString('base64')}`],
  ['an API key', { apiKey: 'a2V5' }, 'ApiKey a2V5'],
];

/** A real server behind TLS with a certificate of an authority of its own, and with credentials. */
export function describeSecuredEngine(
  name: string,
  { url, indexPrefix }: TestServer,
  open: (settings: EngineSettings) => Promise<VectorStore>,
): void {
  describe(`${name} behind TLS`, () => {
    let folder: string;
    let stores: VectorStore[] = [];
    let nodes: SecuredNode[] = [];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'secured-engine-'));
      await writeFile(join(folder, 'ca.pem'), TEST_AUTHORITY);
      await writeFile(join(folder, 'other.pem'), OTHER_AUTHORITY);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    afterEach(async () => {
      for (const store of stores) await store.close();
      for (const node of nodes) await node.stop();
      [stores, nodes] = [[], []];
    });

    const start = async (authorization: string): Promise<SecuredNode> => {
      const node = await SecuredNode.start(url, authorization);
      nodes.push(node);
      return node;
    };
    const openAt = async (
      urls: readonly string[],
      settings: Partial<EngineSettings>,
      ca: string | null = 'ca.pem',
    ): Promise<VectorStore> => {
      const trusted = ca === null ? {} : { caFile: join(folder, ca) };
      const store = await open({ urls, indexPrefix, ...settings, ...trusted });
      stores.push(store);
      return store;
    };

    it.each(CREDENTIALS)('writes and finds with %s', async (_what, credentials, authorization) => {
      const node = await start(authorization);
      const store = await openAt([node.url], credentials);
      const index = newIndex();
      await store.ensureIndex(index, SPEC);
      const chunk = buildChunk();
      await store.write(index, [chunk]);
      const hits = await store.searchKeyword([index], { terms: words('alpha'), limit: 5 });
      expect(hits.map(idOf)).toEqual([idOf(chunk)]);
      expect(node.passed).toBeGreaterThan(2);
      await store.dropIndex(index);
    });

    it.each(CREDENTIALS)('is unavailable without %s', async (_what, _credentials, authorization) => {
      const node = await start(authorization);
      const store = await openAt([node.url], {});
      await expect(store.ping()).rejects.toMatchObject({
        code: 'vector_store.unavailable',
        message: expect.stringContaining('refused the credentials') as string,
      });
      expect(node.passed).toBe(0);
    });

    it.each([
      ['unknown', null],
      ['another', 'other.pem'],
    ])('is not asked when its authority is %s', async (_what, ca) => {
      const [, credentials, authorization] = CREDENTIALS[0]!;
      const node = await start(authorization);
      const store = await openAt([node.url], credentials, ca);
      await expect(store.ping()).rejects.toMatchObject({ code: 'vector_store.unavailable' });
      expect(node.passed).toBe(0);
    });

    it('goes on when one of two nodes goes', async () => {
      const [, credentials, authorization] = CREDENTIALS[0]!;
      const [first, second] = [await start(authorization), await start(authorization)];
      const store = await openAt([first.url, second.url], credentials);
      const index = newIndex();
      await store.ensureIndex(index, SPEC);
      for (let n = 0; n < 4; n += 1) await store.write(index, [buildChunk()]);
      expect(Math.min(first.passed, second.passed)).toBeGreaterThan(0);
      await first.stop();
      nodes = [second];
      for (let n = 0; n < 4; n += 1) await store.write(index, [buildChunk()]);
      expect(await store.count(index)).toBe(8);
      await store.dropIndex(index);
    });
  });
}
