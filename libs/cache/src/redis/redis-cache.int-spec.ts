import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delay } from '#libs/common';
import { until } from '#testing/until';
import { describeCache } from '../testing/describe-cache.js';
import { RedisCache } from './redis-cache.js';

const hasServer = spawnSync('redis-server', ['--version']).status === 0;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function connect(port: number): RedisCache {
  return new RedisCache({ url: `redis://127.0.0.1:${port}`, keyPrefix: 'kb:', onConnectionError: () => undefined });
}

async function startRedis(port: number): Promise<ChildProcess> {
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  const probe = connect(port);
  const isUp = (): Promise<boolean> =>
    probe.ping().then(
      () => true,
      () => false,
    );
  await until(isUp, { what: 'Redis', withinMs: 5_000 });
  await probe.close();
  return server;
}

describe('RedisCache without a server', () => {
  it('says that the cache is not available, within its deadline', async () => {
    const cache = connect(await freePort());
    await expect(cache.get('a')).rejects.toMatchObject({ code: 'cache.unavailable', status: 503 });
    await expect(cache.ping()).rejects.toMatchObject({ code: 'cache.unavailable' });
    await cache.close();
  });
});

describe.skipIf(!hasServer)(
  hasServer ? 'RedisCache with a server' : 'RedisCache with a server (skipped: no redis-server on PATH)',
  () => {
    let port: number;
    let server: ChildProcess;
    beforeAll(async () => {
      port = await freePort();
      server = await startRedis(port);
    });
    afterAll(() => {
      server.kill();
    });

    describeCache('RedisCache', async () => ({ cache: connect(port), pass: (ms) => delay(ms) }));

    it('shares a counter between two connections', async () => {
      const [one, two] = [connect(port), connect(port)];
      await one.increment('shared', 60_000);
      expect(await two.increment('shared', 60_000)).toMatchObject({ value: 2 });
      await Promise.all([one.close(), two.close()]);
    });
  },
);
