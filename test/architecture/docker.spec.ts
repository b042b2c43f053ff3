import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isLetIn, NPM_IN_REPLAY, parseDockerfile, readText, replay, runCommand } from '../support/dockerfile.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCKER = join(ROOT, 'docker');
/** Commands of package.json that operators use; each has its place in docs/operations/. */
const COMMANDS = ['admin:reset-password', 'backup', 'migrate', 'reconcile', 'reembed', 'reindex', 'restore'];

interface Service {
  readonly image?: string;
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
}

async function composeFiles(): Promise<readonly { name: string; text: string; services: Record<string, Service> }[]> {
  const names = (await readdir(DOCKER)).filter((name) => /^compose.*\.yml$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      const text = await readText(join(DOCKER, name));
      return { name, text, services: (parse(text) as { services: Record<string, Service> }).services };
    }),
  );
}

describe('the ignore file of docker/Dockerfile', () => {
  it.each([
    ['src/main.ts', true],
    ['scripts/build-once.mjs', true],
    ['scripts/demo.mjs', false],
    ['src/app.spec.ts', false],
    ['docker/.env', false],
    ['node_modules/pg/package.json', false],
  ])('lets %s in: %s', async (path, expected) => {
    expect(isLetIn(await readText(join(DOCKER, 'Dockerfile.dockerignore')), path)).toBe(expected);
  });
});

it('the image stops with a delay in which a balancer takes it out, and compose gives it the time of delay and drain', async () => {
  const settings = /^ENV ((?:.*\\\n)*.*)$/gm;
  const set = [...(await readText(join(DOCKER, 'Dockerfile'))).matchAll(settings)].map(([, names]) => names).join(' ');
  expect(set).toMatch(/\bSHUTDOWN_DELAY_SECONDS=5\b/);
  for (const { name, services } of await composeFiles()) {
    const { stop_grace_period: grace } = (services['service'] ?? {}) as { stop_grace_period?: string };
    if (grace !== undefined) expect(Number.parseInt(grace, 10), name).toBeGreaterThan(5 + 20);
  }
});

describe('the health check of the image', () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/api/v1/health' ? 200 : 404).end();
  });
  let port: string;

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    port = String((server.address() as AddressInfo).port);
  });

  afterAll(() => server.close());

  /** The exit code of the check in a container with these settings. */
  async function check(settings: Readonly<Record<string, string>>): Promise<number | null> {
    const instructions = parseDockerfile(await readText(join(DOCKER, 'Dockerfile'))).at(-1)!.instructions;
    const { rest } = instructions.find(({ name }) => name === 'HEALTHCHECK')!;
    const [, ...given] = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
    const child = spawn(process.execPath, given, { env: { PORT: '1', ...settings }, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  }

  it('asks the API where it listens', async () => {
    expect(await check({ PORT: port })).toBe(0);
    expect(await check({ ROLE: 'api', PORT: '1', METRICS_PORT: port })).toBe(1);
  });

  it('asks a worker, which opens no port of the API, where its metrics are, if they are anywhere', async () => {
    expect(await check({ ROLE: 'worker', METRICS_PORT: port })).toBe(0);
    expect(await check({ ROLE: 'worker', METRICS_PORT: '1' })).toBe(1);
    expect(await check({ ROLE: 'worker' })).toBe(0);
    expect(await check({ ROLE: 'worker', METRICS_PORT: '0' })).toBe(0);
  });
});

describe('docker/Dockerfile, played in an empty folder', () => {
  let folder: string;
  let app: string;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'kb-docker-')));
    const tools = join(folder, 'tools');
    await mkdir(tools);
    await writeFile(join(tools, 'npm'), NPM_IN_REPLAY);
    await chmod(join(tools, 'npm'), 0o755);
    const path = process.env['PATH'] ?? '';
    const env = { ...process.env, PATH: `${tools}:${path}`, REPLAY_PATH: path, REPLAY_CONTEXT: ROOT };
    const image = await replay(parseDockerfile(await readText(join(DOCKER, 'Dockerfile'))), {
      context: ROOT,
      ignoreFile: await readText(join(DOCKER, 'Dockerfile.dockerignore')),
      folder,
      run: async (command, cwd) => {
        const { code, output } = await runCommand(['sh', '-c', command], { cwd, env });
        if (code !== 0) throw new Error(`RUN ${command} ended with ${code}: ${output}`);
      },
    });
    app = join(image, 'app');
  }, 600_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('makes the service', async () => {
    expect((await stat(join(app, 'dist/src/main.js'))).isFile()).toBe(true);
    expect(await readdir(app)).toEqual(['dist', 'node_modules', 'package.json', 'scripts']);
  });

  it('brings every command of operators, which runs without the sources', async () => {
    const { scripts } = JSON.parse(await readText(join(app, 'package.json'))) as { scripts: Record<string, string> };
    for (const command of COMMANDS) {
      const entry = /node (dist\/src\/cli\/[\w-]+\.js)/.exec(scripts[command] ?? '')?.[1];
      expect((await stat(join(app, entry ?? `no script ${command}`))).isFile(), command).toBe(true);
    }
    const { code, output } = await runCommand(['npm', 'run', '--silent', 'reindex', '--', '--nonsense'], { cwd: app });
    expect(output).toContain('Say what to do');
    expect(code).toBe(2);
  });
});

describe('the bases of containers', () => {
  it('are named by their exact version or digest', async () => {
    const dockerfile = await readText(join(DOCKER, 'Dockerfile'));
    const images = (await composeFiles()).flatMap(({ services }) => Object.values(services).map(({ image }) => image));
    const bases = [/^ARG BASE=(\S+)$/m.exec(dockerfile)?.[1], ...images].filter((image) => image !== 'knowledge-base');
    for (const base of bases) expect(base).toMatch(/:\d+\.\d+(\.\d+)?(-[\w-]+)?$|@sha256:[0-9a-f]{64}$/);
    expect(parseDockerfile(dockerfile).map(({ base }) => base)).toEqual(['${BASE}', '${BASE}']);
  });
});

describe('docker/compose.yml', () => {
  it('hands every setting on, and decides only what its ports and volumes hang on', async () => {
    const settings = [...(await readText(join(ROOT, '.env.example'))).matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)];
    const names = settings.map(([, name]) => name!);
    const { services } = (await composeFiles()).find(({ name }) => name === 'compose.yml')!;
    expect(services['service']).toMatchObject({ env_file: 'service.env', read_only: true });
    const decided = Object.keys(services['service']!.environment ?? {}).toSorted();
    expect(decided).toEqual(['DATABASE_URL', 'DATA_DIR', 'HOST', 'PORT']);
    expect(names).toEqual(expect.arrayContaining(decided));
  });

  it('needs exactly the variables that docker/env.example shows, none of which is a setting of the service', async () => {
    const needed = (await composeFiles()).flatMap(({ text }) => [...text.matchAll(/\$\{([A-Z0-9_]+)/g)]);
    const shown = [...(await readText(join(DOCKER, 'env.example'))).matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)];
    expect([...new Set(shown.map(([, name]) => name!))].toSorted()).toEqual(
      [...new Set(needed.map(([, name]) => name!))].toSorted(),
    );
  });
});
