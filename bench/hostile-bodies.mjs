/**
 * What bodies that are meant to do harm cost everybody else:
 *
 *   npm run bench:bodies -- [--only TEXT] [--max-ms MS] [--json FILE]
 *
 * Starts the built service, then sends each body at its bound and at half of it, three times. Meanwhile `GET /health` is asked
 * every 5 ms over a connection of its own. Prints the longest wait for its answer, the time of the body's own answer, its status
 * and its size, and how the waits at the bound and at half compare. The exit code is 1 when a wait is longer than `--max-ms`
 * (default: 50) above the longest one of an idle service.
 */
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { Stranger } from './lib/stranger.mjs';

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'max-ms': { type: 'string' }, json: { type: 'string' } },
});
const MOST_MS = Number(options['max-ms'] ?? 50);
const TIMES = 3;
const ID = '01934b7e-0000-7000-8000-000000000001';
const MIB = 1024 * 1024;

const keys = (count) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1])));
const nested = (levels) => `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const ids = (count) => JSON.stringify({ document_ids: Array.from({ length: count }, () => ID), reason: 'x' });
const distinct = (count) =>
  JSON.stringify({ query: 'x', dataset_ids: [ID], include: Array.from({ length: count }, (_, n) => `p${n}`) });
const metadata = (count) => JSON.stringify({ name: 'x', metadata: JSON.parse(keys(count)) });
const messages = (count) =>
  JSON.stringify({ dataset_ids: [ID], messages: Array.from({ length: count }, () => ({ role: 'x', content: 5 })) });

/** A form of many small fields and one file. */
function form(fields, bytes) {
  const parts = Array.from(
    { length: fields },
    () => `--b\r\nContent-Disposition: form-data; name="tags"\r\n\r\n${'x'.repeat(bytes)}\r\n`,
  );
  return `${parts.join('')}--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--b--\r\n`;
}

const FORM = 'multipart/form-data; boundary=b';
/** Bodies by the number that is halved. `as`: who sends it. */
const CASES = [
  { name: '200,000 unknown keys, nobody', as: 'nobody', path: () => '/auth/login', bound: 200_000, body: keys },
  { name: '200,000 unknown keys, a caller', as: 'admin', path: () => '/datasets/', bound: 200_000, body: keys },
  { name: 'unknown keys in 64 KiB, nobody', as: 'nobody', path: () => '/auth/login', bound: 6_000, body: keys },
  {
    name: 'text of 64 KiB, nobody',
    as: 'nobody',
    path: () => '/auth/login',
    bound: 65_000,
    body: (n) => JSON.stringify({ email: 'a@'.repeat(n / 2) }),
  },
  { name: '19,999 unknown keys', as: 'admin', path: () => '/datasets/', bound: 19_999, body: keys },
  { name: '19,990 keys of metadata', as: 'admin', path: () => '/datasets/', bound: 19_990, body: metadata },
  { name: 'list of 19,990 ids', as: 'admin', path: () => '/governance/quarantine', bound: 19_990, body: ids },
  {
    name: 'list of 19,990 distinct texts',
    as: 'admin',
    path: () => '/retrieval/search',
    bound: 19_990,
    body: distinct,
  },
  { name: '6,000 messages of a chat', as: 'admin', path: () => '/chat/completions', bound: 6_000, body: messages },
  {
    name: 'text of 1 MiB',
    as: 'admin',
    path: () => '/retrieval/search',
    bound: MIB - 100,
    body: (n) => JSON.stringify({ query: 'x '.repeat(n / 2) }),
  },
  {
    name: 'the same with a key',
    as: 'admin',
    headers: () => ({ 'Idempotency-Key': `k${Math.random()}` }),
    path: () => '/datasets/',
    bound: 19_990,
    body: metadata,
  },
  { name: '500,000 levels', as: 'admin', path: () => '/datasets/', bound: 500_000, body: nested },
  { name: '31 levels', as: 'admin', path: () => '/datasets/', bound: 31, body: nested },
  {
    name: 'import of 8 MiB',
    as: 'admin',
    path: (id) => `/datasets/${id}/config/import`,
    bound: 8 * MIB - 200,
    body: (n) => JSON.stringify({ format: 'x', version: 1, source: { name: 'x'.repeat(n) } }),
  },
  {
    name: 'policy file of 8 MiB, JSON',
    as: 'admin',
    type: FORM,
    path: (id) => `/datasets/${id}/ingestion-policy/import`,
    bound: 8 * MIB - 300,
    body: (n) =>
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{"x":"${'x'.repeat(n)}"}\r\n--b--\r\n`,
  },
  {
    name: 'policy file of 64 KiB, YAML',
    as: 'admin',
    type: FORM,
    path: (id) => `/datasets/${id}/ingestion-policy/import`,
    bound: 65_000,
    body: (n) =>
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a.yaml"\r\n\r\n${'- a: {b: c}\n'.repeat(n / 12)}\r\n--b--\r\n`,
  },
  {
    name: 'form of 5,000 fields',
    as: 'admin',
    type: FORM,
    path: () => '/documents/upload',
    bound: 5_000,
    body: (n) => form(n, 1),
  },
  {
    name: 'form of 200 fields of 200 KiB',
    as: 'admin',
    type: FORM,
    path: () => '/documents/upload',
    bound: 200,
    body: (n) => form(n, 200 * 1024),
  },
];

