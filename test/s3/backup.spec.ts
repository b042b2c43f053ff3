import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { S3Server } from '../../scripts/lib/engines/s3-server.js';
import { ApiClient } from '../support/api-client.js';
import { ServiceProcess } from '../support/service-process.js';

const ADMIN = { BOOTSTRAP_ADMIN_EMAIL: 'keeper@example.com', BOOTSTRAP_ADMIN_PASSWORD: 'a long word of the keeper 17' };
const NOTE = Buffer.from('The valve opens at four bar.');
/** Larger than one request: it is put in parts. */
const LARGE = Buffer.concat([Buffer.from('A long log.\n'), Buffer.alloc(9 * 1024 * 1024, 'The pump runs.\n')]);
let root: string;
/** Where the backup comes from, and where it is restored to. */
let source: S3Server;
let target: S3Server;

beforeAll(async () => {
  source = await S3Server.start();
  target = await S3Server.start();
  root = await realpath(await mkdtemp(join(tmpdir(), 'kb-s3-backup-')));
  await chmod(root, 0o711);
});
afterAll(async () => {
  await source?.dispose();
  await target?.dispose();
  await rm(root, { recursive: true, force: true });
});

const settingsOf = (server: S3Server, dataDir: string): Record<string, string> => ({
  ...server.settings,
  ...ADMIN,
  DATA_DIR: join(root, dataDir),
});

/** A service on a data folder that stays when it has ended. */
async function running<T>(settings: Record<string, string>, work: (admin: ApiClient) => Promise<T>): Promise<T> {
  await mkdir(settings['DATA_DIR']!, { mode: 0o711, recursive: true });
  const service = await ServiceProcess.start({ settings });
  try {
    const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = ADMIN;
    return await work(await new ApiClient(service.url).login(email, password));
  } finally {
    await service.stop();
    await service.dispose();
  }
}

function command(
  name: 'backup' | 'restore',
  settings: Record<string, string>,
): { readonly status: number | null; readonly said: string } {
  const file = fileURLToPath(new URL(`../../dist/src/cli/${name}.js`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, join(root, 'backup')], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...settings },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, said: stdout + stderr };
}

async function contentOf(admin: ApiClient, id: string): Promise<Buffer> {
  const answer = await fetch(`${admin.url}/documents/${id}/content`, { headers: admin.headers });
  return Buffer.from(await answer.arrayBuffer());
}

describe('a backup of an installation whose files are in a bucket', () => {
  let ids: readonly string[];
  let backupId: string;

  it('is made while the service runs', async () => {
    await running(settingsOf(source, 'source'), async (admin) => {
      const dataset = await admin.createDataset('Kept');
      const uploads = [];
      for (const [name, content] of Object.entries({ 'valve.txt': NOTE, 'log.txt': LARGE })) {
        uploads.push(await admin.upload(dataset, { name, content }));
      }
      ids = uploads.map(({ id }) => id);
      await admin.pollUntilTerminal(ids[0]!);
      const { status, said } = command('backup', settingsOf(source, 'source'));
      expect(said).toContain(`2 files, ${NOTE.length + LARGE.length} bytes`);
      expect(status).toBe(0);
      backupId = /([0-9a-f]{64})\s*$/.exec(said)![1]!;
    });
  });

  it('is not restored into a bucket that holds objects, and nothing is left of the try', async () => {
    const refused = command('restore', settingsOf(source, 'restored'));
    expect(refused.said).toMatch(
      /The storage of the original files \(OBJECT_STORAGE=s3\) is not empty: it holds \S+\. Set it to an empty bucket/,
    );
    expect(refused.status).toBe(1);
    expect(await readdir(join(root, 'restored'))).toEqual([]);
  });

  it('is restored into an empty bucket, byte for byte', async () => {
    const restored = command('restore', settingsOf(target, 'restored'));
    expect(restored, restored.said).toMatchObject({ status: 0, said: expect.stringContaining('2 files restored') });
    await source.dispose();
    await running(settingsOf(target, 'restored'), async (admin) => {
      expect((await contentOf(admin, ids[0]!)).equals(NOTE)).toBe(true);
      expect((await contentOf(admin, ids[1]!)).equals(LARGE)).toBe(true);
    });
  });

  it('is restored again into the bucket that a try of it has filled before it was cut off, and no other backup is', async () => {
    const settings = settingsOf(target, 'again');
    const mark = (backup: string): Promise<void> =>
      writeFile(
        join(root, 'again', 'restore-unfinished.json'),
        JSON.stringify({ backup, folder: join(root, 'backup') }),
      );
    await mkdir(join(root, 'again'), { mode: 0o711 });
    await mark('that of another backup');
    expect(command('restore', settings)).toMatchObject({ status: 1, said: expect.stringContaining('is not empty') });
    await mark(backupId);
    expect(command('restore', settings)).toMatchObject({
      status: 0,
      said: expect.stringContaining('2 files restored'),
    });
  });
});
