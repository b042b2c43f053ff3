import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { boundedFetch } from './bounded-fetch.js';
import { httpFetch } from './http-fetch.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

let server: Server;
let url: string;
let answer: Answer;
beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat?x=1`;
});
afterAll(() => void server.close());
beforeEach(() => {
  answer = (_request, response) => void response.end('ok');
});

const chunksOf = async (response: Response): Promise<string[]> => {
  const chunks: string[] = [];
  for await (const chunk of response.body as unknown as AsyncIterable<Buffer>) chunks.push(chunk.toString());
  return chunks;
};

describe('httpFetch', () => {
  it('sends a text with its length and headers, and gives the answer out as it comes', async () => {
    let seen: unknown;
    answer = async (request, response) => {
      const { method, url: path, headers } = request;
      seen = { method, path, length: headers['content-length'], key: headers.authorization, body: await text(request) };
      response.setHeader('Content-Type', 'text/event-stream').write('data: 1\n\n');
      setImmediate(() => response.end('data: 2\n\n'));
    };
    const headers = new Headers({ Authorization: 'Bearer k' });
    const response = await httpFetch(url, { method: 'POST', headers, body: 'süß' });
    expect([response.ok, response.status, response.headers.get('content-type')]).toEqual([
      true,
      200,
      'text/event-stream',
    ]);
    expect((await chunksOf(response)).join('')).toBe('data: 1\n\ndata: 2\n\n');
    expect(seen).toEqual({ method: 'POST', path: '/v1/chat?x=1', length: '5', key: 'Bearer k', body: 'süß' });
  });

  it('reads an error as a whole, and follows no redirect', async () => {
    answer = (_request, response) => void response.writeHead(429, { 'Retry-After': '7' }).end('{"error":"slow"}');
    const refused = await httpFetch(url, { method: 'POST', body: '{}' });
    expect([refused.ok, refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      false,
      429,
      '7',
      { error: 'slow' },
    ]);
    answer = (_request, response) => void response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end();
    expect((await httpFetch(url, { method: 'POST', body: '{}' })).status).toBe(307);
  });

  it('ends with its signal, before the answer and within it', async () => {
    const [before, within] = [new AbortController(), new AbortController()];
    answer = () => before.abort();
    await expect(httpFetch(url, { signal: before.signal })).rejects.toMatchObject({ name: 'AbortError' });
    answer = (_request, response) => void response.write('data: 1\n\n');
    const response = await httpFetch(url, { signal: within.signal });
    const chunks = chunksOf(response);
    within.abort();
    await expect(chunks).rejects.toThrow();
  });

  it('fails where no one listens, and where the answer is cut', async () => {
    await expect(httpFetch('http://127.0.0.1:1/')).rejects.toThrow(/ECONNREFUSED/);
    answer = (_request, response) => {
      response.write('data: 1\n\n');
      setImmediate(() => response.destroy());
    };
    await expect(chunksOf(await httpFetch(url))).rejects.toThrow();
  });

  it('ends with its signal when the answer has come whole and is read in part', async () => {
    answer = (_request, response) => void response.end('data: 1\n\ndata: 2\n\n');
    const stop = new AbortController();
    const response = await httpFetch(url, { signal: stop.signal });
    const pieces = (response.body as unknown as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    expect(String((await pieces.next()).value)).toBe('data: 1\n\ndata: 2\n\n');
    const faults: unknown[] = [];
    const note = (error: unknown): void => void faults.push(error);
    process.once('uncaughtException', note);
    stop.abort();
    answer = (_request, reply) => void reply.end('ok');
    expect(await (await httpFetch(url)).text()).toBe('ok');
    process.off('uncaughtException', note);
    expect(faults).toEqual([]);
  });

  it.each([200, 500])('reads no answer of %i beyond its bound', async (status) => {
    let sent = 0;
    answer = async (_request, response) => {
      response.writeHead(status);
      while (!response.destroyed) {
        sent += 1_000;
        if (!response.write('x'.repeat(1_000))) await once(response, 'drain').catch(() => undefined);
      }
    };
    const read = httpFetch(url, {}, 50_000).then((response) => response.text());
    await expect(read).rejects.toThrow('the answer is longer than 50000 bytes');
    expect(sent).toBeLessThan(10_000_000);
  });
});

describe('boundedFetch', () => {
  it('gives the answer as it is, errors too, and follows no redirect', async () => {
    answer = (_request, response) => void response.writeHead(429, { 'Retry-After': '7' }).end('{"error":"slow"}');
    const refused = await boundedFetch()(url, { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '7',
      { error: 'slow' },
    ]);
    for (const status of [301, 302, 307, 308]) {
      let asked = 0;
      answer = (_request, response) => {
        asked += 1;
        response.writeHead(status, { Location: '/elsewhere' }).end();
      };
      expect([(await boundedFetch()(url, { method: 'POST', body: '{}' })).status, asked]).toEqual([status, 1]);
    }
  });

  it('reads no answer beyond its bound, counted when it is unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(10_000_000));
    answer = (_request, response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed);
    await expect((await boundedFetch(1_000_000)(url)).text()).rejects.toThrow('longer than 1000000 bytes');
    expect((await (await boundedFetch(10_000_000)(url)).arrayBuffer()).byteLength).toBe(10_000_000);
  });
});
