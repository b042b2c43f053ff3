import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { describe, expect, it, type TestContext } from 'vitest';
import { until } from '#testing/until';
import { SilentS3Server } from '../../libs/object-storage/src/testing/silent-s3-server.js';
import { ApiClient } from '../support/api-client.js';
import { freePort } from '../support/own-port.js';
import { hasRedis, RedisServer } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';

/** How much later than the service the other one comes. */
const LATE_MS = 10_000;

/** What was seen of a service around its dependency. */
interface Seen {
  /** States of readiness, in their order. */
  readonly states: readonly number[];
  readonly service: ServiceProcess;
}

// Side by side: each of them waits ten seconds.
describe.concurrent('a service whose dependency comes ten seconds after it', () => {
  /** Starts the service for the time of the test, and `come` ten seconds after it listens. */
  async function readinessAround(
    { onTestFinished }: TestContext,
    settings: Record<string, string>,
    come: () => Promise<void>,
  ): Promise<Seen> {
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
    });
    onTestFinished(async () => (await starting).dispose());
    await until(ready, { what: 'a service that listens', withinMs: 60_000 });
    const later = performance.now() + LATE_MS;
    await until(() => performance.now() >= later, { what: 'ten seconds' });
    await come();
    await until(async () => (await ready()) === 200, { what: 'readiness', withinMs: 60_000 });
    return { states: seen, service: await starting };
  }

  it('becomes ready with Elasticsearch, and says once that it waits and once that it is done', async (context) => {
    const port = await freePort();
    let engine: Server | undefined;
    context.onTestFinished(() => engine && closeServer(engine));
    const settings = { VECTOR_STORE: 'elasticsearch', ELASTICSEARCH_URL: `http://127.0.0.1:${port}` };
    const { states, service } = await readinessAround(context, settings, async () => {
      engine = await startEngine(port);
    });
    expect(states).toEqual([503, 200]);
    const lines = service.log.filter((line) => line.includes('"warmup.'));
    expect(lines).toEqual([expect.stringContaining('warmup.waits'), expect.stringContaining('warmup.done')]);
  });

  /** skipped: Redis is not installed (Debian package `redis-server`). */
  it.skipIf(!hasRedis)('becomes ready with Redis', async (context) => {
    const redis = await RedisServer.start();
    context.onTestFinished(() => redis.dispose());
    await redis.kill();
    const { states } = await readinessAround(context, { REDIS_URL: redis.url }, async () => redis.launch());
    expect(states).toEqual([503, 200]);
  });

  it('becomes ready with an S3 server that was silent until then, and keeps files there', async (context) => {
    const server = await SilentS3Server.start();
    context.onTestFinished(() => server.close());
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
    const { states, service } = await readinessAround(context, settings, come);
    expect(states).toEqual([503, 200]);
    const { url, admin } = service;
    const client = await new ApiClient(url).login(admin.email, admin.password);
    const file = { name: 'late.txt', content: 'The north gate opens at six.' };
    const { id } = await client.upload(await client.createDataset('Late'), file);
    expect((await client.pollUntilTerminal(id)).status).toBe('completed');
    expect([...server.objects.values()].map(String)).toEqual([file.content]);
  });
});

/** As much of Elasticsearch as a service asks without documents. */
async function startEngine(port: number): Promise<Server> {
  const server: Server = createServer((request, response) => {
    const body = request.url?.startsWith('/_cluster/health') === true ? { status: 'green' } : {};
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
      .end(JSON.stringify(body));
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
