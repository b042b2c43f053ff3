import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { S3Server } from '../../scripts/lib/engines/s3-server.js';
import { ApiClient } from '../support/api-client.js';
import { filesBelow } from '../support/files-below.js';
import { ServiceProcess } from '../support/service-process.js';

const COMMAND = fileURLToPath(new URL('../../dist/src/cli/move-files.js', import.meta.url));
const ADMIN = { BOOTSTRAP_ADMIN_EMAIL: 'mover@example.com', BOOTSTRAP_ADMIN_PASSWORD: 'a long word of the mover 17' };
const CONTENT = 'The valve opens at four bar.';
let server: S3Server;
let folder: string;

beforeAll(async () => {
  server = await S3Server.start();
  folder = await realpath(await mkdtemp(join(tmpdir(), 'kb-move-')));
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'data'), { mode: 0o711 });
});
afterAll(async () => {
  await server?.dispose();
  await rm(folder, { recursive: true, force: true });
});

const settings = (storage: string): Record<string, string> => ({
  ...server.settings,
  ...ADMIN,
  DATA_DIR: join(folder, 'data'),
  OBJECT_STORAGE: storage,
});

async function running<T>(storage: string, work: (admin: ApiClient) => Promise<T>): Promise<T> {
  const service = await ServiceProcess.start({ settings: settings(storage) });
  try {
    const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = ADMIN;
    return await work(await new ApiClient(service.url).login(email, password));
  } finally {
    await service.stop();
    await service.dispose();
  }
}

function moveFiles(storage: string, ...args: string[]): { readonly status: number | null; readonly said: string } {
  const env = { PATH: process.env['PATH'], ...settings(storage) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, said: stdout + stderr };
}

async function contentOf(admin: ApiClient, id: string): Promise<string> {
  const answer = await fetch(`${admin.url}/documents/${id}/content`, { headers: admin.headers });
  return answer.text();
}

const filesIn = async (path: string): Promise<number> =>
  (await filesBelow(path)).filter((file) => !basename(file).startsWith('.')).length;

it('moves the files of an installation into a bucket and back, and refuses while the service runs', async () => {
  const id = await running('filesystem', async (admin) => {
    const datasetId = await admin.createDataset('Moved');
    const document = await admin.upload(datasetId, { name: 'valve.txt', content: CONTENT });
    await admin.pollUntilTerminal(document.id);
    expect(moveFiles('filesystem', '--to', 's3')).toMatchObject({
      status: 1,
      said: expect.stringContaining('The service runs. Stop every process of it first.'),
    });
    return document.id;
  });
  expect(moveFiles('filesystem', '--to', 'filesystem')).toMatchObject({ status: 1 });
  expect(moveFiles('filesystem', '--to', 'nowhere')).toMatchObject({ status: 1 });
  const first = moveFiles('filesystem', '--to', 's3');
  expect(first).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^1 files copied and read back, 28 bytes; 0 /),
  });
  const again = moveFiles('filesystem', '--to', 's3', '--remove');
  expect(again).toMatchObject({ status: 0, said: expect.stringMatching(/^0 files copied and read back, 0 bytes; 1 /) });
  expect(await filesIn(join(folder, 'data', 'files'))).toBe(0);
  await running('s3', async (admin) => expect(await contentOf(admin, id)).toBe(CONTENT));
  expect(moveFiles('s3', '--to', 'filesystem', '--remove')).toMatchObject({ status: 0 });
  expect(await filesIn(server.bucketFolder)).toBe(0);
  await running('filesystem', async (admin) => expect(await contentOf(admin, id)).toBe(CONTENT));
  // Nothing is left in the bucket, so the documents' files would be missing there.
  expect(moveFiles('s3', '--to', 'filesystem', '--remove')).toMatchObject({ status: 0 });
  await rm(join(folder, 'data', 'files'), { recursive: true });
  expect(moveFiles('filesystem', '--to', 's3')).toMatchObject({
    status: 1,
    said: expect.stringContaining('1 files are not in s3 as documents name them; nothing was removed.'),
  });
});
