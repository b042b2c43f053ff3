import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#libs/database';
import { until } from '#testing/until';
import { ApiClient, type Problem } from '../support/api-client.js';
import { bringData } from '../support/data-template.js';
import { hasRedis, RedisServer } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';

const LIMIT = 4;
/** The test stream ends by itself after 4.5 s: what took longer than this is not judged. */
const JUDGED_MS = 3_500;

/** A stream that is read no further than its head. */
interface Asked {
  readonly status: number;
  /** The code of the problem where it is refused. */
  readonly code: string | undefined;
  close(): void;
}

/** skipped: Redis is not installed (Debian package `redis-server`). */
describe.skipIf(!hasRedis)('places of streams over two services with one Redis', () => {
  let folder: string;
  let redis: RedisServer;
  let postgres: EmbeddedPostgres;
  const services: ServiceProcess[] = [];
  let clients: readonly ApiClient[];

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'kb-places-')));
    await chmod(folder, 0o711);
    redis = await RedisServer.start();
    await bringData(folder);
    postgres = await startEmbeddedPostgres({
      dataDirectory: join(folder, 'postgres'),
      log: () => undefined,
      initdbNoSync: true,
    });
    const admin = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
    const settings = {
      REDIS_URL: redis.url,
      DATABASE_URL: postgres.serviceUrl,
      DATABASE_MIGRATION_URL: postgres.ownerUrl,
      DATABASE_POOL_SIZE: '8',
      AUTH_JWT_KEY: 'a key for tests that both services share',
      BOOTSTRAP_ADMIN_EMAIL: admin.email,
      BOOTSTRAP_ADMIN_PASSWORD: admin.password,
      MAX_STREAMS_PER_PRINCIPAL: String(LIMIT),
    };
    for (let n = 0; n < 2; n += 1) services.push(await ServiceProcess.start({ settings }));
    const { headers } = await new ApiClient(services[0]!.url).login(admin.email, admin.password);
    clients = services.map(({ url }) => new ApiClient(url, headers));
  });

  afterAll(async () => {
    for (const service of services) await service.dispose();
    await postgres?.stop();
    await redis?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function ask({ url, headers }: ApiClient): Promise<Asked> {
    const leaving = new AbortController();
    const response = await fetch(`${url}/chat/stream-test`, { headers, signal: leaving.signal });
    if (response.ok) return { status: response.status, code: undefined, close: () => leaving.abort() };
    const { code } = (await response.json()) as Problem;
    return { status: response.status, code, close: () => undefined };
  }

  /** Asks for `counts[n]` streams at each service, then for one more at each, until that was done before the first of them ended. */
  async function fillThenAsk(counts: readonly [number, number]): Promise<Asked[]> {
    return until(
      async () => {
        const began = performance.now();
        const wanted = clients.flatMap((client, n) => Array<ApiClient>(counts[n]!).fill(client));
        const held = await Promise.all(wanted.map(ask));
        const more = await Promise.all(clients.map(ask));
        const isJudged = performance.now() - began < JUDGED_MS && held.every(({ status }) => status === 200);
        for (const one of [...held, ...more]) one.close();
        // Places are given back when the service has seen that their readers left.
        if (!isJudged) await until(async () => (await freeAtOnce()) === LIMIT, { what: 'free places' });
        return isJudged ? more : undefined;
      },
      { what: 'streams that were asked for at once' },
    );
  }

  /** Number of streams that are let in one after another at the first service. */
  async function freeAtOnce(): Promise<number> {
    const asked: Asked[] = [];
    do asked.push(await ask(clients[0]!));
    while (asked.at(-1)!.status === 200 && asked.length <= LIMIT);
    for (const one of asked) one.close();
    return asked.filter(({ status }) => status === 200).length;
  }

  const REFUSED = { status: 429, code: 'http.too_many_streams' };

  it('are counted together, wherever the streams are, and free again at both', async () => {
    expect(await fillThenAsk([LIMIT / 2, LIMIT / 2])).toMatchObject([REFUSED, REFUSED]);
    await until(async () => (await freeAtOnce()) === LIMIT, { what: 'free places' });
    expect(await fillThenAsk([0, LIMIT])).toMatchObject([REFUSED, REFUSED]);
    await until(async () => (await freeAtOnce()) === LIMIT, { what: 'free places' });
  });

  it('are counted by each for itself while Redis is away, and together again when it is back', async () => {
    await redis.kill();
    await until(async () => (await clients[1]!.send('GET', '/health/ready')).status === 503, { what: 'Redis away' });
    expect(await fillThenAsk([LIMIT, LIMIT])).toMatchObject([REFUSED, REFUSED]);
    redis.launch();
    for (const client of clients) {
      await until(async () => (await client.send('GET', '/health/ready')).status === 200, { what: 'Redis' });
    }
    await until(async () => (await freeAtOnce()) === LIMIT, { what: 'free places' });
    expect(await fillThenAsk([LIMIT / 2, LIMIT / 2])).toMatchObject([REFUSED, REFUSED]);
  });
});
