/**
 * How fast tables answer:
 *
 *   npm run bench:tables-scale -- [--rows 100000] [--tables 1000] [--queries 41] [--json FILE]
 *
 * Uploads a CSV of `--rows` rows; from `completed` on, the first statement over it is timed, then `--queries` statements with GROUP BY one
 * after the other. Then `--tables` small CSV files are uploaded into a dataset of their own, and pages of 100 tables are read. The exit
 * code is 1 where the first statement takes more than 10 s, the median statement more than 50 ms or the median page more than 100 ms.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';

const REGIONS = ['North', 'East', 'South', 'West', 'Centre'];
const MOST = { first: 10_000, group: 50, page: 100 };
const UPLOADS_AT_ONCE = 8;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    tables: { type: 'string', default: '1000' },
    queries: { type: 'string', default: '41' },
    json: { type: 'string' },
  },
});
const [rows, tables, queries] = [values.rows, values.tables, values.queries].map(Number);

const service = await ServiceProcess.start({ settings: { RATE_LIMITS: 'off' } });
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const sales = await client.createDataset('bench of one large table');
  const { id } = await client.upload(sales, { name: 'sales.csv', content: salesCsv(rows) });
  const ingestion = await timed(() => requireCompleted(client, id));
  const sql = 'SELECT region, count(*) AS n, sum(amount) AS amount FROM sales GROUP BY region ORDER BY region';
  const ask = () => client.post(`/datasets/${sales}/tables/query/sql`, { sql });
  const first = await timed(ask);
  const counted = first.answer.rows.reduce((sum, [, n]) => sum + n, 0);
  if (counted !== rows) throw new Error(`The statement counts ${counted} rows instead of ${rows}.`);
  const groups = await medianOf(queries, ask);

  const many = await client.createDataset('bench of many tables');
  await uploadTables(client, many, tables);
  const page = await medianOf(queries, async (n) => {
    const skip = (n * 100) % Math.max(100, tables);
    const { items, total } = await client.get(`/datasets/${many}/tables?limit=100&skip=${skip}`);
    if (total < tables || items.length === 0) throw new Error(`${total} tables are listed instead of ${tables}.`);
  });
  const figures = { ingestion: ingestion.ms, first: first.ms, group: groups, page };
  process.stdout.write(
    `${rows} rows: ingested in ${(ingestion.ms / 1000).toFixed(1)} s, first statement ${first.ms.toFixed(0)} ms, ` +
      `GROUP BY p50 ${groups.toFixed(1)} ms; a page of 100 of ${tables} tables p50 ${page.toFixed(1)} ms\n`,
  );
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  if (Object.entries(MOST).some(([name, most]) => figures[name] > most)) process.exitCode = 1;
} finally {
  await service.dispose();
}

function salesCsv(count) {
  const lines = ['Number,Region,Amount,Sold on,Paid'];
  for (let n = 0; n < count; n += 1) {
    const day = new Date(Date.UTC(2020, 0, 1 + (n % 1_500))).toISOString().slice(0, 10);
    lines.push(
      `${n + 1},${REGIONS[n % REGIONS.length]},${((n * 37) % 100_000) / 100},${day},${n % 3 === 0 ? 'no' : 'yes'}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

async function uploadTables(client, dataset, count) {
  const waiting = Array.from({ length: count }, (_, n) => n);
  const work = async () => {
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
      const content = `Item ${n},Stock ${n}\nLamp,${n}\nChair,${n + 1}\n`;
      const { id } = await client.upload(dataset, { name: `stock-${n}.csv`, content });
      await requireCompleted(client, id);
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, work));
}

async function requireCompleted(client, id) {
  const { status, error_message: message } = await client.pollUntilTerminal(id);
  if (status !== 'completed') throw new Error(`A document is ${status}: ${message}`);
}

async function timed(work) {
  const begun = performance.now();
  const answer = await work();
  return { ms: performance.now() - begun, answer };
}

async function medianOf(count, work) {
  const spent = [];
  for (let n = 0; n < count; n += 1) spent.push((await timed(() => work(n))).ms);
  return spent.toSorted((a, b) => a - b)[Math.floor(count / 2)];
}
