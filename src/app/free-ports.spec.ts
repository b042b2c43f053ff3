import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { requireFreePorts } from './free-ports.js';
import { StartRefused } from './start-refused.js';

/** Knocks at a port without a pause, from an address of its own: a connection never meets itself. */
const KNOCKER = `
const { connect } = require('node:net');
const { parentPort, workerData: port } = require('node:worker_threads');
const counts = { taken: 0, refused: 0 };
function knock() {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  socket.once('connect', () => { counts.taken += 1; socket.destroy(); });
  socket.on('error', ({ code }) => { if (code === 'ECONNREFUSED') counts.refused += 1; });
  socket.once('close', () => setImmediate(knock));
}
for (let n = 0; n < 8; n += 1) knock();
parentPort.on('message', () => parentPort.postMessage({ ...counts }));
`;

describe('the ports of a start', () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function listen(host = '127.0.0.1', port = 0): Promise<number> {
    const server = createServer().listen(port, host);
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function freePort(): Promise<number> {
    const port = await listen();
    await new Promise((resolve) => servers.pop()!.close(resolve));
    return port;
  }

  const ports = (port: number, host = '127.0.0.1', metricsPort = 0): Parameters<typeof requireFreePorts>[0] => ({
    role: 'all',
    host,
    port,
    metricsPort,
    databaseUrl: undefined,
  });

  it('may be used afterwards, on one address and on all', async () => {
    const port = await freePort();
    for (const host of ['127.0.0.1', '0.0.0.0', 'localhost']) {
      await requireFreePorts(ports(port, host));
      expect(await listen(host, port)).toBe(port);
      await new Promise((resolve) => servers.pop()!.close(resolve));
    }
    await requireFreePorts(ports(0));
  });

  it('are refused when something listens there, on this address or on all', async () => {
    const busy = await listen();
    await expect(requireFreePorts(ports(busy))).rejects.toThrow(/^Port \d+ of 127\.0\.0\.1 is in use \(EADDRINUSE\)/);
    await expect(requireFreePorts(ports(busy, '0.0.0.0'))).rejects.toThrow(/is in use .* set PORT/);
    await expect(requireFreePorts(ports(0, '127.0.0.1', busy))).rejects.toThrow(/is in use .* set METRICS_PORT/);
    const everywhere = await listen('0.0.0.0');
    await expect(requireFreePorts(ports(everywhere))).rejects.toBeInstanceOf(StartRefused);
  });

  it('are refused on an address of another machine, and on a name that is none', async () => {
    await expect(requireFreePorts(ports(0, '192.0.2.1'))).rejects.toThrow(
      /^HOST "192\.0\.2\.1" cannot .*EADDRNOTAVAIL/,
    );
    await expect(requireFreePorts(ports(0, 'nowhere.invalid'))).rejects.toThrow(/^HOST "nowhere\.invalid" cannot /);
  });

  it.skipIf(process.platform !== 'linux')('take no connection while they are tried', async () => {
    const port = await freePort();
    const knocker = new Worker(KNOCKER, { eval: true, workerData: port });
    const look = async (): Promise<{ taken: number; refused: number }> => {
      knocker.postMessage('how many');
      const [counts] = (await once(knocker, 'message')) as [{ taken: number; refused: number }];
      return counts;
    };
    try {
      while ((await look()).refused === 0);
      for (let n = 0; n < 500; n += 1) await requireFreePorts(ports(port));
      expect(await look()).toEqual({ taken: 0, refused: expect.any(Number) });
    } finally {
      await knocker.terminate();
    }
  });
});
