/**
 * `npm run test:clients`: OpenAI's client for Python and LangChain against the built service, unchanged. `node scripts/python-clients.mjs
 * --check` only sees to it that both are there.
 *
 * Needs python3 with venv and a package index. The packages are kept in the user's cache folder, or in ENGINES_CACHE.
 * Exit code 2 says that this machine cannot carry it, and why.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`This needs Node 24, which "npm ci" brings along; this is ${process.version}.\n`);
  process.exit(1);
}
const { ApiClient } = await import('./lib/api-client.ts');
const { ServiceProcess } = await import('./lib/service-process.ts');
const { preparePython: pythonWith, PythonUnavailable } = await import('./lib/python-environment.mjs');

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Exit code of a machine that cannot carry it. */
const CANNOT = 2;
const PACKAGES = ['openai==3.*', 'langchain-openai==1.*'];

/** A Python with both clients. */
async function preparePython() {
  try {
    return await pythonWith('python-clients', PACKAGES);
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    process.stderr.write(`The clients for Python cannot be tried: ${error.message}.\n`);
    process.exit(CANNOT);
  }
}

async function main() {
  const python = await preparePython();
  const service = await ServiceProcess.start();
  try {
    const admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    const dataset = await admin.createDataset('Handbook');
    const content = await readFile(join(ROOT, 'test/fixtures/documents/handbook.md'));
    const { id } = await admin.upload(dataset, { name: 'handbook.md', content });
    const { status } = await admin.pollUntilTerminal(id);
    if (status !== 'completed') throw new Error(`The document is ${status}.`);
    const scopes = ['datasets:read', 'retrieval:search', 'chat:complete'];
    const { secret } = await admin.post('/auth/api-keys', { name: 'Python', scopes });
    const env = { PATH: process.env['PATH'] ?? '', BASE: service.url, KEY: secret, DATASET: dataset };
    return spawnSync(python, [join(ROOT, 'test/clients/clients.py')], { stdio: 'inherit', env }).status ?? 1;
  } finally {
    await service.dispose();
  }
}

if (process.argv.includes('--check')) await preparePython();
else process.exitCode = await main();
