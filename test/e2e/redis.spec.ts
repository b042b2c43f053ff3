import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { ingest, readFixture } from '../support/fixtures.js';
import { ServiceProcess } from '../support/service-process.js';

const hasServer = spawnSync('redis-server', ['--version']).status === 0;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}

describe.skipIf(!hasServer)('the service with Redis for queue and cache', () => {
  let folder: string;
  let redis: ChildProcess;
  let service: ServiceProcess;
  let admin: ApiClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-redis-'));
    const port = await freePort();
    const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--appendonly', 'yes', '--save', ''];
    redis = spawn('redis-server', [...args, '--maxmemory-policy', 'noeviction'], { stdio: 'ignore' });
    await sleep(500);
    service = await ServiceProcess.start({ settings: { REDIS_URL: `redis://127.0.0.1:${port}` } });
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
});
