import { Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aiErrors } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { TaskLeasesRepository } from '#libs/tasks';
import { DocumentTransitions } from '../../documents/index.js';
import { DEFAULT_POLICY } from '../../ingestion-policy/index.js';
import { LostDocuments, Reconciler, ReportWriter, type ReconciliationReport } from '../../indexing/index.js';
import {
  IngestionStep,
  StepFailed,
  type ChunkedState,
  type ParsedState,
  type StepAttempt,
  type StepOutput,
} from './ingestion-step.port.js';
import { IngestionSteps } from './ingestion-steps.service.js';
import { IngestionLab, type LabFile } from '../../ingestion/testing/ingestion-lab.js';

/** Additional behaviour of the steps, set by each test. */
const behaviour = {
  headings: async (_attempt: StepAttempt): Promise<void> => undefined,
  words: async (_attempt: StepAttempt): Promise<void> => undefined,
  last: async (_attempt: StepAttempt): Promise<void> => undefined,
};
const QUIET = { ...behaviour };

@Injectable()
@IngestionStep({ name: 'headings', at: 'after_parsing', tables: ['headings'], onFailure: 'fail' })
class HeadingsStep implements IngestionStep<'after_parsing'> {
  async *run(attempt: StepAttempt, state: ParsedState): AsyncGenerator<StepOutput> {
    for await (const { start, text, blocks } of state.segments()) {
      const rows = blocks
        .filter(({ kind }) => kind === 'heading')
        .map((block) => ({ text_start: block.start, body: text.slice(block.start - start, block.end - start) }));
      yield { kind: 'rows', table: 'headings', rows };
    }
    await behaviour.headings(attempt);
  }
}

@Injectable()
@IngestionStep({ name: 'words', at: 'after_chunking', tables: ['chunk_words'], onFailure: 'warn' })
class WordsStep implements IngestionStep<'after_chunking'> {
  async *run(attempt: StepAttempt, state: ChunkedState): AsyncGenerator<StepOutput> {
    for await (const { id, text, start } of state.chunks()) {
      const words = text.split(/\s+/).filter((word) => word !== '');
      const rows = words.map((word, place) => ({ chunk_id: id, place, word, text_start: start }));
      yield { kind: 'rows', table: 'chunk_words', rows };
    }
    await behaviour.words(attempt);
  }
}

@Injectable()
@IngestionStep({ name: 'last', at: 'before_switch', tables: [], onFailure: 'fail' })
class LastStep implements IngestionStep<'before_switch'> {
  async *run(attempt: StepAttempt, state: ChunkedState): AsyncGenerator<StepOutput> {
    await behaviour.last(attempt);
    if (state.chunkCount > 1) yield { kind: 'warning', code: 'MANY_CHUNKS', detail: `${state.chunkCount} chunks.` };
  }
}

@Module({ providers: [HeadingsStep, WordsStep, LastStep] })
class StepsModule {}

const TABLES = `
  CREATE TABLE headings (tenant_id uuid NOT NULL, document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    generation bigint NOT NULL, text_start bigint NOT NULL, body text NOT NULL, seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (document_id, generation, text_start));
  CREATE TABLE chunk_words (tenant_id uuid NOT NULL, document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    generation bigint NOT NULL, chunk_id uuid NOT NULL REFERENCES chunks (id) ON DELETE CASCADE, place int NOT NULL, word text NOT NULL,
    text_start bigint NOT NULL, PRIMARY KEY (document_id, generation, chunk_id, place));
  CREATE TABLE loose (tenant_id uuid, document_id uuid, generation bigint);
  ${['headings', 'chunk_words']
    .map(
      (table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY tenant_isolation ON ${table} USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
        GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO kb_app;`,
    )
    .join('\n')}`;

const GUIDE: LabFile = { name: 'guide.md', content: '# Guide\n\nThe pump.\n\n## Valves\n\nThey open at four bar.\n' };
const LONG: LabFile = {
  name: 'long.md',
  content: Array.from({ length: 3_000 }, (_, n) => `# Part ${n}\n\nSentence ${n} tells of the pump.`).join('\n\n'),
};

