import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { DEFAULT_POLICY } from '../../ingestion-policy/index.js';
import { DocumentTransitions } from '../../documents/index.js';
import { Checkpoints } from '../pipeline/checkpoints.service.js';
import { IngestionLab, type LabFile } from '../testing/ingestion-lab.js';
import { WriteStage } from '../pipeline/write.stage.js';

const FILES: readonly LabFile[] = [
  { name: 'pump.txt', content: 'The pump\n\nThe pump is serviced twice a year. Its valve opens at four bar.\n' },
  { name: 'guide.md', content: '# Guide\n\n## Valves\n\n- first\n- second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n' },
  {
    name: 'page.html',
    content: '<html><head><title>Page</title></head><body><h1>One</h1><p>Words here.</p></body></html>',
  },
  {
    name: 'latin.txt',
    content: Buffer.from('Die Prüfung der Ventile erfolgt jährlich, die Maße stehen im Anhang.', 'latin1'),
  },
  { name: 'long.txt', content: Array.from({ length: 400 }, (_, n) => `Sentence ${n} tells of the pump.`).join('\n\n') },
  { name: 'blank.txt', content: '   \n\n ' },
];
/** Columns that differ between two ingestions of the same file. */
const OWN = new Set(
  'id document_id revision_id chunk_set_id set_id visible_chunk_set_id visible_revision_id dataset_id blob_key sha256 tenant_id created_at updated_at started_at completed_at fencing_token visible_generation visibility_seq seq'.split(
    ' ',
  ),
);

