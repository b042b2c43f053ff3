import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import { S3Server } from '../../scripts/lib/engines/s3-server.js';
import { ApiClient } from '../support/api-client.js';
import { filesBelow, pathsBelow } from '../support/files-below.js';
import { ServiceProcess } from '../support/service-process.js';

const MIB = 1024 * 1024;
let server: S3Server;
let service: ServiceProcess;
let admin: ApiClient;

beforeAll(async () => {
  server = await S3Server.start();
  service = await ServiceProcess.start({ settings: { ...server.settings, INGESTION_LEASE_SECONDS: '2' } });
  admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
});
afterAll(async () => {
  await service?.dispose();
  await server?.dispose();
});

/** Objects in the bucket as the server keeps them, without what it notes beside them. */
async function storedKeys(): Promise<string[]> {
  const files = (await filesBelow(server.bucketFolder)).filter((path) => !basename(path).startsWith('.'));
  return files.sort();
}

/** What the server holds of uploads in parts. */
async function unfinishedParts(): Promise<string[]> {
  return (await pathsBelow(server.folder)).filter((path) => /upload/i.test(path)).sort();
}

async function query<Row>(sql: string): Promise<Row[]> {
  const running = await connectToRunningEmbeddedPostgres(join(service.folder, 'data', 'postgres'));
  const client = new Client({ connectionString: running!.ownerUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function download(id: string): Promise<Buffer> {
  const answer = await fetch(`${service.url}/documents/${id}/content`, { headers: admin.headers });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** What is deleted keeps its file until the dataset is purged. */
async function deleteForGood(datasetId: string, id: string): Promise<void> {
  await admin.delete(`/documents/${id}`);
  await admin.post(`/datasets/${datasetId}/purge`, {});
  await expect.poll(storedKeys, { timeout: 60_000 }).toEqual([]);
}

/** A form whose file comes piece by piece and does not end by itself. */
function slowUpload(datasetId: string): { readonly sent: Promise<unknown>; readonly stop: () => void } {
  const boundary = 'kb-boundary';
  const stopping = new AbortController();
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="dataset_id"\r\n\r\n${datasetId}\r\n` +
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\nContent-Type: text/plain\r\n\r\n`;
  let at = -1;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      at += 1;
      if (at === 0) controller.enqueue(Buffer.from(head));
      else if (at <= 30) controller.enqueue(Buffer.alloc(MIB, `line ${at}\n`));
      else await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
    },
  });
  const request: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { ...admin.headers, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body,
    duplex: 'half',
    signal: stopping.signal,
  };
  const sent = fetch(`${service.url}/documents/upload`, request).catch((error: unknown) => error);
  return { sent, stop: () => stopping.abort() };
}

describe('the service with its files in S3', () => {
  it('takes a document through: upload, search, content, and a delete that leaves no object', async () => {
    const datasetId = await admin.createDataset('In a bucket');
    const content = 'The gasket of the pump is made of copper.\n'.repeat(300);
    const { id } = await admin.upload(datasetId, { name: 'pump.txt', content });
    expect(await admin.pollUntilTerminal(id)).toMatchObject({ status: 'completed' });
    expect(await storedKeys()).toHaveLength(1);
    const { results } = await admin.search('gasket copper', [datasetId]);
    expect(results[0]).toMatchObject({ document_id: id });
    expect((await download(id)).toString()).toBe(content);
    expect(await readdir(join(service.folder, 'data', 'files'))).toEqual(['.copies']);
    expect(await readdir(join(service.folder, 'data', 'files', '.copies'))).toEqual([]);
    await deleteForGood(datasetId, id);
  });

  it('keeps a file that needs several parts byte for byte, and forgets how it came', async () => {
    const datasetId = await admin.createDataset('Large files');
    const line = () => `${randomBytes(30).toString('hex')}\n`;
    const content = Array.from({ length: Math.ceil((20 * MIB) / 61) }, line).join('');
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    const { id } = await admin.upload(datasetId, { name: 'large.log', content });
    expect(hash(await download(id))).toBe(hash(Buffer.from(content)));
    expect(await query('SELECT * FROM unfinished_uploads')).toEqual([]);
    expect(await unfinishedParts()).toEqual([]);
    await deleteForGood(datasetId, id);
  });

  it('is ready and names its storage', async () => {
    const details = await admin.get<{ components: Record<string, unknown> }>('/health/details');
    expect(details.components['object_storage']).toMatchObject({ status: 'up', detail: 's3' });
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  });

  it('killed in the middle of an upload in parts leaves a record, by which the parts go a day later', async () => {
    const datasetId = await admin.createDataset('Cut off');
    const upload = slowUpload(datasetId);
    const recorded = () => query<{ object_key: string }>('SELECT object_key FROM unfinished_uploads');
    await expect.poll(recorded, { timeout: 30_000 }).toHaveLength(1);
    await expect.poll(unfinishedParts, { timeout: 30_000 }).not.toEqual([]);
    await service.kill('SIGKILL');
    upload.stop();
    await upload.sent;
    await service.start();
    admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    // Younger than a day: perhaps of another process, which still lives.
    expect(await recorded()).toHaveLength(1);
    expect(await unfinishedParts()).not.toEqual([]);
    await query(`UPDATE unfinished_uploads SET began_at = began_at - interval '25 hours'`);
    // The service promises it itself, but not in its first minute.
    await query(
      `INSERT INTO tasks (id, tenant_id, kind) VALUES (gen_random_uuid(), '00000000-0000-0000-0000-000000000000', 'upload_sweep')`,
    );
    await expect.poll(recorded, { timeout: 30_000 }).toEqual([]);
    expect(await unfinishedParts()).toEqual([]);
    expect(await storedKeys()).toEqual([]);
  });
});
