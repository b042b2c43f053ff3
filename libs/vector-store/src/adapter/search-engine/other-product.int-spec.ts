import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openElasticsearchStore } from '../elasticsearch/open-elasticsearch-store.js';
import { openOpenSearchStore } from '../opensearch/open-opensearch-store.js';

const ELASTICSEARCH = { 'x-elastic-product': 'Elasticsearch' };

describe('a store that is asked at the address of the other engine', () => {
  it.each([
    ['Elasticsearch', openElasticsearchStore, 200, {}],
    ['OpenSearch', openOpenSearchStore, 200, ELASTICSEARCH],
    ['OpenSearch', openOpenSearchStore, 400, ELASTICSEARCH],
  ] as const)('says that it is not %s', async (name, open, status, headers) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const store = await open({ urls: [`http://127.0.0.1:${port}`], indexPrefix: 'kb' });
    try {
      await expect(store.ping()).rejects.toMatchObject({
        code: 'vector_store.unavailable',
        message: expect.stringContaining(`what answers at that address is not ${name}`),
      });
    } finally {
      await store.close();
      server.close();
    }
  });
});
