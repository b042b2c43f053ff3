import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { ServiceProcess } from '../support/service-process.js';

const LICENCES = fileURLToPath(new URL('../../dist/service/LICENSES.txt', import.meta.url));
/** The folder of the last package of an address. */
const FOLDER = /^file:.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//;

/** Their copies share nothing: functions that keep no state. Packages outside have copies of their own. */
const OF_FUNCTIONS = ['debug', 'has-flag', 'ms', 'pino-std-serializers', 'semver', 'supports-color', 'tslib'];

const folder = await mkdtemp(join(tmpdir(), 'kb-packages-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes the address of every module that the main thread loads into a file. */
async function makeRecorder(file: string): Promise<string> {
  const recorder = join(folder, 'recorder.mjs');
  await writeFile(
    recorder,
    `import { appendFileSync } from 'node:fs';
     import { registerHooks } from 'node:module';
     import { isMainThread } from 'node:worker_threads';
     if (isMainThread && process.argv[1]?.endsWith('/dist/src/main.js')) {
       registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(file)}, url + '\\n'); return next(url, context); } });
     }`,
  );
  return pathToFileURL(recorder).href;
}

it('loads no package from its own files that is joined into those of the service', async () => {
  const file = join(folder, 'loaded');
  const service = await ServiceProcess.start({ settings: { NODE_OPTIONS: `--import=${await makeRecorder(file)}` } });
  try {
    const admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    const dataset = await admin.createDataset('herons');
    const { id } = await admin.upload(
      dataset,
      { name: 'a.md', content: Buffer.from('# Herons\n\nGrey and patient.') },
      {},
    );
    await admin.pollUntilTerminal(id);
    await admin.post('/retrieval/search', { dataset_ids: [dataset], query: 'heron' });
  } finally {
    await service.dispose();
  }
  const licences = await readFile(LICENCES, 'utf8');
  const joined = new Set([...licences.matchAll(/^(\S+) \d\S*: /gm)].map(([, name]) => name!));
  const loaded = await packagesOf((await readFile(file, 'utf8')).split('\n'));
  expect(loaded).toContain('pg');
  expect(joined).toContain('@nestjs/core');
  expect(loaded.filter((name) => joined.has(name) && !OF_FUNCTIONS.includes(name))).toEqual([]);
});

/** Names of the packages of which a module was loaded. */
async function packagesOf(addresses: readonly string[]): Promise<readonly string[]> {
  const folders = new Set(addresses.flatMap((address) => FOLDER.exec(address)?.[0] ?? []));
  const names = [...folders].map(async (address) => {
    const { name } = JSON.parse(await readFile(new URL('package.json', address), 'utf8')) as { readonly name: string };
    return name;
  });
  return Promise.all(names);
}
