import { once } from 'node:events';
import { createServer, request as open, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { answerClientError, clientProblem } from './client-errors.js';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(listener: RequestListener): Promise<Socket> {
  server = createServer(listener).on('clientError', answerClientError);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return connect((server.address() as AddressInfo).port, '127.0.0.1');
}

describe('answerClientError', () => {
  it('answers a problem with an id of its own', async () => {
    const socket = await serve(() => undefined);
    socket.write('nonsense\r\n\r\n');
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    const problem = JSON.parse(body!) as { request_id: string };
    expect(head).toContain('HTTP/1.1 400 Bad Request');
    expect(head).toContain(`X-Request-ID: ${problem.request_id}`);
    expect(problem).toMatchObject({ code: 'http.malformed_request', status: 400 });
  });

  it('writes nothing into an answer that has begun', async () => {
    const socket = await serve((_request, response) => {
      response.write('the beginning');
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.write('nonsense\r\n\r\n');
    const rest = await text(socket);
    expect(String(first) + rest).toContain('the beginning');
    expect(String(first) + rest).not.toContain('problem');
  });

  it('leaves requests alone that can be read', async () => {
    const socket = await serve((_request, response) => response.end('fine'));
    socket.destroy();
    const request = open({ port: (server.address() as AddressInfo).port }).end();
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    expect(await text(response)).toBe('fine');
  });
});

describe('clientProblem', () => {
  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'http.request_timeout'],
    ['HPE_HEADER_OVERFLOW', 431, 'http.headers_too_long'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 400, 'http.malformed_request'],
    ['HPE_INVALID_METHOD', 400, 'http.malformed_request'],
  ])('says for %s what to change', (code, status, expected) => {
    const problem = clientProblem(Object.assign(new Error('Parse Error'), { code }));
    expect([problem.status, problem.code]).toEqual([status, expected]);
  });
});
