import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aiErrors, type Embedder } from '#libs/ai';
import type { DocumentId } from '#libs/common';
import { TaskLeases, TaskLeasesRepository } from '#libs/tasks';
import { DEFAULT_POLICY, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { DocumentTransitions } from '../../documents/index.js';
import { IngestionTasksRepository, type ClaimedTask } from '../claiming/ingestion-tasks.repository.js';
import { LostDocuments } from '../../indexing/index.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

/** An embedder that runs a function of the test before it embeds. */
class Watched {
  before: (texts: readonly string[]) => Promise<void> = async () => undefined;

  wrap(builtIn: Embedder): Embedder {
    return {
      descriptor: builtIn.descriptor,
      countTokens: (texts, purpose) => builtIn.countTokens(texts, purpose),
      embed: async (texts, purpose, options) => {
        await this.before(texts);
        return builtIn.embed(texts, purpose, options);
      },
    };
  }
}

interface Row {
  readonly status: string;
  readonly waiting_reason: string | null;
  readonly progress: number;
  readonly error: { readonly code: string } | null;
}

const TEXT = 'The pump is serviced twice a year.';

describe('a document in ingestion', () => {
  const watched = new Watched();
  let lab: IngestionLab;
  beforeAll(async () => {
    lab = await IngestionLab.open({
      settings: { INGESTION_LEASE_SECONDS: '1', INGESTION_MAX_BEGINNINGS: '6' },
      embedder: (builtIn) => watched.wrap(builtIn),
    });
  });
  afterAll(() => lab.close());

  const rowOf = async (id: DocumentId): Promise<Row> =>
    (await lab.query<Row>(`SELECT status, waiting_reason, progress, error FROM documents WHERE id = $1`, [id]))[0]!;
  const eventsOf = async (id: DocumentId, event: string): Promise<Record<string, unknown>[]> =>
    (await lab.timeline(id)).filter((one) => one.event === event).map(({ details }) => details);
  const upload = async (content = TEXT): Promise<DocumentId> =>
    (await lab.upload(await lab.addDataset(), [{ name: 'pump.txt', content }]))[0]!;
  const wakeNow = async (): Promise<void> => {
    await lab.system(`UPDATE tasks SET not_before = NULL`);
    // The gate has the same pause.
    await new Promise((resolve) => setTimeout(resolve, 2_600));
    await lab.work();
  };

  it('waits when the model asks for a pause, keeps its progress, and continues from its checkpoint', async () => {
    const id = await upload();
    let refusals = 1;
    watched.before = async () => {
      if (refusals-- > 0) throw aiErrors.provider_unavailable({ provider: 'test', model: 'm' }, { retryAfter: 2 });
    };
    await lab.work();
    const waiting = await rowOf(id);
    expect(waiting).toMatchObject({ status: 'pending', waiting_reason: 'provider_backoff', error: null, progress: 45 });
    expect(await eventsOf(id, 'provider_backoff')).toMatchObject([{ code: 'ai.provider_unavailable' }]);
    const [task] = await lab.system<{ tries: number; ms: number }>(
      `SELECT tries, extract(epoch FROM not_before - now()) * 1000 AS ms FROM tasks WHERE id = $1`,
      [id],
    );
    expect(task!.tries).toBe(0);
    expect(Number(task!.ms)).toBeGreaterThan(500);
    await wakeNow();
    expect(await rowOf(id)).toMatchObject({ status: 'completed', waiting_reason: null, progress: 100 });
    expect(
      (await lab.timeline(id)).filter(({ event }) => event === 'checkpoint_resumed').map(({ stage }) => stage),
    ).toEqual(['parsing', 'chunking']);
  });

  it('is retried after a fault, and fails if the fault persists', async () => {
    const id = await upload('A text that no model can take.');
    watched.before = () => Promise.reject(new Error('a defect'));
    for (let tries = 1; tries < 5; tries++) {
      await lab.work();
      expect(await rowOf(id)).toMatchObject({ status: 'pending', waiting_reason: 'retry_backoff' });
      await lab.system(`UPDATE tasks SET not_before = NULL`);
    }
    await lab.work();
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      waiting_reason: null,
      error: { code: 'INTERNAL_ERROR', stage: 'embedding' },
    });
    watched.before = async () => undefined;
  });

  it('stops within two seconds when it is cancelled during its ingestion', async () => {
    const id = await upload('A text that takes its time.');
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (began = resolve));
    let done: () => void = () => undefined;
    watched.before = () => {
      began();
      return new Promise((resolve) => (done = resolve));
    };
    const work = lab.work();
    await begun;
    const [held] = await lab.system<{ token: string }>(`SELECT fencing_token AS token FROM tasks WHERE id = $1`, [id]);
    await lab.get(DocumentTransitions).cancel(lab.owner.ctx, [id]);
    expect(await lab.get(TaskLeasesRepository).extend([{ id, token: held!.token }], 1)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    done();
    await work;
    expect(await rowOf(id)).toMatchObject({ status: 'cancelled' });
    await lab.until(`SELECT 1 FROM store_intents WHERE subject = $1`, (n) => n === 2, [`${id}:${held!.token}`]);
    watched.before = async () => undefined;
  });

  it('gets the waiting reason `worker_lost` when its worker dies, and fails when that happens repeatedly', async () => {
    const id = await upload('A text that kills.');
    const leases = lab.get(TaskLeasesRepository);
    for (let n = 1; n <= 6; n++) {
      await lab.system(
        `UPDATE tasks SET lease_owner = 'dead', lease_expires_at = now() - interval '1 s', fencing_token = nextval('fencing_tokens'), tries = tries + 1
         WHERE id = $1`,
        [id],
      );
      await lab.query(
        `UPDATE documents SET status = 'processing', current_stage = 'chunking', fencing_token = $2 WHERE id = $1 RETURNING id`,
        [id, (await lab.system<{ t: string }>(`SELECT fencing_token AS t FROM tasks WHERE id = $1`, [id]))[0]!.t],
      );
      const lost = await leases.takeLost(10);
      await lab.get(LostDocuments).note(lost);
      expect(await rowOf(id)).toMatchObject({ status: 'processing', waiting_reason: 'worker_lost' });
    }
    await lab.work();
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error: { code: 'WORKER_LOST' } });
    expect(await eventsOf(id, 'checkpoint_resumed')).toEqual([{ reason: 'worker_lost' }]);
  });

  it('has its lease renewed together with the other documents of the run', async () => {
    const ids = [await upload(), await upload()];
    const tasks = lab.get(IngestionTasksRepository);
    const limits = { tenantRuns: 9, sharedRuns: 9, large: 9, tenantLarge: 9, largeFirst: false, agedSeconds: null };
    const claimed: ClaimedTask[] = [];
    for (const run of ['1', '2']) {
      claimed.push(...((await tasks.claim({ worker: 'w', run, leaseSeconds: 1, most: 1, limits })) ?? []));
    }
    expect(claimed).toHaveLength(ids.length);
    const keeper = lab.get(TaskLeases);
    const held = claimed.map(({ documentId, token }) => ({ id: documentId, token }));
    const signals = held.map((task) => keeper.hold(task));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await lab.get(TaskLeasesRepository).takeLost(10)).toEqual([]);
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false]);
    await lab.system(`DELETE FROM tasks WHERE id = $1`, [claimed[0]!.documentId]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    keeper.release(held);
    await lab.system(`DELETE FROM tasks WHERE id = ANY($1::uuid[])`, [ids]);
  });

  it('keeps the cited text until another one replaces it together with its chunks', async () => {
    const dataset = await lab.addDataset();
    const [id] = await lab.upload(dataset, [
      { name: 'latin.txt', content: Buffer.from('Die Prüfung der Maße.', 'latin1') },
    ]);
    await lab.work();
    const text = async (): Promise<string> =>
      (
        await lab.query<{ body: string }>(
          `SELECT s.body FROM document_segments s JOIN documents d ON d.visible_revision_id = s.revision_id WHERE d.id = $1`,
          [id],
        )
      )[0]!.body;
    expect(await text()).toContain('Prüfung der Maße');
    const policy: IngestionPolicy = { ...DEFAULT_POLICY, parsing: { ...DEFAULT_POLICY.parsing, charset: 'koi8-r' } };
    await lab.changePolicy(dataset, policy);
    await lab.reingest([id!]);
    let meanwhile = '';
    watched.before = async () => {
      meanwhile = await text();
    };
    await lab.work();
    watched.before = async () => undefined;
    expect(meanwhile).toContain('Prüfung der Maße');
    const after = await text();
    expect(after).not.toContain('Prüfung');
    const [chunk] = await lab.query<{ body: string; s: number; e: number; charset: string }>(
      `SELECT c.body, c.text_start::int AS s, c.text_end::int AS e, d.charset FROM chunks c JOIN documents d ON d.visible_chunk_set_id = c.chunk_set_id WHERE d.id = $1`,
      [id],
    );
    expect(after.slice(chunk!.s, chunk!.e)).toBe(chunk!.body);
    expect(chunk!.charset).toBe('koi8-r');
    await lab.clean(dataset);
    expect(await lab.query(`SELECT 1 FROM staged_segments`)).toEqual([]);
  });

  it('that fails in another ingestion is still found as before', async () => {
    const dataset = await lab.addDataset();
    const [id] = await lab.upload(dataset, [{ name: 'pump.txt', content: TEXT }]);
    await lab.work();
    await lab.changePolicy(dataset, {
      ...DEFAULT_POLICY,
      limits: { ...DEFAULT_POLICY.limits, max_text_characters: 5 },
      parsing: { ...DEFAULT_POLICY.parsing, charset: 'utf-8' },
    });
    await lab.reingest([id!]);
    await lab.work();
    const [row] = await lab.query<Record<string, unknown>>(
      `SELECT status, error ->> 'code' AS code, visible_generation IS NOT NULL AS shown, chunk_count, ingested_policy_version, policy_version FROM documents WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({
      status: 'failed',
      code: 'TEXT_TOO_LONG',
      shown: true,
      chunk_count: 1,
      ingested_policy_version: 1,
      policy_version: 2,
    });
  });
});
