import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../support/api-client.js';
import { ingest, readFixture } from '../support/fixtures.js';
import { logLinesOf } from '../support/log-lines.js';
import { hasRedis, RedisServer } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';

const PATIENCE = { timeout: 30_000, interval: 200 };

describe.skipIf(!hasRedis)('the service with Redis for queue and cache', () => {
  let redis: RedisServer;
  let service: ServiceProcess;
  let admin: ApiClient;

  beforeAll(async () => {
    redis = await RedisServer.start();
    service = await ServiceProcess.start({ settings: { REDIS_URL: redis.url } });
    admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  });

  afterAll(async () => {
    await service?.dispose();
    await redis?.dispose();
  });

  it('ingests a document and finds it', async () => {
    const datasetId = await admin.createDataset('Over Redis');
    await ingest(admin, datasetId, await readFixture('handbook.md'));
    const found = await admin.search('lost access badge', [datasetId]);
    expect(found.results[0]?.document_name).toBe('handbook.md');
  });

  it('says so in the health details', async () => {
    const details = await admin.get<{ components: Record<string, { status: string; detail: string | null }> }>(
      '/health/details',
    );
    expect(details.components['cache']).toMatchObject({ status: 'up', detail: 'redis' });
    expect(details.components['task_queue']).toMatchObject({ status: 'up' });
  });

  it('writes JSON lines only while Redis is away, without its password, and goes on when it is back', async () => {
    const from = service.log.length;
    await redis.kill();
    const tells = (message: string): boolean => logLinesOf(service, from).some(({ msg }) => msg === message);
    await until(() => tells('cache.connection_lost') && tells('queue.connection_lost'), { what: 'both losses' });
    expect((await admin.send('GET', '/datasets/')).status).toBeLessThan(600);
    redis.launch();
    await vi.waitFor(async () => {
      const details = await admin.get<{ components: Record<string, { status: string }> }>('/health/details');
      expect(details.components['task_queue']).toMatchObject({ status: 'up' });
    }, PATIENCE);
    const lines = logLinesOf(service, from);
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['cache.connection_lost', 'queue.connection_lost']),
    );
    expect(lines.map(({ msg }) => msg)).not.toContain('library.told');
    expect(JSON.stringify(lines)).not.toContain(redis.password);
  });
});
