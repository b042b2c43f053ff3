import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { ProfileLab } from '../testing/profile-lab.js';

const STORY = Array.from({ length: 60 }, (_, n) => `Sentence ${n} says that pump ${n * 7} is blue.`).join(' ');
const NEARLY = `${STORY} And one more.`;
const OTHER = Array.from({ length: 60 }, (_, n) => `The board met ${n} times about item ${n * 3}.`).join(' ');

let db: TestDatabase;
let lab: ProfileLab;
let owner: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  lab = new ProfileLab(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  owner = await createTestMember(db.unitOfWork, 'editor');
  dataset = await lab.addDataset(owner);
  lab.sections.clear();
});

const summaryOf = async (id: string) => (await lab.scans.read(owner.ctx, dataset, id)).summary!;
const leftOver = () => lab.documentLab.rows(owner, `SELECT 1 FROM scanned_documents`);

describe('a profile scan', () => {
  it('counts documents and shows their present names', async () => {
    const plain = await lab.put(owner, dataset, `jane.doe@example.org wrote: ${STORY}`, {
      metadata: { team: 'a' },
      chunk_count: 4,
      token_count: 400,
    });
    const damaged = await lab.put(owner, dataset, `${OTHER} GrÃ¼Ã\u009fe \uFFFD`, { language: 'de', token_count: 20 });
    const blank = await lab.put(owner, dataset, ' \n ', { chunk_count: 0, token_count: 0 });
    const fidelity = { pages: 4, pages_without_text: 3, pages_recognised: 1, pages_failed: 1 };
    const pdf = await lab.put(owner, dataset, OTHER.slice(0, 500), {
      media_type: 'application/pdf',
      page_count: 4,
      fidelity,
    });
    const waiting = await lab.documentLab.put(owner, dataset, { status: 'pending' });
    await lab.documentLab.rows(owner, `UPDATE documents SET name = 'renamed.txt' WHERE id = $1`, [damaged]);
    const summary = await summaryOf(await lab.scan(owner, dataset));
    expect(summary.documents).toMatchObject({
      total: 5,
      with_text: 4,
      empty: { count: 1 },
      without_chunks: { count: 1 },
    });
    expect(summary.documents.empty.documents).toEqual([{ document_id: blank, document_name: 'note.txt' }]);
    expect(summary.documents.by_status).toContainEqual({ value: 'pending', documents: 1, share: 0.2 });
    expect(summary.findings).toEqual([{ type: 'email', findings: 1, documents: 1 }]);
    expect(summary.tokens).toMatchObject({ count: 4, min: 0, p50: 7, max: 400, total: 427 });
    expect(summary.languages.map(({ value, documents }) => [value, documents])).toEqual([
      ['en', 3],
      ['de', 1],
    ]);
    expect(summary.encoding).toEqual({
      damaged: { count: 1, documents: [{ document_id: damaged, document_name: 'renamed.txt' }] },
      replaced_characters: 1,
      misread_sequences: 2,
    });
    expect(summary.pdf).toMatchObject({
      documents: 1,
      pages: 4,
      pages_without_text: 3,
      readable_share: 0.25,
      partly_readable: { count: 1 },
    });
    expect(summary.pdf.partly_readable.documents[0]!.document_id).toBe(pdf);
    expect(summary.metadata.fields).toEqual([{ value: 'team', documents: 1, share: 0.2 }]);
    expect(summary.metadata.without.documents.map(({ document_id }) => document_id)).not.toContain(plain);
    expect(summary.metadata.without.documents.map(({ document_id }) => document_id)).toContain(waiting);
    expect(await leftOver()).toEqual([]);
  });

  it('counts documents with the same name as another visible document', async () => {
    const former = await lab.put(owner, dataset, STORY);
    await lab.put(owner, dataset, OTHER, { same_name_id: former });
    const warned = async () => (await summaryOf(await lab.scan(owner, dataset))).warnings;
    expect(await warned()).toEqual([{ value: 'SAME_NAME', documents: 1, share: 0.5 }]);
    await lab.documentLab.rows(owner, `UPDATE documents SET quarantined_at = now() WHERE id = $1`, [former]);
    expect(await warned()).toEqual([]);
  });

  it('stores no sensitive content in names of metadata fields', async () => {
    await lab.put(owner, dataset, STORY, { metadata: { 'jane.doe@example.org': 'x' } });
    const summary = await summaryOf(await lab.scan(owner, dataset));
    expect(summary.metadata.fields).toEqual([{ value: '█'.repeat(20), documents: 1, share: 1 }]);
    expect(summary.findings).toEqual([{ type: 'email', findings: 1, documents: 1 }]);
    const stored = await lab.documentLab.rows(owner, `SELECT result FROM scan_runs`);
    expect(JSON.stringify(stored)).not.toContain('jane.doe');
  });

  it('finds equal files, equal texts and similar texts, with evidence', async () => {
    const [a, b] = [
      await lab.put(owner, dataset, STORY, { sha256: 'f1' }),
      await lab.put(owner, dataset, STORY, { sha256: 'f1' }),
    ];
    const c = await lab.put(owner, dataset, STORY, { sha256: 'f2' });
    const d = await lab.put(owner, dataset, NEARLY);
    await lab.put(owner, dataset, OTHER);
    const { duplicates } = await summaryOf(await lab.scan(owner, dataset));
    expect(duplicates.exact).toEqual({ groups: 2, documents: 3 });
    expect(duplicates.near).toEqual({ groups: 1, documents: 2, compared: 3 });
    const ids = duplicates.items.map(({ kind, documents }) => [kind, documents.map(({ document_id }) => document_id)]);
    expect(ids).toEqual([
      ['same_file', [a, b]],
      ['same_text', [a, b, c]],
      ['near', [a, d]],
    ]);
    expect(duplicates.items[2]!.pairs).toEqual([{ a, b: d, similarity: expect.closeTo(0.98, 1) }]);
  });

  it('counts documents that are stale by policy and by age', async () => {
    const old = await lab.put(owner, dataset, STORY);
    await lab.documentLab.rows(
      owner,
      `UPDATE document_revisions SET created_at = now() - interval '40 days' WHERE document_id = $1`,
      [old],
    );
    const former = await lab.put(owner, dataset, OTHER, { ingested_policy_version: 7 });
    const { scan_run_id: id } = await lab.scans.start(owner.ctx, dataset, {
      stale_after_days: 30,
      near_duplicate_threshold: null,
    });
    await lab.work(owner, dataset, id);
    const { stale, duplicates } = await summaryOf(id);
    expect(stale.age.documents.map(({ document_id }) => document_id)).toEqual([old]);
    expect(stale.policy.documents.map(({ document_id }) => document_id)).toEqual([former]);
    expect(stale.embedding.count).toBe(0);
    expect(duplicates.near).toBeNull();
  });

  it('leaves out documents that are deleted or quarantined, also since the scan', async () => {
    const [a, b] = [
      await lab.put(owner, dataset, STORY, { sha256: 'f1' }),
      await lab.put(owner, dataset, STORY, { sha256: 'f1' }),
    ];
    await lab.put(owner, dataset, STORY, { sha256: 'f1' }, { status: 'quarantined' });
    const gone = await lab.put(owner, dataset, STORY, { sha256: 'f1' });
    await lab.documentLab.rows(owner, `UPDATE documents SET deleted_at = now() WHERE id = $1`, [gone]);
    const id = await lab.scan(owner, dataset);
    expect((await summaryOf(id)).duplicates.items).toMatchObject([{ size: 2 }]);
    expect((await summaryOf(id)).documents.total).toBe(2);
    await lab.documentLab.rows(owner, `UPDATE documents SET deleted_at = now() WHERE id = $1`, [a]);
    await lab.documentLab.rows(owner, `UPDATE documents SET quarantined_at = now() WHERE id = $1`, [b]);
    const { duplicates, metadata } = await summaryOf(id);
    expect(duplicates.items).toEqual([]);
    expect(metadata.without).toEqual({ count: 2, documents: [] });
    const [stored] = await lab.documentLab.rows<{ result: unknown }>(
      owner,
      `SELECT result FROM scan_runs WHERE id = $1`,
      [id],
    );
    expect(JSON.stringify(stored)).not.toContain('note.txt');
  });

  it('continues where an earlier try was killed, and counts each document once', async () => {
    for (let n = 0; n < 230; n += 1) await lab.documentLab.put(owner, dataset, { status: 'failed' });
    const { scan_run_id: id } = await lab.scans.start(owner.ctx, dataset, {});
    const killed = new AbortController();
    let looks = 0;
    const signal = {
      throwIfAborted: () => {
        if (++looks > 155) killed.abort(new Error('killed'));
        killed.signal.throwIfAborted();
      },
    };
    await expect(lab.work(owner, dataset, id, { signal: signal as AbortSignal })).rejects.toThrow('killed');
    expect(await leftOver()).toHaveLength(150);
    expect((await lab.scans.read(owner.ctx, dataset, id)).progress).toEqual({ done: 150, total: 230 });
    await lab.work(owner, dataset, id);
    expect((await summaryOf(id)).documents.total).toBe(230);
    expect((await lab.scans.read(owner.ctx, dataset, id)).status).toBe('completed');
  });

  it('lets other tenants run after each page, and counts each document once', async () => {
    for (let n = 0; n < 11; n += 1) await lab.put(owner, dataset, `${STORY} ${n}`);
    const { scan_run_id: id } = await lab.scans.start(owner.ctx, dataset, {});
    expect(await lab.workInTurns(owner, dataset, id)).toBe(3);
    expect((await summaryOf(id)).documents.total).toBe(11);
  });

  it('publishes its completion once, and writes nothing after it was cancelled', async () => {
    const events = (id: string) =>
      lab.documentLab.systemRows(`SELECT payload FROM domain_events WHERE type = 'scan.completed' AND subject = $1`, [
        id,
      ]);
    const id = await lab.scan(owner, dataset);
    await lab.work(owner, dataset, id);
    expect(await events(id)).toEqual([{ payload: { scan_run_id: id, dataset_id: dataset, kind: 'profile' } }]);
    const { scan_run_id: other } = await lab.scans.start(owner.ctx, dataset, {});
    expect(await lab.scans.cancel(owner.ctx, dataset, other)).toMatchObject({ status: 'cancelled' });
    await lab.work(owner, dataset, other);
    expect(await lab.scans.read(owner.ctx, dataset, other)).toMatchObject({ status: 'cancelled', summary: null });
    expect(await events(other)).toEqual([]);
    await expect(lab.scans.cancel(owner.ctx, dataset, id)).rejects.toMatchObject({ status: 409, code: 'scans.ended' });
    expect(await lab.scans.cancel(owner.ctx, dataset, other)).toMatchObject({ status: 'cancelled' });
  });

  it('removes the data of a scan that is cancelled while it runs', async () => {
    for (let n = 0; n < 120; n += 1) await lab.documentLab.put(owner, dataset, { status: 'failed' });
    const { scan_run_id: id } = await lab.scans.start(owner.ctx, dataset, {});
    const onReport = () => lab.scans.cancel(owner.ctx, dataset, id);
    await expect(lab.work(owner, dataset, id, { onReport })).rejects.toMatchObject({ code: 'scans.ended' });
    expect(await leftOver()).toEqual([]);
  });
});

