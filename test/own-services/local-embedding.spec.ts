import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../support/api-client.js';
import { ServiceProcess } from '../support/service-process.js';

/** Folder of an ONNX model, all-MiniLM-L6-v2 say; without it nothing here runs. */
const MODEL = process.env['TEST_EMBEDDING_MODEL_PATH'] ?? '';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = 24;
const PATIENCE_MS = 110_000;
/** Two services start one after the other. */
const START_MS = 240_000;

interface Reembedding {
  readonly reembedding_id: string;
  readonly status: string;
  readonly chunks_embedded: number;
  readonly documents_done: number;
}

interface Answer {
  readonly results: readonly { readonly text: string; readonly scores: { readonly vector: number | null } }[];
  readonly retrieval: { readonly warnings: readonly { readonly code: string }[] };
}

describe.skipIf(MODEL === '')('a service that gets a real embedding model', () => {
  let folder: string;
  let service: ServiceProcess | undefined;
  let client: ApiClient;
  let datasets: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'local-embedding-'));
    const before = await ServiceProcess.start({ settings: { DATA_DIR: folder } });
    try {
      const admin = await new ApiClient(before.url).login(before.admin.email, before.admin.password);
      datasets = [await admin.createDataset('Medicine'), await admin.createDataset('Small')];
      const texts = Array.from({ length: DOCUMENTS }, (_, n) =>
        `Note ${n}. The physician treated the patient in ward ${n}. `.repeat(12),
      );
      await upload(admin, datasets[0]!, [...texts, 'A ship crossed the ocean in a heavy storm.']);
      await upload(admin, datasets[1]!, ['A lamp stands on the desk.']);
      await before.stop();
      const settings = { DATA_DIR: folder, EMBEDDING_PROVIDER: 'local', EMBEDDING_MODEL_PATH: MODEL };
      service = await ServiceProcess.start({ settings });
      client = await new ApiClient(service.url).login(before.admin.email, before.admin.password);
    } finally {
      await before.dispose();
    }
  }, START_MS);
  afterAll(async () => {
    await service?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function upload(as: ApiClient, dataset: string, texts: readonly string[]): Promise<void> {
    const records = await Promise.all(
      texts.map((content, n) => as.upload(dataset, { name: `note-${n}.txt`, content, mediaType: 'text/plain' })),
    );
    for (const { id } of records) expect((await as.pollUntilTerminal(id)).status).toBe('completed');
  }
  const ask = (query: string, dataset: string, method = 'hybrid'): Promise<Answer> =>
    client.post<Answer>('/retrieval/search', { query, dataset_ids: [dataset], search_method: method });
  const read = (id: string): Promise<Reembedding> => client.get(`/datasets/${datasets[0]}/reembeddings/${id}`);
  const untilIt = (id: string, fits: (now: Reembedding) => boolean): Promise<Reembedding> =>
    until(() => read(id).then((now) => (fits(now) ? now : undefined)), { withinMs: PATIENCE_MS });

  it('answers by keywords until the dataset is re-embedded, which a kill in the middle does not undo', async () => {
    const question = 'voyage of a vessel across the sea';
    const stale = await ask('physician', datasets[0]!);
    expect(stale.retrieval.warnings.map(({ code }) => code)).toContain('STALE_EMBEDDING');
    expect(stale.results.length).toBeGreaterThan(0);
    const { reembedding_id: id } = await client.post<Reembedding>(`/datasets/${datasets[0]}/reembeddings`, {});
    const cut = await untilIt(id, ({ chunks_embedded: chunks, status }) => chunks > 0 || status === 'completed');
    await service!.kill('SIGKILL');
    await service!.start();
    const done = await untilIt(id, ({ status }) => status === 'completed');
    expect(cut.status).toBe('running');
    expect(done).toMatchObject({ documents_done: DOCUMENTS + 1, chunks_embedded: expect.any(Number) as number });
    const fresh = await ask(question, datasets[0]!, 'vector');
    expect(fresh.retrieval.warnings).toEqual([]);
    expect(fresh.results[0]!.text).toContain('ship');
    expect((await ask(question, datasets[0]!)).results[0]!.text).toContain('ship');
    const health = await client.get<{ status: string }>(`/datasets/${datasets[0]}/health`);
    expect(health).toMatchObject({ status: 'healthy', stale: { embedding: 0 }, index: { parity: 'equal' } });
  });

  it('re-embeds what is left by "npm run reembed"', async () => {
    const command = ['dist/src/cli/maintenance.js', 'reembed'];
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: folder,
      EMBEDDING_PROVIDER: 'local',
      EMBEDDING_MODEL_PATH: MODEL,
    };
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
    const [, warned] = /completed {"chunks":1,"datasets":1,"documents":1,"datasets_with_warnings":([01])}/.exec(
      stdout,
    )!;
    const { warnings } = await client.get<{ warnings: readonly { code: string }[] }>(
      `/datasets/${datasets[1]}/ingestion-policy`,
    );
    expect(warnings).toHaveLength(Number(warned));
    expect(stdout.includes('chunking.fit_model true')).toBe(warned === '1');
    const { results } = await ask('illumination', datasets[1]!, 'vector');
    expect(results.map(({ text }) => text)).toEqual(['A lamp stands on the desk.']);
  });
});
