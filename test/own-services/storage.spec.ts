import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient, uploadForm, type Answer } from '../support/api-client.js';
import { ServiceProcess } from '../support/service-process.js';

const run = promisify(execFile);
const MIB = 1024 * 1024;
const PATIENCE_MS = 120_000;

interface Refusal {
  readonly code: string;
  readonly figures: Readonly<Record<string, number>>;
}

interface Made {
  readonly id: string;
}

function send(client: ApiClient, datasetId: string, content: string): Promise<Answer<Made & Refusal>> {
  const file = { name: `${content.slice(0, 12).trim()}.txt`, content, mediaType: 'text/plain' };
  return client.send('POST', '/documents/upload', uploadForm(file, { dataset_id: datasetId }));
}

/** Text of this many MiB that is like no other. */
function text(seed: number, mebibytes: number): string {
  return `Number ${seed}. `.concat(
    `The keeper of lamp ${seed} writes what the weather does. `.repeat(mebibytes * 20_000),
  );
}

describe('a service whose volume has less free than the reserve', () => {
  let service: ServiceProcess;
  let client: ApiClient;
  let datasetId: string;

  beforeAll(async () => {
    service = await ServiceProcess.start({ settings: { STORAGE_RESERVE_BYTES: String(2 ** 52) } });
    client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    datasetId = await client.createDataset('full');
  });

  afterAll(async () => {
    await service.dispose();
  });

  it('refuses files with figures and a time to try again', async () => {
    const { status, headers, body } = await send(client, datasetId, 'one');
    expect(status).toBe(507);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(headers.get('retry-after')).toBe('30');
    expect(body.code).toBe('storage.low');
    expect(body.figures['reserve_bytes']).toBe(2 ** 52);
    expect(body.figures['free_bytes']).toBeLessThan(2 ** 52);
  });

  it('refuses what begins work that writes much', async () => {
    const jobs = await client.send('POST', '/documents/batch/reingest', { document_ids: [] });
    expect(jobs.status).toBe(507);
    const cases = await client.send<Refusal>('POST', '/evaluations/jobs', {});
    expect(cases.body.code).toBe('storage.low');
  });

  it('goes on with logins, searches and lists, is ready, and says what it keeps free', async () => {
    await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    expect((await client.search('anything', [datasetId])).results).toEqual([]);
    expect((await client.send('GET', '/health/ready')).status).toBe(200);
    const limits = await client.get<{ storage: unknown }>('/limits');
    expect(limits.storage).toEqual({ tenant_bytes: null, reserve_bytes: 2 ** 52 });
    expect((await client.send('DELETE', `/datasets/${datasetId}`)).status).toBe(202);
  });
});

describe('a tenant with a limit of bytes', () => {
  let service: ServiceProcess;
  let client: ApiClient;
  let datasetId: string;

  beforeAll(async () => {
    service = await ServiceProcess.start({ settings: { TENANT_STORAGE_BYTES: '1000' } });
    client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    datasetId = await client.createDataset('bounded');
  });

  afterAll(async () => {
    await service.dispose();
  });

  it('takes files until they are used up, however many come at once, and again when some are deleted', async () => {
    const files = Array.from({ length: 6 }, (_, n) => `${n} `.padEnd(300, 'word '));
    const answers = await Promise.all(files.map((content) => send(client, datasetId, content)));
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 201).map(({ status, body }) => ({ status, ...body }));
    expect(refused).toHaveLength(3);
    for (const { status, code, figures } of refused) {
      expect({ status, code }).toEqual({ status: 409, code: 'documents.tenant_storage_exceeded' });
      expect(figures).toEqual({ used_bytes: 900, limit_bytes: 1_000, needed_bytes: 300 });
    }
    const usage = await client.get<{ storage: unknown }>('/usage');
    expect(usage.storage).toEqual({ bytes: 900, limit_bytes: 1_000 });
    expect((await client.get<{ storage: object }>('/limits')).storage).toMatchObject({ tenant_bytes: 1_000 });
    await client.delete(`/documents/${taken[0]!.body.id}`);
    expect((await send(client, datasetId, 'again'.padEnd(300, 'word '))).status).toBe(201);
  });
});

// Only root mounts.
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a data folder of 260 MB', () => {
  it('takes what has room, refuses the rest, and takes files again after deletions', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kb-small-'));
    await chmod(folder, 0o711);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=260m,mode=711', 'tmpfs', folder]);
    let service: ServiceProcess | undefined;
    try {
      await mkdir(join(folder, 'data'), { mode: 0o711 });
      service = await ServiceProcess.start({ settings: { DATA_DIR: join(folder, 'data') } });
      expect(await fillAndEmpty(service)).toBeGreaterThan(0);
    } finally {
      await service?.dispose();
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);
});

/** How many files the folder took at once. */
async function fillAndEmpty(service: ServiceProcess): Promise<number> {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const datasetId = await client.createDataset('small');
  const files = Array.from({ length: 25 }, (_, n) => text(n, 4));
  const answers = await Promise.all(files.map((content) => send(client, datasetId, content)));
  const taken = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([507]));
  expect(refused[0]!.body.figures['reserve_bytes']).toBe(65 * MIB);
  expect((await client.send('GET', '/health/ready')).status).toBe(200);
  await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  await client.search('what does the weather do', [datasetId]);
  for (const id of taken) await client.delete(`/documents/${id}`);
  await until(async () => (await send(client, datasetId, files[0]!)).status === 201, {
    what: 'files are taken again',
    withinMs: PATIENCE_MS,
  });
  return taken.length;
}
