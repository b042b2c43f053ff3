import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { buildGraph, tellGraph } from '../support/knowledge-graphs.js';
import { filesHolding } from '../support/files-holding.js';
import { ServiceProcess } from '../support/service-process.js';
import { writePlugin } from './support/plugin-folder.js';
import { queryUntil } from './support/stored-state.js';

const PATIENCE_MS = 60_000;
const POLL_ROWS_MS = 100;
const NOWHERE = '00000000-0000-0000-0000-000000000000';

const TOLD = [
  'Harbour Works Ltd was founded by Maren Oxley. Maren Oxley lives in Leeds. The north crane is serviced every 300 hours by the workshop.',
  'Quentin Marlow leads Harbour Works Ltd. Quentin Marlow lives in Hull. The south crane is serviced every 500 hours by the workshop.',
  'Ottilie Brandt works for Tidal Bridge Company. Harbour Works Ltd owns Tidal Bridge Company. The old ferry is serviced every 700 hours by the workshop.',
];

/** Each kind of work and who carries it out; `service` ones are promised by the test, the others by what it asks of the service. */
const KINDS = [
  { kind: 'metadata_sync', handler: 'OutdatedMetadata', by: 'request' },
  { kind: 'generation_removal', handler: 'UnwantedGenerations', by: 'request' },
  { kind: 'file_removal', handler: 'UnownedFiles', by: 'request' },
  { kind: 'dataset_deletion', handler: 'DatasetDeletionRun', by: 'request' },
  { kind: 'dataset_purge', handler: 'DatasetPurgeRun', by: 'request' },
  { kind: 'kg_extraction', handler: 'KgExtractionRun', by: 'request' },
  { kind: 'profile_scan', handler: 'ProfileScan', by: 'request' },
  { kind: 'precheck_scan', handler: 'PrecheckScan', by: 'request' },
  { kind: 'governance_rescan', handler: 'RescanRun', by: 'request' },
  { kind: 'case_generation', handler: 'CaseGenerationRun', by: 'request' },
  { kind: 'reindex', handler: 'ReindexRun', by: 'service' },
  { kind: 'reconciliation', handler: 'Reconciliation', by: 'service' },
  { kind: 'reembedding_of_all', handler: 'ReembeddingOfAll', by: 'service' },
  { kind: 'upload_sweep', handler: 'StorageSweep', by: 'service' },
  { kind: 'retention_of_tasks', handler: 'FinishedTasks', by: 'service' },
  { kind: 'retention_of_webhook_deliveries', handler: 'ExpiredDeliveries', by: 'service' },
  { kind: 'retention_of_requests', handler: 'ExpiredRequests', by: 'service' },
  { kind: 'retention_of_conversations', handler: 'ExpiredConversations', by: 'service' },
  { kind: 'retention_of_idempotency_keys', handler: 'ExpiredIdempotencyKeys', by: 'service' },
] as const;

/**
 * Holds every handler while the file `hold` is there: at its first report, or else when its work is done and its end is not written
 * yet; and a precheck while what it read of a file lies on disk. Lines of `tries` say who was begun, those of `held` who is held.
 */
const PACKAGE = `
  import { appendFileSync, existsSync } from 'node:fs';
  import { join } from 'node:path';
  import { Inject, Module } from '@nestjs/common';
  import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
  import { definePlugin } from 'knowledge-base-service/extension';
  const folder = process.cwd();
  const handlers = new Set(${JSON.stringify(KINDS.map(({ handler }) => handler))});
  const hold = async (name) => {
    if (!existsSync(join(folder, 'hold'))) return;
    appendFileSync(join(folder, 'held'), name + '\\n');
    while (existsSync(join(folder, 'hold'))) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  class Holder {
    constructor(discovery) {
      this.discovery = discovery;
    }
    onModuleInit() {
      for (const { instance } of this.discovery.getProviders()) {
        const name = instance?.constructor?.name;
        if (name === 'PrecheckFolders' && !instance.isHeld) {
          const use = instance.use.bind(instance);
          instance.isHeld = true;
          instance.use = (work) =>
            use(async (folder) => {
              const result = await work(folder);
              if (existsSync(join(folder, '..', '..', '..', 'hold-folder'))) await hold(name);
              return result;
            });
        }
        if (!handlers.has(name) || instance.isHeld) continue;
        const run = instance.run.bind(instance);
        instance.isHeld = true;
        instance.run = async (task) => {
          appendFileSync(join(folder, 'tries'), name + ' ' + task.tries + '\\n');
          const report = async (progress) => {
            await task.report(progress);
            await hold(name);
          };
          const result = await run({ ...task, report });
          await hold(name);
          return result;
        };
      }
    }
  }
  Inject(DiscoveryService)(Holder, undefined, 0);
  class HoldingModule {}
  Module({ imports: [DiscoveryModule], providers: [Holder] })(HoldingModule);
  export default definePlugin({ name: 'acme-holder', modules: [HoldingModule] });
`;

