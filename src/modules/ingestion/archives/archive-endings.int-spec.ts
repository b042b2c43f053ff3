import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChunkSetId, DatasetId, DocumentId } from '#libs/common';
import { rowsOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { makeZip } from '../../../../libs/parsing/src/testing/make-zip.js';
import { DocumentLifecycle, DocumentsService, type Attempt, type BegunDocument } from '../../documents/index.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

let lab: IngestionLab;
let dataset: DatasetId;
beforeAll(async () => {
  lab = await IngestionLab.open();
});
afterAll(() => lab.close());
beforeEach(async () => {
  dataset = await lab.addDataset();
});

const FAILURE = { code: 'MALFORMED', message: 'broken', stage: 'parsing', retryable: false } as const;
const status = (id: DocumentId) => lab.get(DocumentsService).status(lab.owner.ctx, id);

/** An archive with this number of files, all completed. */
async function archiveOf(count: number): Promise<{ id: DocumentId; parts: DocumentId[] }> {
  const names = Array.from({ length: count }, (_, n) => `${String(n).padStart(3, '0')}.txt`);
  const content = makeZip(names.map((name) => ({ name, data: Buffer.from(`The pump ${name} is red.`) })));
  const [id] = await lab.upload(dataset, [{ name: 'many.zip', content, mediaType: 'application/zip' }]);
  await lab.work();
  const rows = await lab.query<{ id: DocumentId }>(`SELECT id FROM documents WHERE archive_id = $1 ORDER BY path`, [
    id,
  ]);
  return { id: id!, parts: rows.map((row) => row.id) };
}

/** Attempts on files by two workers. */
async function begin(ids: readonly DocumentId[]): Promise<BegunDocument[]> {
  await lab.reingest(ids);
  const attempts: Attempt[] = [];
  for (const documentId of ids) {
    const [row] = await lab.system<{ token: string }>(`SELECT nextval('fencing_tokens') AS token`);
    attempts.push({ documentId, token: row!.token });
  }
  const begun = await lab.get(DocumentLifecycle).begin(lab.owner.ctx, attempts);
  return ids.map((id) => begun.find(({ row }) => row.id === id)!);
}

/** Completes an attempt with the chunks that the document has; `alongside` in the transaction. */
async function complete(
  { row, attempt }: BegunDocument,
  {
    ctx = lab.owner.ctx,
    alongside = () => Promise.resolve(),
  }: { ctx?: RequestContext; alongside?: () => Promise<void> } = {},
): Promise<void> {
  const result = {
    attempt,
    chunkSetId: row.visible_chunk_set_id as ChunkSetId,
    chunkCount: row.chunk_count,
    tokenCount: 1,
    warnings: [],
    facts: null,
    metadataSeq: row.metadata_seq,
    policyVersion: 1,
    events: [{ event: 'completed', details: {} } as const],
  };
  await lab.get(DocumentLifecycle).complete(ctx, { datasetId: dataset, results: [result] }, alongside);
}

/** Number of events that the archive is completed. */
async function timesCompleted(id: DocumentId): Promise<[timeline: number, events: number]> {
  const told = (await lab.timeline(id)).filter(({ event }) => event === 'completed').length;
  const events = await lab.system(
    `SELECT 1 FROM domain_events WHERE type LIKE 'document.completed%' AND subject = $1`,
    [id],
  );
  return [told, events.length];
}

describe('the last two files of an archive', () => {
  /** The second transaction waits for a lock of the first one before that continues. */
  async function atOnce(
    first: (held: () => Promise<void>) => Promise<void>,
    second: () => Promise<void>,
  ): Promise<void> {
    let other: Promise<void> | undefined;
    await first(async () => {
      other = second();
      await lab.until(`SELECT 1 FROM pg_locks WHERE NOT granted`, (n) => n > 0);
    });
    await other;
  }

  it('complete it exactly once when two workers end their ingestion at once', async () => {
    const { id, parts } = await archiveOf(3);
    const [one, other] = await begin(parts.slice(1));
    const before = await timesCompleted(id);
    expect(await status(id)).toMatchObject({ status: 'processing' });
    await atOnce(
      (alongside) => complete(one!, { alongside }),
      () => complete(other!),
    );
    expect(await status(id)).toMatchObject({ status: 'completed', processing_progress: 100, warnings: [] });
    expect(await timesCompleted(id)).toEqual(before.map((times) => times + 1));
  });

  it('complete it exactly once, with its warning, when one of them fails', async () => {
    const { id, parts } = await archiveOf(3);
    const [one, other] = await begin(parts.slice(1));
    const before = await timesCompleted(id);
    await atOnce(
      (alongside) => complete(one!, { alongside }),
      () => lab.get(DocumentLifecycle).fail(lab.owner.ctx, other!.attempt, FAILURE, []),
    );
    const shown = await status(id);
    expect(shown).toMatchObject({ status: 'completed', warnings: [{ code: 'ARCHIVE_PARTS_FAILED' }] });
    expect(shown.warnings[0]!.detail).toContain(
      '1 of 3 files of the archive have failed: 002.txt (MALFORMED: broken).',
    );
    expect(await timesCompleted(id)).toEqual(before.map((times) => times + 1));
  });
});

describe('the end of one file of an archive', () => {
  /** Number of document rows read in the transaction that ended it. */
  async function readsOf(end: (ctx: RequestContext) => Promise<void>): Promise<number> {
    return lab.db.unitOfWork.run(lab.owner.ctx, async (manager, inner) => {
      const count = async (): Promise<number> => {
        const [row] = await rowsOf<{ reads: string }>(
          manager,
          `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS reads FROM pg_stat_xact_user_tables WHERE relname = 'documents'`,
        );
        return Number(row!.reads);
      };
      const before = await count();
      await end(inner);
      return (await count()) - before;
    });
  }

  it('reads the same number of rows, however many files there are', async () => {
    const reads: number[][] = [];
    for (const count of [6, 120]) {
      const { parts } = await archiveOf(count);
      const [done, failed] = await begin(parts.slice(0, 4));
      await runAnalyze();
      reads.push([
        await readsOf((ctx) => complete(done!, { ctx })),
        await readsOf((ctx) => lab.get(DocumentLifecycle).fail(ctx, failed!.attempt, FAILURE, [])),
      ]);
    }
    expect(
      reads[1]!.map((count, at) => count - reads[0]![at]!).filter((more) => more > 10),
      JSON.stringify(reads),
    ).toEqual([]);
  });

  it('updates its archive: progress, number of searchable files, and names of failed files', async () => {
    const { id, parts } = await archiveOf(4);
    const [one, two, three] = await begin(parts.slice(1));
    expect(await status(id)).toMatchObject({ status: 'processing', processing_progress: 25 });
    await lab.get(DocumentLifecycle).fail(lab.owner.ctx, one!.attempt, FAILURE, []);
    const shown = await status(id);
    expect(shown).toMatchObject({ status: 'processing', processing_progress: 50, searchable: true });
    expect(shown.warnings[0]!.detail).toContain(
      '1 of 4 files of the archive have failed: 001.txt (MALFORMED: broken).',
    );
    await complete(two!);
    expect(await status(id)).toMatchObject({ status: 'processing', processing_progress: 75, warnings: [{}] });
    await complete(three!);
    expect(await status(id)).toMatchObject({ status: 'completed', processing_progress: 100, warnings: [{}] });
    expect(
      await lab.query(`SELECT part_count, open_parts, failed_parts, searchable_parts FROM documents WHERE id = $1`, [
        id,
      ]),
    ).toEqual([{ part_count: 4, open_parts: 0, failed_parts: 1, searchable_parts: 4 }]);
  });
});

/** So that the plan is that of a table that was looked at. */
async function runAnalyze(): Promise<void> {
  const client = new Client({ connectionString: lab.db.url });
  await client.connect();
  await client.query('ANALYZE documents');
  await client.end();
}
