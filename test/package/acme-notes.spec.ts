import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { makeCallers } from '../matrix/callers.js';
import { describeRoutes } from '../matrix/describe-routes.js';
import { operationsOf, readDescription } from '../matrix/operations.js';
import type { Recipes } from '../matrix/request-recipe.js';
import { makeWorld, WORLD_SETTINGS, type World } from '../matrix/world.js';
import { ServiceProcess } from '../support/service-process.js';
import { describePluginData } from './describe-plugin-data.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const started = promisify(execFile);
/** What the command said. Where it fails, the error holds all that it said: compilers speak on the standard output. */
const run = (command: string, args: readonly string[], cwd: string): Promise<string> =>
  started(command, args, { cwd, maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout,
    (error: unknown) =>
      Promise.reject(new Error(`${String(error)}\n${(error as { stdout?: string }).stdout ?? ''}`, { cause: error })),
  );

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Titles are unique in a tenant. */
const newNote = (world: World): object => ({ title: world.unique('Heron'), body: 'Grey and patient.' });

/** How to ask its routes. */
const RECIPES: Recipes = {
  'GET /notes': { subject: 'list' },
  'POST /notes': { subject: 'create', parts: (_target, world) => ({ body: newNote(world) }) },
  'POST /notes/recount': { subject: 'create', parts: () => ({ body: {} }) },
  'GET /notes/recounts/{id}': {
    subject: 'tenant',
    ownParameter: 'id',
    fresh: async ({ owner }) => ({ own: (await owner.client.post<{ id: string }>('/notes/recount', {})).id }),
  },
  'GET /notes/counts': { subject: 'list' },
  'GET /notes/todos/{document_id}': { subject: 'list' },
  'GET /notes/{id}': {
    subject: 'tenant',
    ownParameter: 'id',
    fresh: async (world) => ({ own: (await world.owner.client.post<{ id: string }>('/notes', newNote(world))).id }),
  },
};

// Tests are made of the description of the running service, so it starts before them.
const folder = await mkdtemp(join(tmpdir(), 'kb-package-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
await layOut(folder);
await inPackage('node_modules/typescript/bin/tsc', '-p', 'acme-notes');
const installed = join(folder, 'installed');
await mkdir(installed);
for (const part of ['dist', 'package.json']) {
  await cp(join(folder, 'acme-notes', part), join(installed, part), { recursive: true });
}
const service = await ServiceProcess.start({
  settings: { ...WORLD_SETTINGS, PLUGINS: 'acme-notes', CHAT_PROVIDER: 'acme', VECTOR_STORE: 'acme' },
  packages: { 'acme-notes': installed },
});
afterAll(() => service.dispose());
const admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
const operations = operationsOf(await readDescription(admin)).filter(({ path }) => path.startsWith('/notes'));
const world = await makeWorld(service);
const callers = await makeCallers(world);

/**
 * `test/extension` is a package as another team has it: made from the packed service and docs/extending.md alone. Here it is built
 * against the packed service, proves its adapters by the suites, and becomes part of a running service.
 */
describe('a package of another team', () => {
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

  it('does its background work for anyone who asked', async () => {
    await admin.post('/notes', { title: 'Heron', body: 'Grey and patient.' });
    const { id } = await admin.post<{ id: string }>('/notes/recount', {});
    const look = async (): Promise<string> => (await admin.get<{ status: string }>(`/notes/recounts/${id}`)).status;
    await expect.poll(look, { timeout: 30_000 }).toBe('completed');
  });

  it('describes its routes', () => {
    expect(operations.map(({ described }) => described.operationId).toSorted()).toEqual([
      'createNote',
      'getNote',
      'getNoteRecount',
      'listDocumentTodos',
      'listNoteCounts',
      'listNotes',
      'recountNotes',
    ]);
    expect(operations.map(({ name }) => name).toSorted()).toEqual(Object.keys(RECIPES).toSorted());
  });

  describe('asked by everybody', () => {
    describeRoutes(operations, RECIPES, world, callers);
  });

  describePluginData(service, admin, { 'acme-notes': installed });
});

/** Runs a script of Node's, as the package's own commands do. */
function inPackage(script: string, ...more: readonly string[]): Promise<string> {
  return run(process.execPath, [join(folder, script), ...more], folder);
}

/** A folder with the packed service, every library beside it, and the package of the other team. */
async function layOut(place: string): Promise<void> {
  const modules = join(place, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.')) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  }
  await run('npm', ['pack', '--loglevel=error', '--pack-destination', place], ROOT);
  const [archive] = (await readdir(place)).filter((name) => name.endsWith('.tgz'));
  const packed = join(modules, 'knowledge-base-service');
  await mkdir(packed);
  await run('tar', ['xzf', join(place, archive!), '-C', packed, '--strip-components=1'], place);
  await cp(join(ROOT, 'test/extension'), join(place, 'acme-notes'), { recursive: true });
}
