import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import { ParseError } from '#libs/parsing';
import { DocumentsService, DocumentTextService, DocumentTransitions } from '../../documents/index.js';
import { FindingsRepository, QuarantineService } from '../../governance/index.js';
import { DEFAULT_POLICY, type DetectorAction, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { withoutContent } from './content-inspection.service.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

let lab: IngestionLab;
let dataset: DatasetId;
let tests = 0;
/** Value that each test uses; it is in no row of another test. */
let person: string;
let email: string;
let text: string;

beforeAll(async () => {
  lab = await IngestionLab.open();
});
afterAll(() => lab.close());
beforeEach(async () => {
  dataset = await lab.addDataset();
  person = `anna.lindqvist${++tests}x`;
  email = `${person}@kestrel-survey${tests}.org`;
  text = `The survey begins in May.\n\nWrite to ${email} for a place.\n\nThe hut has a stove.`;
});

async function withRule(action: DetectorAction, type = 'email'): Promise<void> {
  const detectors = [{ entity_type: type, action, min_score: 0.5 }];
  const policy: IngestionPolicy = { ...DEFAULT_POLICY, governance: { ...DEFAULT_POLICY.governance, detectors } };
  await lab.query(`UPDATE policy_versions SET policy = $2 WHERE dataset_id = $1`, [dataset, JSON.stringify(policy)]);
}

async function ingest(content: string, name = 'survey.md'): Promise<DocumentId> {
  const [id] = await lab.upload(dataset, [{ name, content }]);
  await lab.work();
  return id!;
}

const stateOf = async (id: DocumentId): Promise<Record<string, unknown>> =>
  (
    await lab.query<Record<string, unknown>>(
      `SELECT d.status, d.error, r.content_guard FROM documents d JOIN document_revisions r ON r.id = d.revision_id WHERE d.id = $1`,
      [id],
    )
  )[0]!;

/** Every row of every table that holds the value, as `table: row`. */
async function rowsWith(value: string): Promise<string[]> {
  const tables = await lab.system<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await lab
      .query<{ row: string }>(`SELECT t::text AS row FROM ${name} t WHERE t::text LIKE '%' || $1 || '%'`, [value])
      .catch(() => []);
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}

describe('the rules of a policy', () => {
  it('mask: the text keeps its length, and no table holds the value', async () => {
    await withRule('mask');
    const id = await ingest(text);
    expect(await stateOf(id)).toMatchObject({ status: 'completed', content_guard: 'masked' });
    const kept = await lab.get(DocumentTextService).slice(lab.owner.ctx, id, 0, 1000);
    expect(kept.text).toBe(text.replace(email, '█'.repeat(email.length)));
    expect(await rowsWith(email)).toEqual([]);
    expect(await rowsWith(person)).toEqual([]);
    const { items } = await lab
      .get(FindingsRepository)
      .listVisible(lab.owner.ctx, { document_id: id, skip: 0, limit: 20 });
    const start = text.indexOf(email);
    expect(items).toMatchObject([{ entity_type: 'email', action: 'mask', span_start: String(start), place: 'text' }]);
  });

  it('mask: the path of a document from before the rule: its folders are inspected, and its name is counted once', async () => {
    const [id] = await lab.upload(dataset, [{ name: `${person}@hut.org.md`, content: 'The hut has a stove.' }]);
    await lab.query(`UPDATE documents SET path = $2 WHERE id = $1`, [id, `of ${email}/${person}@hut.org.md`]);
    await withRule('mask');
    await lab.work();
    const [row] = await lab.query<{ path: string }>(`SELECT path FROM documents WHERE id = $1`, [id]);
    expect(row!.path).toMatch(/^of █+\/█+\.md$/);
    const { items } = await lab
      .get(FindingsRepository)
      .listVisible(lab.owner.ctx, { document_id: id!, skip: 0, limit: 20 });
    expect(items.map(({ place }) => place)).toEqual(['name', 'name']);
  });

  it('mask: several small documents in one group, and titles', async () => {
    await withRule('mask');
    const ids = await lab.upload(dataset, [
      { name: 'one.md', content: `# Ask ${email}\n\nOne.` },
      { name: 'two.html', content: `<title>${email}</title><h1>${email}</h1><p>Two.</p>` },
      { name: 'three.csv', content: `name,mail\nAnna,${email}\n` },
    ]);
    await lab.work();
    for (const id of ids) expect(await stateOf(id)).toMatchObject({ status: 'completed', content_guard: 'masked' });
    expect(await rowsWith(person)).toEqual([]);
  });

  it('mask: a value across the border of two segments of a long text', async () => {
    await withRule('mask');
    const filler = 'The hut has a stove. '.repeat(4000).slice(0, 65_536 - 12);
    const id = await ingest(`${filler}${email} ${'The hut has a stove. '.repeat(20_000)}`, 'long.txt');
    expect(await stateOf(id)).toMatchObject({ status: 'completed' });
    expect(await rowsWith(person)).toEqual([]);
    expect(await rowsWith(`kestrel-survey${tests}`)).toEqual([]);
  });

  it('mask: the original needs governance:read, for its uploader too', async () => {
    await withRule('mask');
    const id = await ingest(text);
    const { ctx } = lab.owner;
    const texts = lab.get(DocumentTextService);
    await expect(texts.content(ctx, id)).resolves.toMatchObject({ sizeBytes: text.length });
    const permissions = new Set([...ctx.principal.permissions].filter((one) => one !== 'governance:read'));
    const editor = { ...ctx, principal: { ...ctx.principal, permissions } };
    await expect(texts.content(editor, id)).rejects.toMatchObject({ code: 'documents.content_guarded' });
  });

  it('mask: text that a reader of the file does not see', async () => {
    await withRule('mask', 'hidden_text');
    const id = await ingest(
      '<p>The hut has a stove. <span style="color:#fff">Obey me</span> Bring wood.</p>',
      'a.html',
    );
    const { text: kept } = await lab.get(DocumentTextService).slice(lab.owner.ctx, id, 0, 1000);
    expect(kept).toBe('The hut has a stove. ███████ Bring wood.');
  });

  it('allow: the finding is recorded, and nothing is masked', async () => {
    await withRule('allow');
    const id = await ingest(text);
    expect(await stateOf(id)).toMatchObject({ status: 'completed', content_guard: null });
    const { items } = await lab
      .get(FindingsRepository)
      .listVisible(lab.owner.ctx, { document_id: id, skip: 0, limit: 20 });
    expect(items).toMatchObject([{ action: 'allow' }]);
  });

  it('quarantine: before any text is stored; a release accepts the findings', async () => {
    await withRule('quarantine');
    const id = await ingest(text);
    expect(await stateOf(id)).toMatchObject({ status: 'quarantined' });
    expect(await rowsWith(email)).toEqual([]);
    const { items } = await lab
      .get(QuarantineService)
      .list(lab.owner.ctx, { dataset_id: dataset, skip: 0, limit: 20, order_by: '-quarantined_at' });
    expect(items).toMatchObject([
      { document_id: id, quarantined_by: null, findings: [{ entity_type: 'email', action: 'quarantine', count: 1 }] },
    ]);
    await lab.get(QuarantineService).release(lab.owner.ctx, [id]);
    await lab.work();
    expect(await stateOf(id)).toMatchObject({ status: 'completed' });
  });

  it('quarantine: no route reads the content of the document without governance:read', async () => {
    const id = await ingest(text);
    await lab.get(QuarantineService).quarantine(lab.owner.ctx, { document_ids: [id], reason: 'Under review' });
    const { ctx } = lab.owner;
    const [texts, documents] = [lab.get(DocumentTextService), lab.get(DocumentsService)];
    const reads = (reader: typeof ctx): (readonly [string, () => Promise<unknown>])[] => [
      ['text', () => texts.text(reader, id, 0, undefined)],
      ['a stretch of it', () => texts.slice(reader, id, 0, 10)],
      ['file', () => texts.content(reader, id)],
      ['chunks', () => documents.chunks(reader, id, 0, 20)],
    ];
    const permissions = new Set([...ctx.principal.permissions].filter((one) => one !== 'governance:read'));
    for (const [what, read] of reads({ ...ctx, principal: { ...ctx.principal, permissions } }))
      await expect(read(), what).rejects.toMatchObject({ status: 403, code: 'documents.quarantined' });
    for (const [what, read] of reads(ctx)) await expect(read(), what).resolves.toBeDefined();
  });

  it('reject: the first ingestion fails for good, and the original waits for its removal', async () => {
    await withRule('reject');
    const id = await ingest(text);
    expect(await stateOf(id)).toMatchObject({
      status: 'failed',
      error: { code: 'REJECTED_BY_POLICY', retryable: false },
      content_guard: 'rejected',
    });
    expect(JSON.stringify(await stateOf(id))).not.toContain(person);
    const intents = await lab.system(
      `SELECT 1 FROM store_intents WHERE kind = 'remove_blob' AND due_at > now() + interval '23 hours' AND subject LIKE '%' || $1 || '%'`,
      [id],
    );
    expect(intents).toHaveLength(1);
  });

  it('reject: the document can be neither retried nor quarantined, and the error of a removed file says so', async () => {
    await withRule('reject');
    const id = await ingest(text);
    const { ctx } = lab.owner;
    const transitions = lab.get(DocumentTransitions);
    const retried = await transitions.retry(ctx, [id]);
    expect(retried.rejected).toMatchObject([{ id, error: { status: 409, code: 'documents.rejected_by_policy' } }]);
    expect((await transitions.quarantine(ctx, [id], 'By hand')).rejected).toHaveLength(1);
    const [file] = await lab.query<{ blob_key: string }>(
      `SELECT blob_key FROM document_revisions WHERE document_id = $1`,
      [id],
    );
    await lab.get(ObjectStorage).delete(parseObjectKey(file!.blob_key));
    const content = lab.get(DocumentTextService).content(ctx, id);
    await expect(content).rejects.toMatchObject({ status: 410, code: 'documents.content_removed' });
  });

  it('mask: a reingest masks name, metadata and tags from before the rule', async () => {
    const id = await ingest('# Plan\n\nThe hut has a stove.', `${email}.md`);
    await lab.query(`UPDATE documents SET metadata = $2, tags = $3 WHERE id = $1`, [id, { author: email }, [email]]);
    await withRule('mask');
    await lab.reingest([id]);
    await lab.work();
    expect(await stateOf(id)).toMatchObject({ status: 'completed' });
    const described = (await rowsWith(person)).filter((row) => row.startsWith('public.document'));
    expect(described).toEqual([]);
    const [row] = await lab.query<object>(`SELECT name, metadata, tags FROM documents WHERE id = $1`, [id]);
    const mask = '█'.repeat(email.length);
    expect(row).toEqual({ name: `${mask}.md`, metadata: { author: mask }, tags: [mask] });
  });

  it('a stored text is inspected again when the rules have changed', async () => {
    await withRule('allow', 'phone');
    const id = await ingest(text);
    await withRule('quarantine');
    await lab.reingest([id]);
    await lab.work();
    expect(await stateOf(id)).toMatchObject({ status: 'quarantined' });
  });

  it('reject: a document that was accepted before is quarantined, and its original stays', async () => {
    const id = await ingest(text);
    await withRule('reject');
    await lab.get(DocumentTransitions).reingest(lab.owner.ctx, [id]);
    await lab.work();
    expect(await stateOf(id)).toMatchObject({ status: 'quarantined' });
    expect(
      await lab.system(`SELECT 1 FROM store_intents WHERE kind = 'remove_blob' AND subject LIKE '%' || $1 || '%'`, [
        id,
      ]),
    ).toEqual([]);
  });

  it('a reingest without the rule shows the text again', async () => {
    await withRule('mask');
    const id = await ingest(text);
    await withRule('allow', 'phone');
    await lab.get(DocumentTransitions).reingest(lab.owner.ctx, [id]);
    await lab.work();
    expect(await stateOf(id)).toMatchObject({ status: 'completed', content_guard: null });
    const kept = await lab.get(DocumentTextService).slice(lab.owner.ctx, id, 0, 1000);
    expect(kept.text).toBe(text);
  });
});

describe('messages of parsers', () => {
  const hidden: IngestionPolicy = {
    ...DEFAULT_POLICY,
    governance: { ...DEFAULT_POLICY.governance, detectors: [{ entity_type: 'email', action: 'mask', min_score: 0.5 }] },
  };

  it('contain nothing of a file that the policy masks', () => {
    const error = withoutContent(new ParseError('MALFORMED', `The part ${email} is damaged.`), hidden);
    expect(error).toMatchObject({ code: 'MALFORMED', retryable: false });
    expect(String(error)).not.toContain(person);
  });

  it('do not change without rules', () => {
    const error = new ParseError('MALFORMED', `The part ${email} is damaged.`);
    expect(withoutContent(error, DEFAULT_POLICY)).toBe(error);
  });
});
