import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../support/api-client.js';
import { ingest, readFixture } from '../support/fixtures.js';
import { logLinesOf } from '../support/log-lines.js';
import { ServiceProcess } from '../support/service-process.js';

const hasServer = spawnSync('redis-server', ['--version']).status === 0;

const PASSWORD = 'a-password-of-redis';
const PATIENCE = { timeout: 30_000, interval: 200 };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // Nobody listens yet.
    return false;
  } finally {
    socket.destroy();
  }
}

describe.skipIf(!hasServer)('the service with Redis for queue and cache', () => {
  let folder: string;
  let start: () => ChildProcess;
  let redis: ChildProcess;
  let service: ServiceProcess;
  let admin: ApiClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-redis-'));
    const port = await freePort();
    const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--appendonly', 'yes', '--save', ''];
    const more = ['--maxmemory-policy', 'noeviction', '--requirepass', PASSWORD];
    start = () => spawn('redis-server', [...args, ...more], { stdio: 'ignore' });
    redis = start();
    await until(() => listens(port), { what: 'Redis' });
    service = await ServiceProcess.start({ settings: { REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${port}` } });
    admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  });

  afterAll(async () => {
    await service?.dispose();
    redis?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
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
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    const tells = (message: string): boolean => logLinesOf(service, from).some(({ msg }) => msg === message);
    await until(() => tells('cache.connection_lost') && tells('queue.connection_lost'), { what: 'both losses' });
    expect((await admin.send('GET', '/datasets/')).status).toBeLessThan(600);
    redis = start();
    await vi.waitFor(async () => {
      const details = await admin.get<{ components: Record<string, { status: string }> }>('/health/details');
      expect(details.components['task_queue']).toMatchObject({ status: 'up' });
    }, PATIENCE);
    const lines = logLinesOf(service, from);
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['cache.connection_lost', 'queue.connection_lost']),
    );
    expect(lines.map(({ msg }) => msg)).not.toContain('library.told');
    expect(JSON.stringify(lines)).not.toContain(PASSWORD);
  });
});
