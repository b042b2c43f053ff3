import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../support/api-client.js';
import { describeOnEngines, engineSettings } from '../support/engines.js';
import { expectFoundOnce, numberedDocument, type NumberedDocument } from '../support/numbered-documents.js';
import { ServiceProcess } from '../support/service-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BEFORE = 10;
const DURING = 10;

interface Watch {
  readonly answers: number;
  readonly wrong: readonly string[];
}

describeOnEngines('an installation that moves from the embedded store', ({ kind, url, prefix }) => {
  let service: ServiceProcess;
  let client: ApiClient;
  let datasetId: string;
  let settings: Readonly<Record<string, string>>;
  const documents = new Map<string, NumberedDocument>();

  const upload = async (name: string, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      const document = numberedDocument(name, n);
      const { id } = await client.upload(datasetId, document);
      documents.set(id, document);
    }
  };
  const allDone = async (): Promise<void> => {
    for (const id of documents.keys()) await client.pollUntilTerminal(id);
  };
  const reindex = async (...options: string[]): Promise<Record<string, unknown>> => {
    const env = { ...settings, PATH: process.env['PATH'] ?? '', DATA_DIR: join(service.folder, 'data') };
    const command = ['dist/src/cli/maintenance.js', 'reindex', ...options];
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
    const last = stdout.trim().split('\n').at(-1)!;
    expect(last).toMatch(/^completed /);
    return JSON.parse(last.slice('completed '.length)) as Record<string, unknown>;
  };
  const storeThatAnswers = async (): Promise<string | null> => {
    const details = await client.get<{ components: { vector_backend: { detail: string | null } } }>('/health/details');
    return details.components.vector_backend.detail;
  };
  const rowsInEngine = async (): Promise<number> => {
    const answer = await fetch(`${url}/${prefix}-*/_count`);
    return ((await answer.json()) as { count: number }).count;
  };
  /** Searches without a pause while `work` goes on; every answer has to hold just the one document. */
  const watching = async (work: () => Promise<unknown>): Promise<Watch> => {
    const [[id, { sentence }]] = [...documents] as [[string, NumberedDocument]];
    const wrong: string[] = [];
    let answers = 0;
    let isOver = false;
    const searching = (async () => {
      while (!isOver) {
        const method = answers % 2 === 0 ? 'keyword' : 'hybrid';
        const { results } = await client.search(sentence, [datasetId], { top_k: 5, search_method: method });
        const found = results.filter(({ text }) => text.includes(sentence)).map((hit) => hit.document_id);
        if (found.join() !== id) wrong.push(`${method}: ${found.join() || 'nothing'}`);
        answers += 1;
        await wait(20);
      }
    })();
    try {
      await work();
    } finally {
      isOver = true;
      await searching;
    }
    return { answers, wrong };
  };

  beforeAll(async () => {
    settings = { ...engineSettings(kind, url, prefix), VECTOR_STORE: 'embedded' };
    service = await ServiceProcess.start({ settings });
    client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    datasetId = await client.createDataset('Lighthouses');
    await upload('before', BEFORE);
    await allDone();
  });
  afterAll(() => service?.dispose());

  it('answers every search while it moves and documents come in, and has everything afterwards', async () => {
    expect(await storeThatAnswers()).toBe('embedded');
    let report: Record<string, unknown> = {};
    const { answers, wrong } = await watching(async () => {
      const moving = reindex('--to', kind);
      await upload('during', DURING);
      report = await moving;
      await until(async () => (await storeThatAnswers()) === kind, {
        what: 'the other store answers',
        withinMs: 10_000,
      });
    });
    expect(wrong).toEqual([]);
    expect(answers).toBeGreaterThan(50);
    expect(report).toMatchObject({ active: kind, moved: true, written: 0 });
    await allDone();
    for (const [id, document] of documents) await expectFoundOnce(client, id, document);
  });

  it('goes back without writing anything again, since both stores are written until the move is ended', async () => {
    await upload('after', 3);
    await allDone();
    const { wrong } = await watching(async () => {
      expect(await reindex('--to', 'embedded')).toMatchObject({ active: 'embedded', moved: true, written: 0 });
      await until(async () => (await storeThatAnswers()) === 'embedded', {
        what: 'it answers again',
        withinMs: 10_000,
      });
    });
    expect(wrong).toEqual([]);
    for (const [id, document] of documents) await expectFoundOnce(client, id, document);
  });

  it('gives a move up and drops what the other store holds', async () => {
    expect(await rowsInEngine()).toBeGreaterThan(0);
    expect(await reindex('--finish')).toMatchObject({ active: 'embedded', former: kind, dropped: 1 });
    expect(await rowsInEngine()).toBe(0);
    await upload('alone', 1);
    await allDone();
    expect(await rowsInEngine()).toBe(0);
  });

  it('finishes a move in whose middle it was killed', async () => {
    const moving = reindex('--to', kind).catch((error: unknown) => error);
    await until(async () => (await rowsInEngine()) > 0, { what: 'rows are copied', withinMs: 60_000 });
    await service.kill('SIGKILL');
    await service.start();
    client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    const { wrong } = await watching(() =>
      until(async () => (await storeThatAnswers()) === kind, { what: 'the other store answers', withinMs: 120_000 }),
    );
    expect(wrong).toEqual([]);
    // The command goes on watching, unless its database server ended with the service.
    await moving;
    for (const [id, document] of documents) await expectFoundOnce(client, id, document);
    expect(await reindex('--finish')).toMatchObject({ active: kind, former: 'embedded' });
    await upload('later', 1);
    await allDone();
    await expectFoundOnce(client, ...[...documents].at(-1)!);
  });
});
