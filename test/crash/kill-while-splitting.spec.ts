import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '#testing/until';
import { ingestArchive, zipOf, type ArchiveRecord } from '../support/archive-files.js';
import type { Page } from '../support/api-client.js';
import { filesBelow } from '../support/files-below.js';
import { useService } from '../support/service-process.js';
import { crashDocument, type CrashDocument } from './support/crash-documents.js';
import { findDiscrepancies, queryUntil, STORE_WORK } from './support/stored-state.js';

const FILES = 120;
const BYTES = 20_000;
/** Files that are stored, or have ended, when the kill comes. */
const SOME = 15;
const PATIENCE = { withinMs: 90_000, everyMs: 5 };
const UNSETTLED = `SELECT id FROM tasks WHERE status = 'open' AND kind NOT IN (${STORE_WORK})
  UNION ALL SELECT id FROM store_intents WHERE kind = 'remove_generation'`;

const service = useService({ settings: { INGESTION_LEASE_SECONDS: '2', RATE_LIMITS: 'off' } });
const dataDir = (): string => join(service.process.folder, 'data');

async function storedFiles(): Promise<number> {
  return (await filesBelow(join(dataDir(), 'files'))).filter((path) => !/(^|\/)\.tmp\//.test(path)).length;
}

const partsOf = async (id: string, status?: string): Promise<Page<ArchiveRecord>> =>
  service.admin.get(`/documents/?archive_id=${id}&limit=100${status === undefined ? '' : `&status=${status}`}`);

async function killAndStart(): Promise<void> {
  await service.process.kill('SIGKILL');
  await service.process.start();
}

async function endsOnce(dataset: string, id: string, documents: readonly CrashDocument[]): Promise<void> {
  const archive = await service.admin.pollUntilTerminal(id, { timeoutMs: 120_000 });
  expect(archive).toMatchObject({ status: 'completed', searchable: true, processing_progress: 100, warnings: [] });
  expect([(await partsOf(id)).total, (await partsOf(id, 'completed')).total]).toEqual([
    documents.length,
    documents.length,
  ]);
  for (const { name, sentence } of documents.filter((_, n) => n % 10 === 0)) {
    const { results } = await service.admin.search(sentence, [dataset], { top_k: 20 });
    const hits = results.filter(({ text }) => text.includes(sentence)) as unknown as { path: string }[];
    expect(hits.map(({ path }) => path)).toEqual([name]);
  }
}

it('an archive whose worker is killed while it is split and between its files has each file once, and nothing else', async () => {
  const dataset = await service.admin.createDataset('Killed while it was split');
  const documents = Array.from({ length: FILES }, (_, n) => crashDocument(`split-${n}`, BYTES));
  const files = Object.fromEntries(documents.map(({ name, content }) => [name, content]));
  await ingestArchive(
    service.admin,
    dataset,
    zipOf({ 'first.txt': 'Another archive, that is left alone.' }),
    {},
    'a.zip',
  );
  const before = await storedFiles();
  const { id } = await service.admin.upload(dataset, { name: 'killed.zip', content: zipOf(files) });
  // Files are stored, and no document is made of them: all of these are no one's after the kill.
  await until(async () => (await storedFiles()) > before + SOME, { what: 'files of the archive', ...PATIENCE });
  await service.process.kill('SIGKILL');
  const [made] = await queryUntil<{ n: number }>(
    dataDir(),
    { sql: `SELECT count(*)::int AS n FROM documents WHERE archive_id = $1`, values: [id], pauseMs: 1 },
    () => true,
  );
  expect(made).toEqual({ n: 0 });
  await service.process.start();
  for (const share of [SOME, 4 * SOME]) {
    await until(async () => (await partsOf(id, 'completed')).total > share, { what: 'ended files', ...PATIENCE });
    expect((await service.admin.get<ArchiveRecord>(`/documents/${id}`)).status).toBe('processing');
    await killAndStart();
  }
  await endsOnce(dataset, id, documents);
  // The next revision, in which half of the files are others, is killed while it is split, too.
  const changed = documents.map((document, n) => (n % 2 === 0 ? document : crashDocument(`changed-${n}`, BYTES)));
  const next = Object.fromEntries(changed.map(({ content }, n) => [documents[n]!.name, content]));
  const stored = await storedFiles();
  await service.admin.upload(dataset, { name: 'killed.zip', content: zipOf(next) }, { on_duplicate: 'new_revision' });
  await until(async () => (await storedFiles()) > stored + SOME, { what: 'files of the revision', ...PATIENCE });
  await killAndStart();
  await endsOnce(
    dataset,
    id,
    changed.map((document, n) => ({ ...document, name: documents[n]!.name })),
  );
  await queryUntil(dataDir(), { sql: UNSETTLED, pauseMs: 200 }, (left) => left.length === 0);
  await service.process.stop();
  const found = await findDiscrepancies(dataDir(), () => Number.NaN);
  expect(found.filter((line) => !line.includes('times completed') && !line.endsWith(': 2 revisions'))).toEqual([]);
}, 400_000);