describe('steps of ingestion that other modules contribute', () => {
  let lab: IngestionLab;
  let dataset: DatasetId;
  beforeAll(async () => {
    lab = await IngestionLab.open({
      settings: { INGESTION_LEASE_SECONDS: '1' },
      beside: StepsModule,
      tables: TABLES,
    });
    await lab.get(IngestionSteps).onApplicationBootstrap();
  });
  beforeEach(async () => {
    Object.assign(behaviour, QUIET);
    dataset = await lab.addDataset();
  });
  afterAll(() => lab.close());

  const upload = (...files: LabFile[]): Promise<DocumentId[]> => lab.upload(dataset, files);
  /** All rows of a step's table that a document has, and those that a reader sees. */
  const rowsOf = async (
    table: string,
    id: DocumentId,
  ): Promise<{ all: number; shown: number; generations: number }> => {
    const [row] = await lab.query<{ all: number; shown: number; generations: number }>(
      `SELECT count(*)::int AS all, count(DISTINCT s.generation)::int AS generations,
         count(*) FILTER (WHERE d.visible_generation = s.generation AND d.deleted_at IS NULL)::int AS shown
       FROM ${table} s JOIN documents d ON d.id = s.document_id WHERE s.document_id = $1`,
      [id],
    );
    return row!;
  };
  const stateOf = async (id: DocumentId): Promise<unknown> =>
    (
      await lab.query(
        `SELECT status, error ->> 'code' AS code, error ->> 'stage' AS stage, warnings FROM documents WHERE id = $1`,
        [id],
      )
    )[0];
  const retryNow = async (): Promise<void> => {
    await lab.system(`UPDATE tasks SET not_before = NULL`);
    await lab.work();
  };

  const reconcile = async (): Promise<ReconciliationReport> => {
    const report = new ReportWriter();
    await lab.get(Reconciler).run(lab.owner.ctx, report);
    return report.report();
  };

  it.each([1, 3])('write their rows under the generation that is shown, for %i documents at once', async (count) => {
    const ids = await upload(...Array.from({ length: count }, () => GUIDE));
    await lab.work();
    for (const id of ids) {
      expect(await stateOf(id)).toMatchObject({ status: 'completed', warnings: [] });
      expect(await rowsOf('headings', id)).toEqual({ all: 2, shown: 2, generations: 1 });
      const words = await rowsOf('chunk_words', id);
      expect(words).toMatchObject({ generations: 1, shown: words.all });
      expect(words.all).toBeGreaterThan(0);
    }
    const bodies = await lab.query<{ body: string; later: boolean }>(
      `SELECT body, seen_at IS NOT NULL AS later FROM headings WHERE document_id = $1 ORDER BY text_start`,
      [ids[0]],
    );
    expect(bodies).toMatchObject([{ later: true }, { later: true }]);
    expect(bodies[1]!.body).toContain('Valves');
    expect(
      (await lab.system<{ n: number }>(`SELECT count(*)::int AS n FROM pg_class WHERE relname = 'headings'`))[0]!.n,
    ).toBe(1);
  });

  it('get a long document in pieces, and their durations count as parts of the stages', async () => {
    const [id] = await upload(LONG);
    await lab.work();
    expect(await rowsOf('headings', id!)).toEqual({ all: 3_000, shown: 3_000, generations: 1 });
    expect(await stateOf(id!)).toMatchObject({ status: 'completed', warnings: [{ code: 'MANY_CHUNKS' }] });
    const stages = (await lab.timeline(id!)).filter(({ event }) => event === 'stage_completed');
    const steps = stages.map(({ stage, details }) => [
      stage,
      Object.keys((details['steps'] as object | undefined) ?? {}),
    ]);
    expect(steps).toEqual([
      ['parsing', ['tables', 'headings']],
      ['chunking', ['kg', 'words']],
      ['embedding', []],
      ['vector_write', ['last']],
    ]);
    for (const { details } of stages) {
      const spent = Object.values((details['steps'] ?? {}) as Record<string, number>);
      expect(Number(details['ms'])).toBeGreaterThanOrEqual(spent.reduce((sum, ms) => sum + ms, 0));
    }
  });

  it('replace their rows when a document is ingested again, together with its chunks', async () => {
    const [id] = await upload(GUIDE);
    await lab.work();
    let meanwhile: unknown;
    behaviour.last = async () => {
      meanwhile = await rowsOf('headings', id!);
    };
    await lab.changePolicy(dataset, { ...DEFAULT_POLICY, parsing: { ...DEFAULT_POLICY.parsing, charset: 'utf-8' } });
    await lab.reingest([id!]);
    await lab.work();
    expect(meanwhile).toEqual({ all: 4, shown: 2, generations: 2 });
    await lab.clean(dataset);
    expect(await rowsOf('headings', id!)).toEqual({ all: 2, shown: 2, generations: 1 });
    expect(await rowsOf('chunk_words', id!)).toMatchObject({ generations: 1 });
  });

  it('can fail a document with their own code, without affecting others of its group; a retry replaces their rows', async () => {
    const ids = await upload(GUIDE, { ...GUIDE, name: 'bad.md' }, GUIDE);
    behaviour.headings = async ({ document }) => {
      if (document.name === 'bad.md') throw new StepFailed('NO_PUMPS', 'There is no pump in it.', true);
    };
    await lab.work();
    const states = await Promise.all(ids.map(stateOf));
    expect(states).toMatchObject([
      { status: 'completed' },
      { status: 'failed', code: 'NO_PUMPS', stage: 'parsing' },
      { status: 'completed' },
    ]);
    expect(await rowsOf('headings', ids[1]!)).toMatchObject({ shown: 0 });
    Object.assign(behaviour, QUIET);
    await lab.get(DocumentTransitions).retry(lab.owner.ctx, [ids[1]!]);
    await lab.work();
    await lab.clean(dataset);
    expect(await stateOf(ids[1]!)).toMatchObject({ status: 'completed' });
    expect(await rowsOf('headings', ids[1]!)).toEqual({ all: 2, shown: 2, generations: 1 });
    const resumed = (await lab.timeline(ids[1]!)).filter(({ event }) => event === 'checkpoint_resumed');
    expect(resumed.map(({ stage }) => stage)).toEqual(['parsing']);
  });

  it('are retried after a fault, which does not affect other documents', async () => {
    const ids = await upload(GUIDE, { ...GUIDE, name: 'bad.md' });
    let faults = 1;
    behaviour.last = async ({ document }) => {
      if (document.name === 'bad.md' && faults-- > 0) throw new Error('a defect');
    };
    await lab.work();
    expect(await stateOf(ids[0]!)).toMatchObject({ status: 'completed' });
    expect(await stateOf(ids[1]!)).toMatchObject({ status: 'pending' });
    await retryNow();
    expect(await stateOf(ids[1]!)).toMatchObject({ status: 'completed' });
    await lab.clean(dataset);
    expect(await rowsOf('headings', ids[1]!)).toEqual({ all: 2, shown: 2, generations: 1 });
  });

  it('let a document wait when their dependency is busy', async () => {
    const [id] = await upload(GUIDE);
    behaviour.headings = async ({ tries }) => {
      if (tries === 1) throw aiErrors.provider_unavailable({ provider: 'test', model: 'm' }, { retryAfter: 2 });
    };
    await lab.work();
    const [row] = await lab.query(`SELECT status, waiting_reason FROM documents WHERE id = $1`, [id]);
    expect(row).toEqual({ status: 'pending', waiting_reason: 'provider_backoff' });
    Object.assign(behaviour, QUIET);
    await retryNow();
    expect(await stateOf(id!)).toMatchObject({ status: 'completed' });
  });

  it('with `onFailure: warn` do not fail the document: their rows are removed, and a warning stays', async () => {
    const ids = await upload(GUIDE, LONG);
    await lab.system(`UPDATE tasks SET alone = id = $1`, [ids[1]]);
    behaviour.words = async () => {
      throw new StepFailed('TOO_MANY_WORDS', 'Too many words.');
    };
    await lab.work();
    for (const id of ids) {
      expect(await stateOf(id)).toMatchObject({ status: 'completed' });
      expect(JSON.stringify(await stateOf(id))).toContain('TOO_MANY_WORDS');
      expect(await rowsOf('chunk_words', id)).toEqual({ all: 0, shown: 0, generations: 0 });
    }
  });

  it('write nothing for an attempt that has ended, and their signal is aborted', async () => {
    const [id] = await upload(GUIDE);
    let reason: unknown;
    behaviour.headings = async ({ signal, document }) => {
      await lab.get(DocumentTransitions).cancel(lab.owner.ctx, [document.id]);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = signal.reason;
    };
    await lab.work();
    expect(await stateOf(id!)).toMatchObject({ status: 'cancelled' });
    expect((reason as Error).name).toBe('AttemptEnded');
    await lab.clean(dataset);
    expect(await rowsOf('headings', id!)).toEqual({ all: 0, shown: 0, generations: 0 });
  });

  it('of a worker that lost its lease cannot write beside those of the worker that took over', async () => {
    const [id] = await upload(GUIDE);
    // The worker does not notice, like a process that was suspended.
    const leases = lab.get(TaskLeasesRepository);
    const extend = leases.extend.bind(leases);
    leases.extend = async (held) => held.map(({ id: heldId }) => ({ id: heldId, isCancelled: false }));
    let attempts = 0;
    let wake: () => void = () => undefined;
    const zombie = new Promise<void>((resolve) => (wake = resolve));
    behaviour.headings = async ({ document }) => {
      attempts += 1;
      if (attempts > 1) return;
      // The lease expires while the step works; when it continues, another attempt has the document.
      await lab.system(`UPDATE tasks SET lease_expires_at = now() - interval '1 s' WHERE id = $1`, [document.id]);
      await lab.get(LostDocuments).note(await leases.takeLost(10));
      lab.wake();
      await zombie;
    };
    const work = lab.work();
    await lab.until(`SELECT 1 FROM tasks WHERE id = $1`, (n) => n === 0, [id]);
    wake();
    await work;
    leases.extend = extend;
    expect(attempts).toBe(2);
    expect(await stateOf(id!)).toMatchObject({ status: 'completed' });
    expect(await rowsOf('headings', id!)).toEqual({ all: 2, shown: 2, generations: 1 });
  });

  it('leave no rows after a deletion, a purge, or the deletion of a dataset', async () => {
    const [id, other] = await upload(GUIDE, GUIDE);
    await lab.work();
    await lab.get(DocumentTransitions).delete(lab.owner.ctx, [id!]);
    expect(await rowsOf('headings', id!)).toMatchObject({ shown: 0 });
    await lab.query(`DELETE FROM documents WHERE id = $1 RETURNING id`, [id]);
    const left = await lab.query(
      `SELECT DISTINCT document_id AS id FROM headings WHERE document_id = ANY($1::uuid[])`,
      [[id, other]],
    );
    expect(left).toEqual([{ id: other }]);
  });

  it('whose package was missing when a generation was removed have its rows, and no others, removed by a reconciliation', async () => {
    // Documents of other tests wait too.
    await reconcile();
    for (const { id: other } of await lab.query<{ id: DatasetId }>(`SELECT id FROM datasets`, []))
      await lab.clean(other);
    const [id] = await upload(GUIDE);
    await lab.work();
    await lab.reingest([id!]);
    await lab.changePolicy(dataset, { ...DEFAULT_POLICY, parsing: { ...DEFAULT_POLICY.parsing, charset: 'utf-8' } });
    let whileWritten: unknown;
    behaviour.last = async () => {
      await reconcile();
      await lab.clean(dataset);
      whileWritten = await rowsOf('headings', id!);
    };
    await lab.work();
    expect(whileWritten).toEqual({ all: 4, shown: 2, generations: 2 });
    const steps = lab.get(IngestionSteps);
    Object.defineProperty(steps, 'tables', { value: [], configurable: true });
    await lab.clean(dataset);
    await reconcile();
    await lab.clean(dataset);
    Reflect.deleteProperty(steps, 'tables');
    expect(await rowsOf('headings', id!)).toEqual({ all: 4, shown: 2, generations: 2 });
    // A generation newer than the document's last attempt is not known to be obsolete.
    await lab.query(
      `INSERT INTO headings (tenant_id, document_id, generation, text_start, body)
       SELECT tenant_id, id, fencing_token + 1000, 0, 'later' FROM documents WHERE id = $1`,
      [id],
    );
    const words = await rowsOf('chunk_words', id!);
    const gone = 2 + words.all - words.shown;
    expect(await reconcile()).toMatchObject({ awaiting_removal: gone, seen: { foreign_vectors: 0 } });
    expect(await reconcile()).toMatchObject({ awaiting_removal: gone });
    await lab.clean(dataset);
    expect(await rowsOf('headings', id!)).toEqual({ all: 3, shown: 2, generations: 2 });
    expect(await rowsOf('chunk_words', id!)).toMatchObject({ all: words.shown, generations: 1 });
    expect(await reconcile()).toMatchObject({ awaiting_removal: 0 });
  });

  it('prevent the start if rows in their tables could remain after the document or be visible to other tenants', async () => {
    const steps = lab.get(IngestionSteps);
    Object.defineProperty(steps, 'tables', { value: ['loose', 'nowhere'], configurable: true });
    const start = steps.onApplicationBootstrap();
    Reflect.deleteProperty(steps, 'tables');
    await expect(start).rejects.toThrow(
      /loose needs the columns.*\n.*loose needs ENABLE.*\n.*loose needs document_id REFERENCES.*\n.*loose needs an index.*\n.*nowhere does not exist/,
    );
  });
});
