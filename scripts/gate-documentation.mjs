/**
 * `npm run gate:docs`: whether ranking and answers over this project's own documentation are as good as they have to be. Starts the built
 * service in a temporary folder, uploads README.md, docs/*.md and docs/operations/*.md, and hands test/gate/documentation.json to `npm run evaluate -- --gate`.
 * Exit code as that command's: 1 when a gate fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiClient } from './lib/api-client.ts';
import { ServiceProcess } from './lib/service-process.ts';
import { print } from './lib/terminal.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const JOB = join(root, 'test/gate/documentation.json');
const SCOPES = ['datasets:read', 'documents:read', 'retrieval:search', 'chat:complete', 'evaluations:run'];

const folder = await mkdtemp(join(tmpdir(), 'kb-gate-'));
const service = await ServiceProcess.start();
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const dataset = await client.createDataset('Documentation');
  for await (const file of glob(['README.md', 'docs/*.md', 'docs/operations/*.md'], { cwd: root })) {
    const { id } = await client.upload(dataset, {
      name: file.replaceAll('/', '-'),
      content: await readFile(join(root, file)),
    });
    const { status, error_message: message } = await client.pollUntilTerminal(id);
    if (status !== 'completed') throw new Error(`${file} is ${status}: ${message}`);
  }
  const { secret } = await client.post('/auth/api-keys', { name: 'gate', role: 'editor', scopes: SCOPES });
  const job = join(folder, 'job.json');
  await writeFile(job, JSON.stringify({ ...JSON.parse(await readFile(JOB, 'utf8')), dataset_ids: [dataset] }));
  const command = [join(root, 'scripts/evaluate.mjs'), '--job', job, '--gate', '--url', service.url];
  const evaluation = spawn(process.execPath, command, {
    stdio: 'inherit',
    env: { ...process.env, KB_API_KEY: secret },
  });
  const [code] = await once(evaluation, 'exit');
  process.exitCode = code ?? 2;
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
} finally {
  await service.dispose();
  await rm(folder, { recursive: true, force: true });
}
