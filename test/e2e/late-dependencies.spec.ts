import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { SilentS3Server } from '../../libs/object-storage/src/testing/silent-s3-server.js';
import { ApiClient } from '../support/api-client.js';
import { freePort } from '../support/own-port.js';
import { hasRedis, RedisServer } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';

/** How much later than the service the other one comes. */
const LATE_MS = 10_000;

describe('a service whose dependency comes ten seconds after it', () => {
  const running: ServiceProcess[] = [];
  const closing: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const service of running.splice(0)) await service.dispose();
    for (const close of closing.splice(0)) await close();
  });

  /** Starts the service, `come` ten seconds after it listens, and resolves to the states of readiness that were seen, in their order. */
  async function readinessAround(settings: Record<string, string>, come: () => Promise<void>): Promise<number[]> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/api/v1`;
    const seen: number[] = [];
    const ready = async (): Promise<number | undefined> => {
      const status = await new ApiClient(url).send('GET', '/health/ready').then(
        (answer) => answer.status,
        () => undefined,
      );
      if (status !== undefined && status !== seen.at(-1)) seen.push(status);
      return status;
    };
    const starting = ServiceProcess.start({
      settings: { PORT: String(port), READINESS_WARMUPS: 'retrieval', ...settings },
    }).then((service) => running.push(service));
    await until(ready, { what: 'a service that listens', withinMs: 60_000 });
    const later = performance.now() + LATE_MS;
    await until(() => performance.now() >= later, { what: 'ten seconds' });
    await come();
    await until(async () => (await ready()) === 200, { what: 'readiness', withinMs: 60_000 });
    await starting;
    return seen;
  }

  it('becomes ready with Elasticsearch, and says once that it waits and once that it is done', async () => {
    const port = await freePort();
    const settings = { VECTOR_STORE: 'elasticsearch', ELASTICSEARCH_URL: `http://127.0.0.1:${port}` };
    expect(await readinessAround(settings, () => startEngine(port, closing))).toEqual([503, 200]);
    const lines = running[0]!.log.filter((line) => line.includes('"warmup.'));
    expect(lines).toEqual([expect.stringContaining('warmup.waits'), expect.stringContaining('warmup.done')]);
  });

  /** skipped: Redis is not installed (Debian package `redis-server`). */
  it.skipIf(!hasRedis)('becomes ready with Redis', async () => {
    const redis = await RedisServer.start();
    closing.push(() => redis.dispose());
    await redis.kill();
    expect(await readinessAround({ REDIS_URL: redis.url }, async () => redis.launch())).toEqual([503, 200]);
  });

  it('becomes ready with an S3 server that was silent until then, and keeps files there', async () => {
    const server = await SilentS3Server.start();
    closing.push(() => server.close());
    server.silence = 'all';
    const settings = {
      OBJECT_STORAGE: 's3',
      S3_ENDPOINT: server.endpoint,
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    const come = async (): Promise<void> => {
      server.silence = 'none';
    };
    expect(await readinessAround(settings, come)).toEqual([503, 200]);
    const { url, admin } = running[0]!;
    const client = await new ApiClient(url).login(admin.email, admin.password);
    const file = { name: 'late.txt', content: 'The north gate opens at six.' };
    const { id } = await client.upload(await client.createDataset('Late'), file);
    expect((await client.pollUntilTerminal(id)).status).toBe('completed');
    expect([...server.objects.values()].map(String)).toEqual([file.content]);
  });
});

/** As much of Elasticsearch as a service asks without documents. */
async function startEngine(port: number, closing: (() => Promise<void>)[]): Promise<void> {
  const server: Server = createServer((request, response) => {
    const body = request.url?.startsWith('/_cluster/health') === true ? { status: 'green' } : {};
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
      .end(JSON.stringify(body));
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
}
