/**
 * What an authenticated request costs that reads little:
 *
 *   npm run bench:requests -- [--requests 3000] [--rounds 3] [--datasets 20] [--statements] [--max MS,MS] [--json FILE] [--cpu-prof DIR]
 *
 * Starts the built service with this many datasets and, in the same process, a bare Fastify route that does one `SELECT 1`. Sends the
 * requests one after the other over one connection, in rounds that take turns, and prints for each kind the processor time of one
 * request in service and embedded PostgreSQL together (the client is not in it), how many times that of the bare route it is, the time
 * that it takes, and the statements that it sends to the database. With `--statements` their texts too. With `--max` the exit code is 1
 * when `GET /auth/me` or `GET /datasets/` takes more milliseconds of processor.
 */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { startChild } from './lib/commanded-child.mjs';
import { cpuTimeOf } from './lib/cpu-time.mjs';

const SERVER = fileURLToPath(new URL('./lib/requests-server.mjs', import.meta.url));
const ADMIN = { email: 'admin@example.com', password: 'bench-of-requests' };
const COUNTED = 5;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '3' },
    datasets: { type: 'string', default: '20' },
    statements: { type: 'boolean', default: false },
    max: { type: 'string' },
    json: { type: 'string' },
    'cpu-prof': { type: 'string' },
  },
});
const [requests, rounds, datasets] = [values.requests, values.rounds, values.datasets].map(Number);

const folder = await mkdtemp(join(tmpdir(), 'bench-requests-'));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const server = await startServer();
let rows;
try {
  rows = await measureAll();
} finally {
  agent.destroy();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
for (const { name, cpuMs, ratio, ms, statements } of rows)
  console.log(
    `${name.padEnd(28)} ${cpuMs.toFixed(2).padStart(6)} ms of processor (${ratio.toFixed(1)} times bare), ${ms.toFixed(2).padStart(6)} ms, ${statements} statements`,
  );
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
if (values.max !== undefined) checkMost(values.max.split(',').map(Number));

async function startServer() {
  await mkdir(join(folder, 'data'));
  // Under root PostgreSQL runs as another user, which must be able to walk through.
  for (const one of [folder, join(folder, 'data')]) await chmod(one, 0o711);
  const profile = values['cpu-prof'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values['cpu-prof']}`];
  return startChild(SERVER, profile, {
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
  });
}

async function measureAll() {
  const { url, bareUrl } = server.ready;
  const client = await new ApiClient(url).login(ADMIN.email, ADMIN.password);
  for (let n = 0; n < datasets; n += 1) await client.createDataset(`Dataset ${n}`);
  const key = { name: 'bench', scopes: ['datasets:read'] };
  const { body } = await client.send('POST', '/auth/api-keys', key);
  const kinds = [
    { name: 'bare', url: `${bareUrl}/`, headers: {} },
    { name: 'GET /auth/me', url: `${url}/auth/me`, headers: client.headers },
    { name: 'GET /datasets/', url: `${url}/datasets/?limit=${datasets}`, headers: client.headers },
    {
      name: 'GET /datasets/ with a key',
      url: `${url}/datasets/?limit=${datasets}`,
      headers: { 'x-api-key': body.secret },
    },
  ];
  const roots = [server.pid, ...(await server.send('databasePids'))];
  for (const kind of kinds) kind.statements = await statementsOf(kind);
  for (const kind of kinds) await send(kind, Math.ceil(requests / 3));
  const times = kinds.map(() => ({ cpu: 0, wall: 0 }));
  for (let round = 0; round < rounds; round += 1)
    for (const [index, kind] of kinds.entries()) {
      const [cpu, began] = [cpuTimeOf(roots), performance.now()];
      await send(kind, Math.ceil(requests / rounds));
      times[index].wall += performance.now() - began;
      times[index].cpu += cpuTimeOf(roots) - cpu;
    }
  const sent = rounds * Math.ceil(requests / rounds);
  return kinds.map(({ name, statements }, index) => ({
    name,
    cpuMs: times[index].cpu / sent,
    ratio: times[index].cpu / times[0].cpu,
    ms: times[index].wall / sent,
    statements,
  }));
}

/** The fewest statements of one request in some: a few write something now and then. */
async function statementsOf(kind) {
  await send(kind, COUNTED);
  await server.send('startCounting');
  await send(kind, COUNTED);
  const counted = await server.send('stopCounting');
  const least = counted.toSorted((a, b) => a.length - b.length)[0];
  if (values.statements)
    console.log(`${kind.name}\n${least.map((text) => `  ${text.replaceAll(/\s+/g, ' ')}`).join('\n')}`);
  return least.length;
}

async function send({ name, url, headers }, count) {
  for (let n = 0; n < count; n += 1) {
    const status = await new Promise((resolve, reject) => {
      get(url, { agent, headers }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on(
        'error',
        reject,
      );
    });
    if (status !== 200) throw new Error(`${name} answered ${status}.`);
  }
}

function checkMost([me, list]) {
  const spent = new Map(rows.map(({ name, cpuMs }) => [name, cpuMs]));
  if (spent.get('GET /auth/me') > me || spent.get('GET /datasets/') > list) process.exitCode = 1;
}