describe('small documents that are ingested in a group', () => {
  let lab: IngestionLab;
  beforeAll(async () => {
    lab = await IngestionLab.open();
  });
  afterAll(() => lab.close());

  /** All stored rows of a document, without columns that differ in every ingestion. */
  const storedOf = async (id: DocumentId): Promise<Record<string, unknown[]>> => {
    const tables: Record<string, string> = {
      documents: `SELECT * FROM documents WHERE id = $1`,
      revisions: `SELECT * FROM document_revisions WHERE document_id = $1`,
      segments: `SELECT s.* FROM document_segments s JOIN document_revisions r ON r.id = s.revision_id WHERE r.document_id = $1 ORDER BY s.text_start`,
      sets: `SELECT * FROM chunk_sets WHERE document_id = $1`,
      terms: `SELECT t.part, encode(t.summary, 'hex') AS summary FROM chunk_set_terms t JOIN chunk_sets s ON s.id = t.chunk_set_id WHERE s.document_id = $1 ORDER BY t.part`,
      chunks: `SELECT c.*, encode(c.terms, 'hex') AS terms FROM chunks c WHERE document_id = $1 ORDER BY ordinal`,
      vectors: `SELECT v.space, encode(v.vector, 'hex') AS vector FROM chunk_vectors v JOIN chunks c ON c.id = v.chunk_id WHERE c.document_id = $1 ORDER BY c.ordinal`,
      events: `SELECT event, stage, details - 'ms' - 'steps' AS details FROM document_events WHERE document_id = $1 ORDER BY seq`,
    };
    const stored: Record<string, unknown[]> = {};
    for (const [name, sql] of Object.entries(tables)) {
      const rows = await lab.query<Record<string, unknown>>(sql, [id]);
      stored[name] = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !OWN.has(key))));
    }
    return stored;
  };
  const statuses = async (ids: readonly DocumentId[]): Promise<string[]> => {
    const rows = await lab.query<{ id: string; status: string }>(
      `SELECT id, status FROM documents WHERE id = ANY($1)`,
      [ids],
    );
    return ids.map((id) => rows.find((row) => row.id === id)!.status);
  };
  const ingest = async (datasetId: DatasetId, files: readonly LabFile[], alone: boolean): Promise<DocumentId[]> => {
    const ids = await lab.upload(datasetId, files);
    await lab.system(`UPDATE tasks SET alone = $1`, [alone]);
    await lab.work();
    return ids;
  };
  /** Number of transactions in which they were completed. */
  const runsOf = (ids: readonly DocumentId[]): Promise<{ n: number }[]> =>
    lab.query(`SELECT count(DISTINCT xmin::text)::int AS n FROM documents WHERE id = ANY($1)`, [ids]);

  it('have the same rows and timeline as when they are ingested one by one', async () => {
    const [together, single] = [await lab.addDataset(), await lab.addDataset()];
    const [some, others] = [await ingest(together, FILES, false), await ingest(single, FILES, true)];
    expect(await statuses([...some, ...others])).toEqual(Array(FILES.length * 2).fill('completed'));
    expect((await runsOf(some))[0]!.n).toBe(1);
    expect((await runsOf(others))[0]!.n).toBe(FILES.length);
    for (const [n, id] of some.entries()) expect(await storedOf(id)).toEqual(await storedOf(others[n]!));
    const counts = async (datasetId: DatasetId): Promise<number[]> => Object.values(await lab.stored(datasetId)).sort();
    expect(await counts(together)).toEqual(await counts(single));
  });

  it('have the same result when they are ingested again, from stored results', async () => {
    const [together, single] = [await lab.addDataset(), await lab.addDataset()];
    const [some, others] = [await ingest(together, FILES, false), await ingest(single, FILES, true)];
    await lab.reingest([...some, ...others]);
    await lab.system(`UPDATE tasks SET alone = id = ANY($1::uuid[])`, [others]);
    await lab.work();
    for (const [n, id] of some.entries()) expect(await storedOf(id)).toEqual(await storedOf(others[n]!));
    const events = await lab.timeline(some[0]!);
    expect(events.filter(({ event }) => event === 'checkpoint_resumed').map(({ stage }) => stage)).toEqual([
      'parsing',
      'chunking',
      'embedding',
    ]);
  });

  it('replace their chunks in one step under another policy, and no old chunks remain', async () => {
    const dataset = await lab.addDataset();
    const ids = await ingest(dataset, FILES.slice(0, 5), false);
    await lab.changePolicy(dataset, {
      ...DEFAULT_POLICY,
      chunking: { ...DEFAULT_POLICY.chunking, chunk_size: 128, chunk_overlap: 10 },
    });
    await lab.reingest(ids);
    await lab.work();
    await lab.clean(dataset);
    const sets = await lab.query<{ n: number; shown: number; chunks: number }>(
      `SELECT count(*)::int AS n, count(*) FILTER (WHERE s.id = d.visible_chunk_set_id)::int AS shown, sum(s.chunk_count)::int AS chunks
       FROM chunk_sets s JOIN documents d ON d.id = s.document_id WHERE d.dataset_id = $1`,
      [dataset],
    );
    expect(sets[0]).toMatchObject({ n: 5, shown: 5 });
    const stored = Object.values(await lab.stored(dataset)).reduce((sum, n) => sum + n, 0);
    expect(stored).toBe(sets[0]!.chunks);
    const versions = await lab.query(
      `SELECT DISTINCT ingested_policy_version AS v FROM documents WHERE dataset_id = $1`,
      [dataset],
    );
    expect(versions).toEqual([{ v: 2 }]);
  });

  it('are not affected by one with a damaged file', async () => {
    const dataset = await lab.addDataset();
    const broken: LabFile = { name: 'broken.pdf', content: '%PDF-1.7\nno pdf at all' };
    const ids = await ingest(dataset, [FILES[0]!, broken, { name: 'empty.txt', content: '' }, FILES[1]!], false);
    expect(await statuses(ids)).toEqual(['completed', 'failed', 'failed', 'completed']);
    const errors = await lab.query<{ error: { code: string; stage: string } }>(
      `SELECT error FROM documents WHERE id = ANY($1) AND status = 'failed' ORDER BY name`,
      [ids],
    );
    expect(errors.map(({ error }) => [error.code, error.stage])).toEqual([
      ['MALFORMED', 'parsing'],
      ['EMPTY_FILE', 'parsing'],
    ]);
  });

  it('continue without one that is cancelled meanwhile, and nothing of that one remains', async () => {
    const dataset = await lab.addDataset();
    const ids = await lab.upload(dataset, FILES.slice(0, 3));
    const stage = lab.get(WriteStage);
    const run = stage.run.bind(stage);
    stage.run = async (...parameters) => {
      const stored = await run(...parameters);
      await lab.get(DocumentTransitions).cancel(lab.owner.ctx, [ids[1]!]);
      return stored;
    };
    try {
      await lab.work();
    } finally {
      stage.run = run;
    }
    expect(await statuses(ids)).toEqual(['completed', 'cancelled', 'completed']);
    await lab.until(`SELECT 1 FROM store_intents WHERE subject LIKE $1`, (n) => n > 0, [`${ids[1]}:%`]);
    await lab.clean(dataset);
    expect(
      Object.keys(await lab.stored(dataset))
        .map((key) => key.slice(0, 36))
        .sort(),
    ).toEqual([ids[0]!, ids[2]!].sort());
  });

  it('continue without one that another worker has taken over', async () => {
    const dataset = await lab.addDataset();
    const ids = await lab.upload(dataset, FILES.slice(0, 3));
    const writer = lab.get(Checkpoints);
    const write = writer.write.bind(writer);
    writer.write = async (...parameters) => {
      await lab.query(`UPDATE documents SET fencing_token = fencing_token + 1000000 WHERE id = $1 RETURNING id`, [
        ids[0],
      ]);
      return write(...parameters);
    };
    const work = lab.work();
    try {
      await Promise.race([work, lab.until(`SELECT 1 FROM tasks WHERE id = ANY($1)`, (n) => n === 1, [ids])]);
    } finally {
      writer.write = write;
    }
    expect(await statuses(ids)).toEqual(['processing', 'completed', 'completed']);
    await lab.system(`DELETE FROM tasks`);
    await work;
  });

  it('continue one by one after a fault that cannot be assigned to one of them, which does not count as a try', async () => {
    const dataset = await lab.addDataset();
    const ids = await lab.upload(dataset, FILES.slice(0, 3));
    const writer = lab.get(Checkpoints);
    const write = writer.write.bind(writer);
    writer.write = (ctx, journals) =>
      journals.length > 1 ? Promise.reject(new Error('a defect')) : write(ctx, journals);
    try {
      await lab.work();
    } finally {
      writer.write = write;
    }
    expect(await statuses(ids)).toEqual(['completed', 'completed', 'completed']);
    expect((await lab.timeline(ids[0]!)).map(({ event, stage }) => [event, stage])).toEqual([
      ['created', null],
      ['queued', null],
      ['stage_started', 'parsing'],
      ['stage_started', 'parsing'],
      ['stage_completed', 'parsing'],
      ['stage_started', 'chunking'],
      ['stage_completed', 'chunking'],
      ['stage_started', 'embedding'],
      ['stage_completed', 'embedding'],
      ['stage_started', 'vector_write'],
      ['stage_completed', 'vector_write'],
      ['completed', null],
    ]);
  });
});
