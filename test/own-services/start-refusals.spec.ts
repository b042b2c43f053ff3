import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/own-port.js';
import { ServiceProcess } from '../support/service-process.js';

const BUILT = new URL('../../dist/src/', import.meta.url);
const ENTRY = fileURLToPath(new URL('main.js', BUILT));
const EXTERNAL = { AUTH_JWT_KEY: 'a key for tests that no other service has' };

interface RefusedStart {
  readonly code: number | null;
  readonly output: string;
  readonly error: string;
}

describe('a start that cannot succeed', () => {
  let folder: string;
  let busy: Server;
  let port: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-start-'));
    busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    port = String((busy.address() as AddressInfo).port);
  });

  afterAll(async () => {
    busy.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(settings: Readonly<Record<string, string>>, command = [ENTRY]): Promise<RefusedStart> {
    const child = spawn(process.execPath, command, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data'), PORT: '0', ...settings },
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const [output, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, output, error };
  }

  it.each<readonly [string, () => Record<string, string>, RegExp]>([
    ['a busy port', () => ({ PORT: port }), /^Port \d+ of 127\.0\.0\.1 is in use .* set PORT to another port\.\n$/],
    ['a busy port of metrics', () => ({ METRICS_PORT: port }), /^Port \d+ .* set METRICS_PORT to another port\.\n$/],
    [
      'one port for both',
      () => ({ PORT: '18999', METRICS_PORT: '18999' }),
      /^PORT and METRICS_PORT are both 18999\. .*\n$/,
    ],
    [
      'an address of another machine',
      () => ({ HOST: '192.0.2.1', PORT: '18999' }),
      /^HOST "192\.0\.2\.1" cannot .*\n$/,
    ],
  ])('says %s in one line and makes nothing', async (_what, settings, line) => {
    expect(await start(settings())).toEqual({ code: 1, output: '', error: expect.stringMatching(line) });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each<readonly [string, (file: string, nobody: number) => Record<string, string>, RegExp]>([
    ['a data folder that is a file', (file) => ({ DATA_DIR: file }), /^DATA_DIR \S+ cannot be used \(EEXIST.*\n$/],
    [
      'a data folder below a file',
      (file) => ({ DATA_DIR: join(file, 'data') }),
      /^DATA_DIR \S+ cannot be used \(ENOTDIR.*\n$/,
    ],
    ...(existsSync('/proc/self')
      ? ['/proc/nowhere/x', '/proc'].map(
          (place) =>
            [
              `a data folder where nobody can make one: ${place}`,
              () => ({ DATA_DIR: place }),
              /^DATA_DIR \S+ cannot be used \((ENOENT|EACCES).*\n$/,
            ] as const,
        )
      : []),
    [
      'a database that nobody serves',
      (_file, nobody) => ({ ...EXTERNAL, DATABASE_URL: `postgres://kb:secret@127.0.0.1:${nobody}/kb` }),
      /^The database at 127\.0\.0\.1:\d+ \(DATABASE_URL\) cannot be used: .*\(ECONNREFUSED\)\.\n$/,
    ],
    [
      'a database at a host that is not there',
      () => ({ ...EXTERNAL, DATABASE_URL: 'postgres://kb:secret@no-such-host.invalid/kb' }),
      /^The database at no-such-host\.invalid \(DATABASE_URL\) cannot be used: .*\n$/,
    ],
  ])('says %s in one line', async (_what, settings, line) => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    const refused = await start(settings(file, await freePort()));
    expect(refused).toEqual({ code: 1, output: '', error: expect.stringMatching(line) });
    expect(refused.error).not.toContain('secret');
  });

  it.each([
    ['audit-verify'],
    ['events', 'list'],
    ['maintenance', 'reindex'],
    ['migrate'],
    ['reset-password'],
    ['secrets-reseal'],
  ])('says that of the command %s too', async (name, ...more) => {
    const settings = { ...EXTERNAL, DATABASE_URL: `postgres://kb:secret@127.0.0.1:${await freePort()}/kb` };
    const refused = await start(settings, [fileURLToPath(new URL(`cli/${name}.js`, BUILT)), ...more]);
    expect(refused).toEqual({
      code: 1,
      output: '',
      error: expect.stringMatching(/^[A-Z]\w+( \w+)? failed: The database at .*\(ECONNREFUSED\)\.\n$/),
    });
  });

  it('says in one line that another process has the data folder', async () => {
    const service = await ServiceProcess.start();
    try {
      const inUse = await start({ DATA_DIR: join(service.folder, 'data') });
      expect(inUse.code).toBe(1);
      expect(inUse.error).toMatch(/^The data folder \S+ is in use by .*\n$/);
      expect(inUse.output + inUse.error).not.toMatch(/\n\s+at /);
    } finally {
      await service.dispose();
    }
  });

  it('shows a generated password once: not again at the next start', async () => {
    const service = await ServiceProcess.start({ settings: { BOOTSTRAP_ADMIN_PASSWORD: '' } });
    try {
      const shown = service.log.filter((line) => line.startsWith('Password (shown once):'));
      expect(shown).toHaveLength(1);
      await service.restart();
      expect(service.log.filter((line) => line.startsWith('Password (shown once):'))).toEqual(shown);
    } finally {
      await service.dispose();
    }
  });
});
