/**
 * `npm run test:clients`: OpenAI's client for Python and LangChain against the built service, unchanged.
 *
 * Needs python3 with venv and a package index. The packages are kept in the user's cache folder, or in ENGINES_CACHE.
 * Exit code 2 says that this machine cannot carry it, and why.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`This needs Node 24, which "npm ci" brings along; this is ${process.version}.\n`);
  process.exit(1);
}
const { ApiClient } = await import('./lib/api-client.ts');
const { ServiceProcess } = await import('./lib/service-process.ts');
const { cacheFolder } = await import('./lib/engines/machine.ts');

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = ['openai==3.*', 'langchain-openai==1.*'];

async function preparePython() {
  const folder = join(await cacheFolder(), 'python-clients');
  const python = join(folder, 'bin', 'python');
  try {
    if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES], {
      stdio: 'inherit',
    });
  } catch (error) {
    console.error(`The clients cannot be installed: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
  return python;
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

process.exitCode = await main();
