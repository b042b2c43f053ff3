import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { receive } from '../testing/receive.js';
import { drainBodyAfterAnswer } from './drain-body.js';

const BODY = 'x'.repeat(100_000);
const REFUSED = /^HTTP\/1\.1 401 [^]*\r\n\r\nno$/;

describe('an answer before the body has come', () => {
  let app: FastifyInstance;
  let socket: Socket;
  let long: PassThrough;
  let events: Promise<unknown>[];

  beforeEach(async () => {
    app = Fastify();
    drainBodyAfterAnswer(app, { json: 1_000_000, smallUnder: '/auth/' });
    long = new PassThrough();
    app.addHook('onRequest', async (request, reply) => {
      if (request.url !== '/long') return reply.code(401).send('no');
      events = [once(request.raw, 'end'), once(reply.raw, 'finish')];
      return reply.code(401).send(long);
    });
    app.post('/', async () => 'hello');
    app.post('/long', async () => 'hello');
    await app.listen({ port: 0, host: '127.0.0.1' });
    socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
  });
  afterEach(async () => {
    vi.useRealTimers();
    socket.destroy();
    await app.close();
  });

  function begin(path: string, connection: string): void {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Length: ${BODY.length}\r\n\r\n`;
    socket.write(head + BODY.slice(0, 1_000));
  }

  it('says that the connection will be closed, and is not closed over what still comes', async () => {
    const answer = receive(socket, REFUSED);
    begin('/', 'close');
    expect(await answer).toMatch(/\r\nconnection: close\r\n/i);
    const ended = once(socket.resume(), 'end');
    socket.write(BODY.slice(1_000));
    await ended;
  });

  it('keeps a connection that is to be kept', async () => {
    const answer = receive(socket, REFUSED);
    begin('/', 'keep-alive');
    expect(await answer).toMatch(/\r\nconnection: keep-alive\r\n/i);
    const next = receive(socket, REFUSED);
    socket.write(BODY.slice(1_000));
    begin('/', 'close');
    expect(await next).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('keeps it also when the answer ends after the body', async () => {
    const beginning = receive(socket, /begun\r\n$/);
    begin('/long', 'keep-alive');
    long.write('begun');
    await beginning;
    const [bodyEnds, answerEnds] = events;
    socket.write(BODY.slice(1_000));
    await bodyEnds;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const end = receive(socket, /0\r\n\r\n$/);
    long.end();
    await Promise.all([answerEnds, end]);
    vi.advanceTimersByTime(60_000);
    const next = receive(socket, REFUSED);
    begin('/', 'close');
    expect(await next).toMatch(/\r\nconnection: close\r\n/i);
  });
});
