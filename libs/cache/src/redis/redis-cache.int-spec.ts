import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
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

const silent = (): void => undefined;

function connect(port: number, lost = silent, restored = silent): RedisCache {
  return new RedisCache({ url: `redis://127.0.0.1:${port}`, keyPrefix: 'kb:', events: { lost, restored } });
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

  it('counts by itself, and says since when and why', async () => {
    const lost = vi.fn();
    const cache = connect(await freePort(), lost);
    expect(await cache.increment('a', 60_000)).toMatchObject({ value: 1 });
    expect(await cache.increment('a', 60_000, 2)).toMatchObject({ value: 3 });
    expect(await cache.increment('b', 60_000, 0)).toMatchObject({ value: 0 });
    await cache.delete('a').catch((error: unknown) => expect(error).toMatchObject({ code: 'cache.unavailable' }));
    expect(await cache.increment('a', 60_000)).toMatchObject({ value: 1 });
    expect(cache.outage).toMatchObject({
      since: expect.any(Date),
      reason: expect.stringMatching(/ECONNREFUSED|retries/),
    });
    expect(lost).toHaveBeenCalledTimes(1);
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

    it('goes on from what it knew while the server is silent, and adds what it counted once that is back', async () => {
      const [lost, restored] = [vi.fn(), vi.fn()];
      const [one, two] = [connect(port, lost, restored), connect(port)];
      await two.increment('window', 60_000, 3);
      expect(await one.increment('window', 60_000)).toMatchObject({ value: 4 });
      server.kill('SIGSTOP');
      // Not known whether the server will still take it: one more at most.
      await one.increment('window', 60_000);
      for (const value of [6, 7, 8]) expect(await one.increment('window', 60_000)).toMatchObject({ value });
      await expect(one.get('window')).rejects.toMatchObject({ code: 'cache.unavailable' });
      expect(await two.increment('window', 60_000)).toMatchObject({ value: 4 });
      server.kill('SIGCONT');
      await until(() => one.outage === null && two.outage === null, { what: 'both connections', withinMs: 10_000 });
      await one.increment('window', 60_000, 0);
      const { value } = await two.increment('window', 60_000, 0);
      expect(value).toBeGreaterThanOrEqual(9);
      expect(value).toBeLessThanOrEqual(11);
      expect([lost.mock.calls.length, restored.mock.calls.length]).toEqual([1, 1]);
      await Promise.all([one.close(), two.close()]);
    });

    it('counts by itself while the server refuses writes', async () => {
      const one = connect(port);
      const admin = new Redis(port, '127.0.0.1');
      await one.increment('refused', 60_000);
      await admin.config('SET', 'maxmemory', '1');
      await one.increment('refused', 60_000);
      expect(await one.increment('refused', 60_000)).toMatchObject({ value: 3 });
      expect(one.outage?.reason).toContain('OOM');
      await admin.config('SET', 'maxmemory', '0');
      await until(() => one.outage === null, { what: 'the server', withinMs: 10_000 });
      expect(await one.increment('refused', 60_000)).toMatchObject({ value: 4 });
      admin.disconnect();
      await one.close();
    });
  },
);
