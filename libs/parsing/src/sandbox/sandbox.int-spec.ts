import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitedCommand } from '../pool/child-command.js';
import { DEFAULT_POOL_OPTIONS } from '../pool/pool-options.js';
import { makePdf } from '../testing/make-pdf.js';
import { withDirectory } from '../testing/parse-bytes.js';
import { Exchange } from './exchange.js';
import { Sandbox, type Isolation } from './sandbox.js';

const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));
const SECRET = 'the words of the signing key';
const READER = pathToFileURL(createRequire(import.meta.url).resolve('@llamaindex/liteparse')).href;

/** What a program in the place of a parser says, errors included, and how it ends. */
async function attempt(isolation: Isolation, folder: string, program: readonly string[]): Promise<string> {
  const exchange = await Exchange.open(folder);
  const { sandbox } = isolation.kind === 'namespaces' ? isolation : { sandbox: undefined };
  await sandbox?.furnish(exchange);
  const containment = sandbox === undefined ? undefined : { sandbox, exchange };
  const { file, args } = limitedCommand(program, DEFAULT_POOL_OPTIONS, containment);
  try {
    return await new Promise((resolve) => {
      execFile(file, args, { env: {}, cwd: '/' }, (error, output, errors) =>
        resolve(`${output}${errors}status ${error?.code ?? 0}`),
      );
    });
  } finally {
    await exchange.remove();
  }
}

const script = (code: string): string[] => [process.execPath, '--input-type=module', '-e', code];

/** Whether this machine allows namespaces at all, for a data folder in an ordinary place. */
const allowed = await withDirectory(async (directory) =>
  Sandbox.open({ workFolder: directory, hidden: [], programFolders: [] }),
);

describe.skipIf(allowed.kind === 'limits').each([
  ['in a folder of its own', tmpdir()],
  ['in the project', PROJECT],
  ['in a folder that parsers need', join(PROJECT, 'node_modules')],
])('a parser in its sandbox, with the data %s', (_place, parent) => {
  let data: string;
  let isolation: Isolation;
  let server: Server;
  let connections = 0;

  beforeAll(async () => {
    data = mkdtempSync(join(parent, 'data of a test-'));
    mkdirSync(join(data, 'auth'));
    writeFileSync(join(data, 'auth/jwt-key.pem'), SECRET);
    writeFileSync(join(data, 'other.pdf'), makePdf([{ lines: [SECRET] }]));
    isolation = await Sandbox.open({ workFolder: join(data, 'work'), hidden: [data], programFolders: [] });
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    process.env['SECRET_OF_THE_TEST'] = SECRET;
  });

  afterAll(async () => {
    delete process.env['SECRET_OF_THE_TEST'];
    await new Promise((resolve) => server.close(resolve));
    rmSync(data, { recursive: true, force: true });
  });

  const say = (program: readonly string[]): Promise<string> => attempt(isolation, join(data, 'work'), program);

  it('has no signing key and nothing else of the data', async () => {
    expect(isolation.kind).toBe('namespaces');
    expect(await say(['/bin/cat', join(data, 'auth/jwt-key.pem')])).toContain('No such file');
    expect(await say(['/bin/ls', '/exchange/in', '/exchange/out'])).toBe('/exchange/in:\n\n/exchange/out:\nstatus 0');
  });

  it('has no other process, whose environment it could read', async () => {
    expect(await say(['/bin/cat', `/proc/${process.pid}/environ`])).toContain('No such file');
    expect(await say(['/bin/cat', '/proc/1/environ'])).not.toContain(SECRET);
    expect(await say(['/bin/sh', '-c', `kill -0 ${process.pid}`])).toContain('No such process');
  });

  it('has no environment', async () => {
    const names = (await say(['/usr/bin/env'])).split('\n').map((line) => line.split('=')[0]!);
    expect(names.filter((name) => !['_', 'PWD', 'SHLVL', 'status 0'].includes(name))).toEqual([]);
  });

  it('reaches no network by code that nothing of ours binds', async () => {
    const { port } = server.address() as AddressInfo;
    const code = `import net from 'node:net'; net.connect(${port}, '127.0.0.1').on('error', (e) => console.log(e.code)).on('connect', () => console.log('connected'))`;
    expect(await say(script(code))).toMatch(/^(ENETUNREACH|ECONNREFUSED)/);
    expect(connections).toBe(0);
  });

  it('reads no other file by the native reader of PDF files', async () => {
    const code =
      `const { LiteParse } = (await import(${JSON.stringify(READER)}));` +
      `const parser = new LiteParse({ ocrEnabled: false, quiet: true });` +
      `console.log((await parser.parse(${JSON.stringify(join(data, 'other.pdf'))})).text);`;
    const said = await say(script(code));
    expect(said).not.toContain(SECRET);
    expect(said).toMatch(/no such file|not found/i);
  });

  it('changes nothing but its output, and has no right to mount anything', async () => {
    const tries = [
      'echo x > /exchange/in/x',
      `echo x > ${join(PROJECT, 'node_modules/x')}`,
      'echo x > /etc/x',
      'echo x > /proc/sys/kernel/core_pattern',
      'mount -o remount,rw /',
      'umount /exchange/tmp',
    ];
    for (const line of tries)
      expect(await say(['/bin/sh', '-c', line])).toMatch(/Read-only|not permitted|superuser|denied/);
    expect(await say(['/bin/sh', '-c', 'echo x > /exchange/out/x && echo x > /exchange/tmp/x'])).toBe('status 0');
  });

  it('may write a bounded amount of temporary files', async () => {
    expect(await say(['/bin/dd', 'if=/dev/zero', 'of=/exchange/tmp/x', 'bs=1M', 'count=300'])).toContain(
      'No space left',
    );
  });

  it('leaves nothing behind', () => {
    expect(readdirSync(join(data, 'work'))).toEqual([]);
    expect(existsSync(join(PROJECT, 'node_modules/x'))).toBe(false);
    expect(readFileSync(join(data, 'auth/jwt-key.pem'), 'utf8')).toBe(SECRET);
  });
});
