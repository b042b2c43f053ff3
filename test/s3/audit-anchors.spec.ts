import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import { S3Server } from '../../scripts/lib/engines/s3-server.js';
import { ApiClient } from '../support/api-client.js';
import { filesBelow } from '../support/files-below.js';
import { ServiceProcess } from '../support/service-process.js';

const COMMAND = fileURLToPath(new URL('../../dist/src/cli/audit-verify.js', import.meta.url));
let server: S3Server;
let service: ServiceProcess;

interface Verified {
  readonly valid: boolean;
  readonly entries: number;
  readonly anchors: number | null;
  readonly first_broken: { readonly id: number; readonly reason: string } | null;
}

beforeAll(async () => {
  server = await S3Server.start();
  service = await ServiceProcess.start({ settings: { ...server.settings, AUDIT_ANCHORS: 'on' } });
});
afterAll(async () => {
  await service?.dispose();
  await server?.dispose();
});

/** Anchors in the bucket with their bytes, by the number of the entry. */
async function anchors(): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const path of await filesBelow(server.bucketFolder)) {
    if (basename(path).startsWith('.') || !dirname(path).endsWith('/audit-anchors')) continue;
    found.set(Number(basename(path)), await readFile(join(server.bucketFolder, path), 'utf8'));
  }
  return found;
}

function verify(...args: string[]): { readonly status: number | null; readonly verified: Verified } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: service.folder,
    env: { PATH: process.env['PATH'], DATA_DIR: join(service.folder, 'data'), ...server.settings },
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(stdout, stderr).toMatch(/^\{.*\}\n$/);
  return { status, verified: JSON.parse(stdout) as Verified };
}

async function removeEntriesFrom(first: number): Promise<void> {
  const urls = await connectToRunningEmbeddedPostgres(join(service.folder, 'data', 'postgres'));
  const client = new Client({ connectionString: Object.assign(new URL(urls!.superuserUrl), { pathname: '/kb' }).href });
  await client.connect();
  try {
    await client.query('DELETE FROM audit_log WHERE seq >= $1', [first]);
  } finally {
    await client.end();
  }
}

const login = () => new ApiClient(service.url).login(service.admin.email, service.admin.password);
const restart = async (): Promise<void> => {
  await service.stop();
  await service.start();
};

describe('anchors of the audit log in a bucket', () => {
  it('are objects that are created once', async () => {
    const admin = await login();
    await admin.createDataset('anchored');
    await restart();
    const before = await anchors();
    expect(before.size).toBeGreaterThan(0);
    await restart();
    expect(await anchors()).toEqual(before);
    expect(verify('--anchors')).toMatchObject({ status: 0, verified: { valid: true, anchors: before.size } });
  });

  it('show that entries were removed at the end, which the chain alone does not', async () => {
    const last = Math.max(...(await anchors()).keys());
    await removeEntriesFrom(last);
    expect(verify()).toMatchObject({ status: 0, verified: { valid: true, entries: last - 1 } });
    expect(verify('--anchors')).toMatchObject({
      status: 1,
      verified: { valid: false, first_broken: { id: last, reason: 'missing' } },
    });
  });

  it('stay as they are when other entries take the place of removed ones', async () => {
    const before = await anchors();
    const last = Math.max(...before.keys());
    await login();
    await restart();
    const after = await anchors();
    expect(after.get(last)).toBe(before.get(last));
    expect(verify('--anchors')).toMatchObject({
      status: 1,
      verified: { first_broken: { id: last, reason: 'not_as_anchored' } },
    });
    expect(service.log.join('\n')).toContain('audit.anchor_conflict');
  });
});
