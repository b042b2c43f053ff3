/**
 * How long a profile scan takes, and what memory it needs:
 *
 *   npm run bench:scan -- [--documents 10000] [--chunks 10] [--characters 1000] [--max-seconds 60] [--max-megabytes 200] [--json FILE]
 *
 * Fills a dataset below the HTTP interface with documents of `--chunks` chunks of `--characters` each, one in hundred of them nearly the
 * same as the one before, and starts the scan by its route. Prints the seconds until it is `completed`, the greatest resident memory of
 * the service's process above that of before the scan, and what was found. The exit code is 1 above one of the bounds.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { newId } from '../dist/libs/common/src/index.js';
import { connectToRunningEmbeddedPostgres } from '../dist/libs/database/src/index.js';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { readNativeMemory } from './lib/native-memory.mjs';
import { generatedText } from './lib/generated-text.mjs';

const MEGABYTE = 1024 * 1024;
const TOGETHER = 100;
const TWIN_EVERY = 100;
const TWIN_ENDING = ' One more sentence stands at the end of this copy.';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '10000' },
    chunks: { type: 'string', default: '10' },
    characters: { type: 'string', default: '1000' },
    'max-seconds': { type: 'string', default: '60' },
    'max-megabytes': { type: 'string', default: '200' },
    json: { type: 'string' },
  },
});
const [documents, chunks, characters] = [values.documents, values.chunks, values.characters].map(Number);

const service = await ServiceProcess.start();
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const dataset = await client.createDataset('bench of scans');
  const me = await client.get('/auth/me');
  await fill(me.tenant_id, me.account.id, dataset);
  await wait(10_000);
  const idle = await readNativeMemory(service.pid);
  const result = await scan(client, `/datasets/${dataset}/profile/scans`, idle.resident);
  const { seconds, peak, summary } = result;
  const growth = (peak - idle.resident) / MEGABYTE;
  process.stdout.write(
    `${documents} documents, ${documents * chunks} chunks, ${((documents * chunks * characters) / MEGABYTE).toFixed(0)} MB of text: ` +
      `${seconds.toFixed(1)} s, ${(documents / seconds).toFixed(0)} documents/s; ` +
      `idle ${(idle.resident / MEGABYTE).toFixed(0)} MB, at most ${growth.toFixed(0)} MB more; ` +
      `near duplicates ${JSON.stringify(summary.duplicates.near)}\n`,
  );
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ seconds, growth, idle: idle.resident / MEGABYTE }, null, 2)}\n`);
  const expected = Math.floor((documents - 1) / TWIN_EVERY);
  const isWrong = summary.documents.total !== documents || summary.duplicates.near.groups < expected * 0.99;
  if (isWrong || seconds > Number(values['max-seconds']) || growth > Number(values['max-megabytes']))
    process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
}

async function scan(client, path, idle) {
  const began = performance.now();
  const { scan_run_id: id } = await client.post(path, {});
  let peak = idle;
  for (;;) {
    await wait(250);
    peak = Math.max(peak, (await readNativeMemory(service.pid)).resident);
    const run = await client.get(`${path}/${id}`);
    if (run.status === 'completed') return { seconds: (performance.now() - began) / 1000, peak, summary: run.summary };
    if (run.status === 'failed') throw new Error(`The scan failed: ${JSON.stringify(run.error)}`);
  }
}

/** Rows as ingestion leaves them, as far as a scan reads them. */
async function fill(tenant, account, dataset) {
  const running = await connectToRunningEmbeddedPostgres(join(service.folder, 'data', 'postgres'));
  const sql = new pg.Client({ connectionString: running.ownerUrl });
  await sql.connect();
  try {
    await sql.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenant]);
    let former = '';
    for (let first = 0; first < documents; first += TOGETHER) {
      const batch = [];
      for (let n = first; n < Math.min(first + TOGETHER, documents); n += 1) {
        const isTwin = n > 0 && n % TWIN_EVERY === 0;
        former = isTwin ? former + TWIN_ENDING : generatedText(n, chunks * characters);
        batch.push({ id: newId(), revision: newId(), set: newId(), text: former, n });
      }
      await insert(sql, tenant, account, dataset, batch);
      if (first % 1_000 === 0) process.stderr.write(`\r${first} documents`);
    }
    process.stderr.write('\r');
    await sql.query('VACUUM ANALYZE');
  } finally {
    await sql.end();
  }
}

async function insert(sql, tenant, account, dataset, batch) {
  const of = (pick) => batch.map(pick);
  await sql.query(
    `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, progress, policy_version,
       revision_id, language, metadata, created_by, visible_generation, visible_chunk_set_id, chunk_count, token_count)
     SELECT d.id, $1, $2, 'document-' || d.n || '.txt', 'text/plain', d.size, d.id::text, 'completed', 'completed', 100, 1, d.revision, 'en',
       jsonb_build_object('part', d.n % 100), $3, d.n + 1, d.set, $4, $4 * 200
     FROM unnest($5::uuid[], $6::uuid[], $7::uuid[], $8::int[], $9::int[]) AS d(id, revision, set, n, size)`,
    [
      tenant,
      dataset,
      account,
      chunks,
      of((d) => d.id),
      of((d) => d.revision),
      of((d) => d.set),
      of((d) => d.n),
      of((d) => d.text.length),
    ],
  );
  await sql.query(
    `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256, text_fingerprint, text_length)
     SELECT r.id, $1, r.document_id, 1, 'none', r.length, r.id::text, 'seeded', r.length
     FROM unnest($2::uuid[], $3::uuid[], $4::bigint[]) AS r(id, document_id, length)`,
    [tenant, of((d) => d.revision), of((d) => d.id), of((d) => d.text.length)],
  );
  await insertTexts(sql, tenant, batch);
}

async function insertTexts(sql, tenant, batch) {
  const of = (pick) => batch.map(pick);
  await sql.query(
    `INSERT INTO document_segments (tenant_id, revision_id, text_start, text_end, body, blocks)
     SELECT $1, s.revision_id, 0, length(s.body), s.body, '[]' FROM unnest($2::uuid[], $3::text[]) AS s(revision_id, body)`,
    [tenant, of((d) => d.revision), of((d) => d.text)],
  );
  await sql.query(
    `INSERT INTO chunk_sets (id, tenant_id, document_id, revision_id, fingerprint, complete, chunk_count)
     SELECT c.id, $1, c.document_id, c.revision_id, 'seeded', true, $5 FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS c(id, document_id, revision_id)`,
    [tenant, of((d) => d.set), of((d) => d.id), of((d) => d.revision), chunks],
  );
  await sql.query(
    `INSERT INTO chunks (id, tenant_id, document_id, chunk_set_id, ordinal, text_start, text_end, body, token_count, terms)
     SELECT gen_random_uuid(), $1, s.document_id, s.set_id, n, n * $4, (n + 1) * $4, substr(s.body, n * $4 + 1, $4), 200, ''
     FROM unnest($2::uuid[], $3::uuid[], $5::text[]) AS s(document_id, set_id, body), generate_series(0, $6::int - 1) AS n`,
    [tenant, of((d) => d.id), of((d) => d.set), characters, of((d) => d.text), chunks],
  );
}