describe('profile scans of a dataset', () => {
  it('run one at a time, and the error names the running one', async () => {
    const { scan_run_id: id } = await lab.scans.start(owner.ctx, dataset, {});
    const refused = lab.scans.start(owner.ctx, dataset, {});
    await expect(refused).rejects.toMatchObject({
      status: 409,
      code: 'scans.already_running',
      message: expect.stringContaining(id),
    });
    await lab.work(owner, dataset, id);
    expect((await lab.scans.start(owner.ctx, dataset, {})).status).toBe('pending');
    expect((await lab.scans.overview(owner.ctx, dataset)).latest!.scan_run_id).toBe(id);
  });

  it('end with their task, whatever ended it', async () => {
    const { scan_run_id: id } = await lab.scans.start(owner.ctx, dataset, {});
    await lab.documentLab.systemRows(
      `UPDATE tasks SET status = 'failed', ended_at = now(), error_code = 'tasks.principal_gone', error = 'Gone.' WHERE subject = $1`,
      [id],
    );
    expect(await lab.scans.read(owner.ctx, dataset, id)).toMatchObject({
      status: 'failed',
      error: { code: 'tasks.principal_gone', message: 'Gone.' },
    });
    expect((await lab.scans.start(owner.ctx, dataset, {})).status).toBe('pending');
  });

  it('are compared number by number, with their configurations', async () => {
    await lab.put(owner, dataset, STORY);
    const first = await lab.scan(owner, dataset);
    await lab.put(owner, dataset, OTHER, { language: 'de' });
    const { scan_run_id: second } = await lab.scans.start(owner.ctx, dataset, { stale_after_days: 10 });
    await lab.work(owner, dataset, second);
    const diff = await lab.scans.diff(owner.ctx, dataset, second, first);
    expect(diff.config_changes).toEqual([{ pointer: '/stale_after_days', before: 365, after: 10 }]);
    expect(diff.changes).toContainEqual({ pointer: '/documents/total', before: 1, after: 2, change: 1 });
    expect(diff.changes).toContainEqual({ pointer: '/languages/de', before: null, after: 1, change: 1 });
    expect((await lab.scans.diff(owner.ctx, dataset, second, second)).changes).toEqual([]);
    expect(await lab.scans.diff(owner.ctx, dataset, second, undefined)).toEqual(diff);
    const alone = lab.scans.diff(owner.ctx, dataset, first, undefined);
    await expect(alone).rejects.toMatchObject({ status: 409, code: 'scans.nothing_before' });
    const { scan_run_id: open } = await lab.scans.start(owner.ctx, dataset, {});
    await expect(lab.scans.diff(owner.ctx, dataset, open, first)).rejects.toMatchObject({
      code: 'scans.not_completed',
    });
    await expect(lab.scans.diff(owner.ctx, dataset, first, newId())).rejects.toMatchObject({ code: 'scans.not_found' });
  });

  it('are visible only to callers who see the dataset', async () => {
    const hidden = await lab.addDataset(owner, 'only_me');
    const id = await lab.scan(owner, hidden);
    const colleague = await createTestMember(db.unitOfWork, 'owner', owner.tenantId);
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    for (const { ctx } of [colleague, foreigner]) {
      await expect(lab.scans.read(ctx, hidden, id)).rejects.toMatchObject({ code: 'datasets.not_found' });
      await expect(lab.scans.overview(ctx, hidden)).rejects.toMatchObject({ code: 'datasets.not_found' });
      await expect(lab.scans.start(ctx, hidden, {})).rejects.toMatchObject({ code: 'datasets.not_found' });
    }
    for (const absent of [id, newId(), 'no-id'])
      await expect(lab.scans.read(owner.ctx, dataset, absent)).rejects.toMatchObject({ code: 'scans.not_found' });
    const { scan_run_id: lost } = await lab.scans.start(owner.ctx, hidden, {});
    await expect(lab.work(colleague, hidden, lost)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });

  it('contain the sections of other modules, as far as the caller may see them', async () => {
    lab.sections.set('columns', {
      describe: async () => ({ columns: 3, hidden: 1 }),
      show: async () => ({ columns: 3 }),
    });
    const id = await lab.scan(owner, dataset);
    expect((await summaryOf(id)).sections).toEqual({ columns: { columns: 3 } });
    lab.sections.clear();
    expect((await summaryOf(id)).sections).toEqual({});
  });

  it('are kept up to the newest 50', async () => {
    for (let n = 0; n < 52; n += 1) await lab.scan(owner, dataset);
    expect(await lab.scans.list(owner.ctx, dataset, { skip: 0, limit: 1, order_by: '-created_at' })).toMatchObject({
      total: 50,
      items: [{ status: 'completed' }],
    });
  }, 60_000);
});
