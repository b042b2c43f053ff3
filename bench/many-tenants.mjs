/**
 * What searches, scrapes, lists and probes cost beside many other tenants:
 *
 *   npm run bench:many-tenants -- [--tenants 2000] [--requests 40] [--max 1.5] [--json FILE]
 *
 * Starts the built service with one document, measures each kind of request one after the other, adds this many tenants with a dataset,
 * a document and a table of the vector store each, and measures again. Prints the median of both in milliseconds and their ratio. The exit
 * code is 1 when a ratio is above `--max` and the difference above 2 ms.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { addTenants } from '../scripts/lib/add-tenants.ts';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';

const LEAST_MS = 2;
const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '2000' },
    requests: { type: 'string', default: '40' },
    max: { type: 'string', default: '1.5' },
    json: { type: 'string' },
  },
});
const [tenants, requests, max] = [values.tenants, values.requests, values.max].map(Number);

const service = await ServiceProcess.start();
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const datasetId = await client.createDataset('bench of many tenants');
  const { id } = await client.upload(datasetId, { name: 'lamps.txt', content: 'The keeper counts the lamps.' });
  await client.pollUntilTerminal(id);
  const search = { query: 'lamps', dataset_ids: [datasetId] };
  const asked = [
    { method: 'POST', path: '/retrieval/search', body: search },
    { method: 'POST', path: '/retrieval/explain', body: { ...search, expected: { text: 'keeper' } } },
    ...['/datasets/', '/documents/', '/health/ready', '/health/details', '/metrics'].map((path) => ({
      method: 'GET',
      path,
      body: undefined,
    })),
  ];
  const before = await measure(client, asked);
  await addTenants(service.folder, tenants);
  const after = await measure(client, asked);
  const rows = asked.map(({ method, path }, index) => ({
    request: `${method} ${path}`,
    before: before[index],
    after: after[index],
    ratio: after[index] / before[index],
  }));
  for (const { request, before: one, after: many, ratio } of rows)
    process.stdout.write(
      `${request.padEnd(26)} ${one.toFixed(1).padStart(7)} ms alone, ${many.toFixed(1).padStart(7)} ms with ${tenants} more tenants (${ratio.toFixed(2)})\n`,
    );
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
  if (rows.some((row) => row.ratio > max && row.after - row.before > LEAST_MS)) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
}

/** Median milliseconds of each kind of request, asked in turns. */
async function measure(client, asked) {
  const times = asked.map(() => []);
  for (let round = 0; round < requests; round += 1)
    for (const [index, { method, path, body }] of asked.entries()) {
      const began = performance.now();
      const { status } = await client.send(method, path, body);
      if (status !== 200) throw new Error(`${method} ${path} answered ${status}.`);
      times[index].push(performance.now() - began);
    }
  return times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]);
}
