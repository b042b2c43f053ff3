import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { ServiceProcess } from '../support/service-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
/** A tenant that nobody belongs to. */
const NOWHERE = '018f0000-0000-7000-8000-000000000000';

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/**
 * `test/extension` is a package as another team has it: made from the packed service and docs/extending.md alone. Here it is built
 * against the packed service, proves its adapters by the suites, and becomes part of a running service.
 */
describe('a package of another team', () => {
  let folder: string;
  let service: ServiceProcess;
  let admin: ApiClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-package-'));
    await layOut(folder);
    await inPackage('node_modules/typescript/bin/tsc', '-p', 'acme-notes');
    const installed = join(folder, 'installed');
    await mkdir(installed);
    for (const part of ['dist', 'package.json']) {
      await cp(join(folder, 'acme-notes', part), join(installed, part), { recursive: true });
    }
    service = await ServiceProcess.start({
      settings: { PLUGINS: 'acme-notes', CHAT_PROVIDER: 'acme', VECTOR_STORE: 'acme' },
      packages: { 'acme-notes': installed },
    });
    admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  });
  afterAll(async () => {
    await service?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a script of Node's, as the package's own commands do. */
  async function inPackage(script: string, ...more: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [join(folder, script), ...more], {
      cwd: folder,
      maxBuffer: 2 ** 26,
    });
    return stdout;
  }

  it('passes the suites of the ports that it fills, and its own tests', async () => {
    const said = await inPackage('node_modules/vitest/vitest.mjs', 'run', '--root', 'acme-notes', '--reporter=dot');
    expect(stripVTControlCharacters(said)).toMatch(/Tests\s+\d+ passed/);
    expect(said).not.toMatch(/failed/);
  });

  it('reads files of its format, keeps their open points, counts documents and answers', async () => {
    const dataset = await admin.createDataset('notes');
    const content = Buffer.from('NOTE\nHeron\nThe heron stands in the reeds at dawn.\nTODO photograph it\n');
    const { id } = await admin.upload(dataset, { name: 'heron.note', content });
    expect(await admin.pollUntilTerminal(id)).toMatchObject({ status: expect.stringMatching(/^completed/) });
    const todos = await admin.get<Page<{ text: string }>>(`/notes/todos/${id}`);
    expect(JSON.stringify(todos.items)).toContain('photograph it');
    const counts = async (): Promise<Page<unknown>> => admin.get<Page<unknown>>('/notes/counts');
    await until(async () => JSON.stringify(await counts()).includes(dataset), { what: 'the count', withinMs: 30_000 });
    const found = await admin.search('heron reeds', [dataset]);
    expect(found.results[0]?.text).toContain('heron stands');
    const answer = await admin.chat('Where does the heron stand?', [dataset]);
    expect(JSON.stringify(answer)).toContain('reeds');
    await admin.delete(`/documents/${id}`);
    const page = await admin.get<Page<unknown>>(`/notes/todos/${id}`);
    expect(page.items).toEqual([]);
  });

  it('does its background work for whoever asked', async () => {
    await admin.post('/notes', { title: 'Heron', body: 'Grey and patient.' });
    const { id } = await admin.post<{ id: string }>('/notes/recount', {});
    const look = async (): Promise<string> => (await admin.get<{ status: string }>(`/notes/recounts/${id}`)).status;
    await expect.poll(look, { timeout: 30_000 }).toBe('completed');
  });

  it('describes its routes, which ask for credential, permission and tenant like all others', async () => {
    const description = await admin.get<{ paths: Record<string, Record<string, { operationId: string }>> }>(
      '/openapi.json',
    );
    const own = Object.entries(description.paths).filter(([path]) => path.startsWith('/api/v1/notes'));
    expect(own.flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId)).sort()).toEqual([
      'createNote',
      'getNote',
      'getNoteRecount',
      'listDocumentTodos',
      'listNoteCounts',
      'listNotes',
      'recountNotes',
    ]);
    const stranger = new ApiClient(service.url);
    const { items } = await admin.get<Page<{ id: string }>>('/notes');
    const { secret } = await admin.post<{ secret: string }>('/auth/api-keys', {
      name: 'Narrow',
      scopes: ['retrieval:search'],
    });
    const narrow = new ApiClient(service.url, { authorization: `Bearer ${secret}` });
    for (const [path, methods] of own) {
      for (const method of Object.keys(methods)) {
        const url = path.replace('/api/v1', '').replace(/\{[^}]*\}/, items[0]!.id);
        const body = method === 'post' ? { title: 'x', body: 'x' } : undefined;
        expect((await stranger.send(method.toUpperCase(), url, body)).status, `${method} ${url}`).toBe(401);
        const refused = await narrow.send(method.toUpperCase(), url, body);
        expect([403, 404], `${method} ${url}: ${refused.status}`).toContain(refused.status);
        const elsewhere = await admin
          .with({ 'x-tenant-id': NOWHERE })
          .send<Page<unknown>>(method.toUpperCase(), url, body);
        const isEmptyPage = elsewhere.status === 200 && elsewhere.body.items.length === 0;
        expect(isEmptyPage || [403, 404].includes(elsewhere.status), `${method} ${url}: ${elsewhere.status}`).toBe(
          true,
        );
      }
    }
  });
});

/** A folder with the packed service, every library beside it, and the package of the other team. */
async function layOut(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.')) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  }
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT, maxBuffer: 2 ** 26 });
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const service = join(modules, 'knowledge-base-service');
  await mkdir(service);
  await run('tar', ['xzf', join(folder, archive!), '-C', service, '--strip-components=1']);
  await cp(join(ROOT, 'test/extension'), join(folder, 'acme-notes'), { recursive: true });
}