/** A word of every sample, and of nothing else. */
const MARK = 'quokka-sample-5519';

interface Run {
  readonly status: string;
  readonly files: readonly { readonly verdict: string | null }[];
}

interface Told {
  readonly events: readonly { readonly id: number; readonly event: string; readonly data: { position?: number } }[];
}

interface LeftTask {
  readonly kind: string;
  readonly status: string;
}

interface MadeSet {
  readonly generation: { readonly status: string };
  readonly cases: readonly { readonly place: number; readonly query: string; readonly relevant: unknown }[];
}

describe('A service that SIGKILL ends in the middle of a task of each kind', () => {
  let service: ServiceProcess;
  let api: ApiClient;
  let folder: string;
  const kept = {
    dataset: '',
    document: '',
    purged: '',
    purge: '',
    deleted: '',
    graph: '',
    cases: '',
    all: [] as string[],
  };
  const looks = { profile: '', precheck: '', rescan: '' };
  let made = 0;
  let expected: object;

  beforeAll(async () => {
    folder = await writePlugin('acme-holder', PACKAGE);
    const settings = { PLUGINS: 'acme-holder', LEASE_SECONDS: '2' };
    service = await ServiceProcess.start({ settings, packages: { 'acme-holder': folder } });
    api = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  });
  afterAll(async () => {
    await service?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const linesOf = async (name: string): Promise<string[]> => {
    const path = join(service.folder, name);
    return existsSync(path) ? (await readFile(path, 'utf8')).trimEnd().split('\n') : [];
  };
  const query = <T>(sql: string, values: readonly unknown[], isEnough: (rows: readonly T[]) => boolean = () => true) =>
    queryUntil<T>(join(service.folder, 'data'), { sql, values, pauseMs: POLL_ROWS_MS }, isEnough);
  const upload = async (datasetId: string, text: string): Promise<string> => {
    const { id } = await api.upload(datasetId, { name: `${text}.md`, content: Buffer.from(`The ${text} is tight.\n`) });
    await api.pollUntilTerminal(id);
    return id;
  };

  async function graphOf(texts: readonly string[]): Promise<{ dataset: string; documents: string[] }> {
    const dataset = await api.createDataset(`told ${(made += 1)}`);
    const documents: string[] = [];
    for (const [n, content] of texts.entries()) {
      const { id } = await api.upload(dataset, { name: `told-${n}.txt`, content });
      await api.pollUntilTerminal(id);
      documents.push(id);
    }
    kept.all.push(...documents);
    return { dataset, documents };
  }

  /** One task of each kind. */
  async function promiseAll(): Promise<void> {
    kept.dataset = await api.createDataset('kept');
    kept.deleted = await api.createDataset('deleted');
    kept.document = await upload(kept.dataset, 'seal');
    kept.purged = await upload(kept.dataset, 'valve');
    await upload(kept.deleted, 'gasket');
    const told = await graphOf(TOLD);
    await buildGraph(api, told.dataset);
    kept.graph = (await graphOf(TOLD)).dataset;
    expected = await tellGraph(api, told.dataset);
    await writeFile(join(service.folder, 'hold'), '');
    await api.post('/kg/trigger', { dataset_id: kept.graph });
    const path = `/datasets/${told.dataset}`;
    const start = async (at: string, body: object): Promise<string> =>
      `${at}/${(await api.post<{ scan_run_id: string }>(at, body)).scan_run_id}`;
    looks.profile = await start(`${path}/profile/scans`, {});
    looks.precheck = await start(`${path}/precheck/scans`, { document_ids: told.documents });
    looks.rescan = `/governance/rescans/${(await api.post<{ id: string }>('/governance/rescans', { dataset_id: told.dataset })).id}`;
    const wanted = { dataset_id: kept.graph, count: 10, method: 'rules' };
    kept.cases = (await api.post<{ id: string }>('/evaluations/case-sets/generate', wanted)).id;
    await api.patch(`/documents/${kept.document}`, { metadata: { state: 'new' } });
    await api.delete(`/documents/${kept.purged}`);
    kept.purge = (await api.post<{ purge_id: string }>(`/datasets/${kept.dataset}/purge`, {})).purge_id;
    await api.delete(`/datasets/${kept.deleted}`);
    const [tenant] = await query<{ id: string }>(`SELECT tenant_id AS id FROM datasets LIMIT 1`, []);
    await query(
      `WITH intent AS (INSERT INTO store_intents (id, tenant_id, kind, subject, payload)
         VALUES (gen_random_uuid(), $1::uuid, 'remove_blob', $1 || '/' || gen_random_uuid() || '/' || gen_random_uuid(), '{}'))
       INSERT INTO tasks (id, tenant_id, kind, subject) VALUES (gen_random_uuid(), $1::uuid, 'file_removal', $1)`,
      [tenant!.id],
    );
    const own = KINDS.filter(({ by }) => by === 'service').map(({ kind }) => kind);
    await query(
      `INSERT INTO tasks (id, tenant_id, kind) SELECT gen_random_uuid(), $2::uuid, kind FROM unnest($1::text[]) AS k(kind)`,
      [own, NOWHERE],
    );
  }

  it('has each of them held, and ends it after the next start', async () => {
    await promiseAll();
    const isHeld = async (): Promise<boolean> => {
      const held = new Set(await linesOf('held'));
      return KINDS.every(({ handler }) => held.has(handler));
    };
    await until(isHeld, { what: 'every handler is held', withinMs: PATIENCE_MS });
    await service.kill('SIGKILL');
    await rm(join(service.folder, 'hold'));
    await service.start();
    const open = `SELECT kind, status FROM tasks WHERE status <> 'completed' AND kind = ANY ($1::text[])
      AND (not_before IS NULL OR not_before < now() + interval '1 hour')`;
    const kinds = KINDS.map(({ kind }) => kind);
    expect(await query<LeftTask>(open, [kinds], (rows) => rows.length === 0)).toEqual([]);
  });

  it.each(KINDS)('begins $kind again', async ({ handler }) => {
    const tries = (await linesOf('tries')).filter((line) => line.startsWith(`${handler} `));
    expect(tries).toEqual(expect.arrayContaining([`${handler} 1`, `${handler} 2`]));
  });

  it('has the graph that an extraction gives which nothing ended', async () => {
    expect(expected).not.toEqual({ nodes: [], edges: [] });
    expect(await tellGraph(api, kept.graph)).toEqual(expected);
    expect(await api.get(`/kg/${kept.graph}`)).toMatchObject({ status: 'completed', progress: { done: 3, total: 3 } });
  });

  it('has looked at each document once in a profile scan and a rescan', async () => {
    const profile = await api.get<{ summary: { documents: object } }>(looks.profile);
    expect(profile).toMatchObject({ status: 'completed', summary: { documents: { total: 3, with_text: 3 } } });
    expect(await api.get(looks.rescan)).toMatchObject({ status: 'completed', progress: { done: 3, total: 3 } });
    const left = `SELECT document_id FROM scanned_documents`;
    expect(await query(left, [], (rows) => rows.length === 0)).toEqual([]);
  });

  /** A precheck that went on after a kill: each file has its verdict, and each event was told once. */
  async function expectWhole(path: string, files: number): Promise<void> {
    const run = await api.get<Run>(path);
    expect(run).toMatchObject({ status: 'completed', progress: { done: files, total: files } });
    expect(run.files.map(({ verdict }) => verdict)).not.toContain(null);
    const { body } = await api.send<Told>('GET', `${path}/events?after=0`, undefined, { Accept: 'application/json' });
    expect(body.events.map(({ id }) => id)).toEqual(body.events.map((_, n) => n + 1));
    const positions = body.events.flatMap(({ event, data }) => (event === 'scan.file' ? [data.position] : []));
    expect(positions).toEqual(Array.from({ length: files }, (_, n) => n));
    expect(body.events.at(-1)!.event).toBe('scan.completed');
  }

  it('has looked at each document once in a precheck', () => expectWhole(looks.precheck, TOLD.length));

  it('keeps no byte of samples whose precheck is killed while one is being read', async () => {
    const holding = (): Promise<string[]> => filesHolding(join(service.folder, 'data'), MARK);
    for (const name of ['hold', 'hold-folder']) await writeFile(join(service.folder, name), '');
    const form = new FormData();
    for (let n = 0; n < 3; n += 1) {
      // Longer than the texts that come with the parser's answer: those never lie on disk.
      const lines = Array.from({ length: 1_000 }, (_, line) => `Line ${line} of ${MARK} ${n}.`);
      form.append('files', new Blob([lines.join('\n')]), `sample-${n}.txt`);
    }
    const at = `/datasets/${await api.createDataset('prechecked')}/precheck/scans`;
    const path = `${at}/${(await api.post<{ scan_run_id: string }>(at, form)).scan_run_id}`;
    const isHeld = async (): Promise<boolean> => (await linesOf('held')).includes('PrecheckFolders');
    await until(isHeld, { what: 'a sample lies on disk, read', withinMs: PATIENCE_MS });
    await service.kill('SIGKILL');
    expect((await holding()).some((file) => file.startsWith('work/'))).toBe(true);
    for (const name of ['hold', 'hold-folder']) await rm(join(service.folder, name));
    await service.start();
    expect((await holding()).filter((file) => file.includes('/precheck-'))).toEqual([]);
    const isEnded = async (): Promise<boolean> => (await api.get<Run>(path)).status === 'completed';
    await until(isEnded, { what: 'the end of the precheck', withinMs: PATIENCE_MS });
    await expectWhole(path, 3);
    expect(await holding()).toEqual([]);
  });

  it('has the cases that a generation makes which nothing ended', async () => {
    const wanted = { dataset_id: kept.graph, count: 10, method: 'rules' };
    const { id } = await api.post<{ id: string }>('/evaluations/case-sets/generate', wanted);
    const plain = async (set: string): Promise<unknown> => {
      const { generation, cases } = await api.get<MadeSet>(`/evaluations/case-sets/${set}`);
      return {
        status: generation.status,
        cases: cases.map((one) => [one.place, one.query, one.relevant]),
      };
    };
    const isMade = async (): Promise<boolean> =>
      (await api.get<MadeSet>(`/evaluations/case-sets/${id}`)).generation.status === 'completed';
    await until(isMade, { what: 'the cases', withinMs: PATIENCE_MS });
    const whole = await plain(id);
    expect(whole).toMatchObject({ status: 'completed', cases: { length: 3 } });
    expect(await plain(kept.cases)).toEqual(whole);
  });

  it('shows what was kept with its new metadata, and nothing else', async () => {
    const filters = { type: 'eq', key: 'metadata.state', value: 'new' };
    const found = await api.search('tight', [kept.dataset], { top_k: 20, filters });
    expect(found.results.map(({ document_id: id }) => id)).toEqual([kept.document]);
    const all = await api.search('tight', [kept.dataset], { top_k: 20 });
    expect(all.results.map(({ document_id: id }) => id)).toEqual([kept.document]);
    expect(await api.get(`/datasets/${kept.dataset}/purges/${kept.purge}`)).toMatchObject({ status: 'completed' });
    const rows = `SELECT 'document' AS what FROM documents WHERE id <> ALL ($1::uuid[]) UNION ALL SELECT kind FROM store_intents WHERE due_at <= now()`;
    expect(await query(rows, [[kept.document, ...kept.all]], (left) => left.length === 0)).toEqual([]);
    const behind = `SELECT id FROM documents WHERE metadata_seq <> stored_metadata_seq`;
    expect(await query(behind, [], (left) => left.length === 0)).toEqual([]);
  });
});