const service = await ServiceProcess.start();
const results = [];
try {
  const admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const dataset = await admin.createDataset('hostile bodies');
  const idle = await longestWait(() => new Promise((resolve) => setTimeout(resolve, 2_000)));
  process.stdout.write(`Idle service: /health waits ${idle.toFixed(1)} ms at most\n\n`);
  for (const one of CASES.filter(({ name }) => name.includes(options.only)))
    results.push(await measure(one, admin, dataset, idle));
} finally {
  await service.dispose();
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
if (results.some(({ over }) => over)) process.exitCode = 1;

async function measure(one, admin, dataset, idle) {
  const at = {};
  for (const [key, size] of [
    ['half', Math.floor(one.bound / 2)],
    ['full', one.bound],
  ]) {
    const body = one.body(size);
    at[key] = { wait: Number.POSITIVE_INFINITY, answer: Number.POSITIVE_INFINITY, status: 0, bytes: 0 };
    for (let time = 0; time < TIMES; time += 1) {
      let sent;
      const wait = await longestWait(async () => {
        sent = await send(one, admin, dataset, body);
      });
      // The best of several: what else the machine does is not what is measured.
      at[key] = { ...sent, wait: Math.min(at[key].wait, wait), answer: Math.min(at[key].answer, sent.ms) };
    }
  }
  const { half, full } = at;
  const over = full.wait > idle + MOST_MS;
  const ratio = full.answer / half.answer;
  process.stdout.write(
    `${one.name.padEnd(34)} ${full.status}  /health waits ${full.wait.toFixed(1).padStart(8)} ms (half ${half.wait.toFixed(1)})  ` +
      `answer ${full.answer.toFixed(1).padStart(8)} ms (half ${half.answer.toFixed(1)}, ratio ${ratio.toFixed(2)})  ${full.bytes} bytes${over ? '  TOO LONG' : ''}\n`,
  );
  return {
    name: one.name,
    status: full.status,
    wait: full.wait,
    half: half.wait,
    answer: full.answer,
    ratio,
    bytes: full.bytes,
    over,
  };
}

/** The longest wait for an answer of `GET /health` in milliseconds while `work` goes on. */
async function longestWait(work) {
  const stranger = await Stranger.come(`${service.url}/health`);
  await work();
  return stranger.leave();
}

function send(one, admin, dataset, body) {
  const headers = {
    ...(one.as === 'admin' ? admin.headers : {}),
    'Content-Type': one.type ?? 'application/json',
    ...one.headers?.(),
  };
  const start = performance.now();
  return new Promise((resolve) => {
    const sent = request(
      `${service.url}${one.path(dataset)}`,
      { method: 'POST', headers, agent: false },
      (response) => {
        let bytes = 0;
        response.on('data', (piece) => (bytes += piece.length));
        response.once('end', () => resolve({ status: response.statusCode, bytes, ms: performance.now() - start }));
      },
    );
    sent.once('error', (error) => resolve({ status: error.code, bytes: 0, ms: performance.now() - start }));
    sent.end(body);
  });
}
