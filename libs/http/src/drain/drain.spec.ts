import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import type { PinoLogger } from 'nestjs-pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { receive } from '../testing/receive.js';
import { Drain } from './drain.js';

const LONG_MS = 20_000;
/** In which a drain looks several times, and does not give up connections. */
const LOOKS_MS = 100;
const REQUEST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
const ANSWERED = /^HTTP\/1\.1 200 [^]*\r\n\r\nhello$/;
const KEPT = /\r\nconnection: keep-alive\r\n/i;
const CLOSED = /\r\nconnection: close\r\n/i;

interface Served {
  readonly app: FastifyInstance;
  readonly drain: Drain;
  readonly port: number;
}

/** Nothing else happens in the process meanwhile. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('the drain of a server', () => {
  const apps: FastifyInstance[] = [];
  const sockets: Socket[] = [];

  // The clock of the drain goes on only where a test says so.
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
  afterEach(async () => {
    vi.useRealTimers();
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const app of apps.splice(0)) await app.close();
  });

  async function serve(): Promise<Served> {
    const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
    const drain = new Drain({ info: () => undefined } as unknown as PinoLogger);
    drain.watch(app);
    app.post('/', async () => 'hello');
    await app.listen({ port: 0, host: '127.0.0.1' });
    apps.push(app);
    return { app, drain, port: (app.server.address() as AddressInfo).port };
  }

  function open(port: number): Socket {
    // Without a delay: the system would hold back a piece until the one before was acknowledged.
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('error', () => undefined);
    sockets.push(socket);
    return socket;
  }

  function ask(socket: Socket): Promise<string> {
    const answer = receive(socket, ANSWERED);
    socket.write(REQUEST);
    return answer;
  }

  /** A connection on which there was a request once. */
  async function keptOpen(port: number): Promise<Socket> {
    const socket = open(port);
    expect(await ask(socket)).toMatch(KEPT);
    await vi.advanceTimersByTimeAsync(LONG_MS);
    return socket;
  }

  /** Lets the clock go on until the drain has ended. */
  async function end(stopped: Promise<void>): Promise<void> {
    let isOver = false;
    const ended = stopped.finally(() => (isOver = true));
    while (!isOver) {
      await turn();
      await vi.advanceTimersByTimeAsync(10);
    }
    await ended;
  }

  it('has answers close their connections as soon as the service is leaving', async () => {
    const { drain, port } = await serve();
    const socket = await keptOpen(port);
    drain.leave();
    expect(await ask(socket)).toMatch(CLOSED);
    expect(await ask(open(port))).toMatch(CLOSED);
  });

  it('ends streams without an end when the address is closed, those that can be resumed later', async () => {
    const { app, drain } = await serve();
    const [held, { promise, resolve }] = [[drain.closed, drain.handingOver], Promise.withResolvers<void>()];
    drain.hold(promise);
    drain.leave();
    expect(held.map(({ aborted }) => aborted)).toEqual([false, false]);
    const stopped = drain.run(app.server, LONG_MS);
    while (!drain.closed.aborted) await turn();
    expect(app.server.listening).toBe(false);
    expect(drain.handingOver.aborted).toBe(false);
    resolve();
    await end(stopped);
    expect(held.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('answers what comes on a kept connection at whatever moment of the stop', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const { app, drain, port } = await serve();
      const socket = await keptOpen(port);
      const stopped = drain.run(app.server, LONG_MS);
      for (let n = 0; n < turns; n += 1) await turn();
      if (turns % 2 === 1) await vi.advanceTimersByTimeAsync(turns);
      expect(await ask(socket), `after ${turns} turns`).toMatch(CLOSED);
      await end(stopped);
    }
  });

  it('reads what has arrived before it closes connections, however busy the process was', async () => {
    const { app, drain, port } = await serve();
    const socket = await keptOpen(port);
    const stopped = drain.run(app.server, LONG_MS);
    for (let n = 0; n < 10; n += 1) await turn();
    await vi.advanceTimersByTimeAsync(LOOKS_MS);
    const answer = receive(socket, ANSWERED);
    // The bytes are on their way, and the drain looks before the process reads.
    socket.write(REQUEST);
    vi.advanceTimersByTime(LONG_MS / 2);
    expect(await answer).toMatch(CLOSED);
    await end(stopped);
  });

  it('accepts who has reached the address before it closes it, however busy the process was', async () => {
    const outcome = async (port: number): Promise<string> => {
      const socket = open(port);
      const refused = once(socket, 'error').then(([error]: NodeJS.ErrnoException[]) => String(error!.code));
      socket.once('connect', () => socket.write(REQUEST));
      return Promise.race([receive(socket, ANSWERED).then(() => 'answered', String), refused]);
    };
    for (let turns = 0; turns < 10; turns += 1) {
      const { app, drain, port } = await serve();
      const knocked = (async () => {
        for (let n = 0; n <= turns; n += 1) await turn();
        const outcomes = Array.from({ length: 5 }, () => outcome(port));
        // After the connections have been begun, which is in the next ticks.
        process.nextTick(block, 20);
        return Promise.all(outcomes);
      })();
      const stopped = drain.run(app.server, LONG_MS);
      const wanted = turns === 0 ? /^answered$/ : /^(answered|ECONNREFUSED)$/;
      for (const one of await knocked) expect(one, `after ${turns} turns`).toMatch(wanted);
      await end(stopped);
    }
  });

  it('waits for a request whose head is still coming', async () => {
    const { app, drain, port } = await serve();
    const socket = await keptOpen(port);
    const stopped = drain.run(app.server, LONG_MS);
    const answer = receive(socket, ANSWERED);
    for (const piece of REQUEST.match(/[^]{1,20}/g)!) {
      socket.write(piece);
      for (let n = 0; n < 10; n += 1) await turn();
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(await answer).toMatch(CLOSED);
    await end(stopped);
  });

  it('closes connections on which nothing comes', async () => {
    const { app, drain, port } = await serve();
    const connections = [await keptOpen(port), open(port)];
    await once(connections[1]!, 'connect');
    const stopped = drain.run(app.server, LONG_MS);
    const closed = connections.map((socket) => once(socket.resume(), 'close'));
    for (let n = 0; n < 10; n += 1) await turn();
    await vi.advanceTimersByTimeAsync(LOOKS_MS);
    expect(connections.map((socket) => socket.readableEnded)).toEqual([false, false]);
    await end(stopped);
    await Promise.all(closed);
  });
});
