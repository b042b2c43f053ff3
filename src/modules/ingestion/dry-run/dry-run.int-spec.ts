import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels, EmbedderList, InstalledModels, ModelList, type Embedder } from '#libs/ai';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { chunkBlocks, type Chunk } from '#libs/text';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentLab, type DocumentInState } from '../../documents/testing/document-lab.js';
import { createDocumentsReader } from '../../documents/testing/documents-reader.js';
import { createPolicyServices, type PolicyServices } from '../../ingestion-policy/testing/policy-services.js';
import { DryRunRepository } from './dry-run.repository.js';
import { DryRunService } from './dry-run.service.js';
import { RevisionTextRepository } from '../../content/index.js';

const SENTENCES = Array.from({ length: 200 }, (_each, n) => `Sentence number ${n} says that pump ${n} is blue. `).join(
  '',
);

describe('a dry run of a policy', () => {
  const never = new AbortController().signal;
  let db: TestDatabase;
  let owner: TestMember;
  let lab: DocumentLab;
  let policies: PolicyServices;
  let trials: DryRunService;
  let models: InstalledModels;
  /** Number of tokens that the model reads. */
  let reads = 8_192;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    owner = await createTestMember(db.unitOfWork, 'editor');
    lab = new DocumentLab(db.unitOfWork);
    policies = createPolicyServices(db.unitOfWork);
    const { embedder } = await createModels(BUILTIN_MODELS);
    const own = {
      get descriptor() {
        // The space of the datasets of the lab.
        return { ...embedder.descriptor, space: 'space', maxInputTokens: reads };
      },
      countTokens: (texts: readonly string[]) => embedder.countTokens(texts, 'document'),
    } as unknown as Embedder;
    const none = new ModelList(null as never);
    models = new InstalledModels(new EmbedderList(own), none, none);
    trials = new DryRunService(
      new DatasetAccess(db.unitOfWork),
      createDocumentsReader(db.unitOfWork),
      policies.policies,
      new RevisionTextRepository(db.unitOfWork),
      new DryRunRepository(db.unitOfWork),
      models,
    );
  });
  beforeEach(async () => {
    dataset = await lab.addDataset(owner);
    await db.unitOfWork.run(owner.ctx, (_manager, ctx) => policies.policies.complete(ctx, { id: dataset }));
  });
  afterAll(async () => db.close());

  /** A document with a text, chunked as version 1 of the policy says. */
  async function put(text: string, document: DocumentInState = { status: 'completed' }): Promise<DocumentId> {
    const id = await lab.put(owner, dataset, document);
    const row = await lab.row(owner, id);
    const revision = row.visible_revision_id ?? row.revision_id;
    const run = (sql: string, values: readonly unknown[]) => lab.rows(owner, sql, values);
    await run(`UPDATE document_revisions SET text_fingerprint = 'x', text_length = $2 WHERE id = $1`, [
      revision,
      text.length,
    ]);
    const length = text.length > 100_000 ? 100_000 : 1_000;
    for (let at = 0; at < text.length; at += length) {
      const end = Math.min(at + length, text.length);
      const blocks = at === 0 ? [{ kind: 'paragraph', start: 0, end: text.length }] : [];
      await run(
        `INSERT INTO document_segments (tenant_id, revision_id, text_start, text_end, body, blocks) VALUES ($1, $2, $3, $4, $5, $6)`,
        [owner.tenantId, revision, at, end, text.slice(at, end), JSON.stringify(blocks)],
      );
    }
    if (row.visible_chunk_set_id === null) return id;
    await run(
      `INSERT INTO chunk_sets (id, tenant_id, document_id, revision_id, fingerprint, complete) VALUES ($1, $2, $3, $4, 'f', true)`,
      [row.visible_chunk_set_id, owner.tenantId, id, revision],
    );
    for (const chunk of await chunksOf(text)) {
      await run(
        `INSERT INTO chunks (id, tenant_id, document_id, chunk_set_id, ordinal, text_start, text_end, body, token_count, terms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '')`,
        [
          newId(),
          owner.tenantId,
          id,
          row.visible_chunk_set_id,
          chunk.ordinal,
          chunk.start,
          chunk.end,
          chunk.text,
          chunk.tokenCount,
        ],
      );
    }
    return id;
  }

  async function chunksOf(text: string): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    for await (const chunk of chunkBlocks([
      { start: 0, text, blocks: [{ kind: 'paragraph', start: 0, end: text.length }] },
    ]))
      chunks.push(chunk);
    return chunks;
  }

  const tryOut = (
    policy: object,
    documentIds: readonly string[],
    ctx: RequestContext = owner.ctx,
    id: string = dataset,
  ) => trials.run(ctx, id, { policy, document_ids: [...documentIds] }, never);

  it('shows the present chunks and those that the policy would make, and changes nothing', async () => {
    const id = await put(SENTENCES);
    const before = await lab.rows(owner, `SELECT d.*, (SELECT count(*) FROM chunks) AS n FROM documents d ORDER BY id`);
    const { documents } = await tryOut({ chunking: { strategy: 'sentence', chunk_size: 64 } }, [id, id.toUpperCase()]);
    expect(documents).toHaveLength(1);
    const { before: shown, after, warnings, text_truncated: cut } = documents[0]!;
    expect({ cut, warnings }).toEqual({ cut: false, warnings: [] });
    expect(shown).toMatchObject({ policy_version: 1, truncated: false });
    expect(shown!.chunks.map(({ text }) => text)).toEqual((await chunksOf(SENTENCES)).map(({ text }) => text));
    expect(shown!.chunk_count).toBe(shown!.chunks.length);
    expect(after).toMatchObject({ policy_version: null, truncated: false });
    expect(after.chunk_count).toBeGreaterThan(shown!.chunk_count);
    for (const chunk of after.chunks) expect(chunk.text).toBe(SENTENCES.slice(chunk.char_start, chunk.char_end));
    expect(
      await lab.rows(owner, `SELECT d.*, (SELECT count(*) FROM chunks) AS n FROM documents d ORDER BY id`),
    ).toEqual(before);
  });

  it('shows the same chunks for an equal policy', async () => {
    const id = await put(SENTENCES);
    const { documents } = await tryOut({}, [id]);
    expect(documents[0]!.after.chunks).toEqual(documents[0]!.before!.chunks);
  });

  it('cuts chunks to fit the model of the dataset, or warns that the model cannot read them in full', async () => {
    const id = await put(SENTENCES);
    reads = 100;
    try {
      const fitted = (await tryOut({ chunking: { fit_model: true } }, [id])).documents[0]!;
      expect(fitted.warnings).toEqual([]);
      expect(Math.max(...fitted.after.chunks.map(({ token_count: tokens }) => tokens))).toBeLessThanOrEqual(100);
      const { after, warnings } = (await tryOut({}, [id])).documents[0]!;
      expect(Math.max(...after.chunks.map(({ token_count: tokens }) => tokens))).toBeGreaterThan(100);
      expect(warnings).toMatchObject([{ code: 'CHUNKS_LONGER_THAN_MODEL', pointer: '/chunking/chunk_size' }]);
    } finally {
      reads = 8_192;
    }
  });

  it('counts all chunks but shows only the first ones', async () => {
    const id = await put(SENTENCES.repeat(20));
    const { documents } = await tryOut({ chunking: { chunk_size: 64, chunk_overlap: 0 } }, [id]);
    const { after } = documents[0]!;
    expect(after.truncated).toBe(true);
    expect(after.chunks.length).toBeLessThanOrEqual(200);
    expect(after.chunk_count).toBeGreaterThan(after.chunks.length);
    expect(after.token_count).toBeGreaterThan(after.chunks.reduce((sum, chunk) => sum + chunk.token_count, 0));
  });

  it('uses only the beginning of a very long text, before and after', async () => {
    const id = await put(SENTENCES.repeat(110));
    const { documents } = await tryOut({}, [id]);
    const { before, after, text_truncated: cut } = documents[0]!;
    expect(cut).toBe(true);
    expect(Math.abs(before!.chunk_count - after.chunk_count)).toBeLessThanOrEqual(1);
  });

  it('warns of effects that only another parsing or another upload would show', async () => {
    const id = await put(SENTENCES);
    const { documents } = await tryOut(
      {
        parsing: { charset: 'koi8-r', ocr: 'auto', types: { 'text/plain': { charset: 'utf-8' } } },
        governance: { allowed_types: ['application/pdf'], max_bytes: 1 },
        limits: { max_text_characters: 10 },
      },
      [id],
    );
    expect(documents[0]!.warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['NEEDS_PARSING', '/parsing/ocr'],
      ['NEEDS_PARSING', '/parsing/charset'],
      ['TYPE_NOT_ALLOWED', '/governance/allowed_types'],
      ['TOO_LARGE', '/governance/max_bytes'],
      ['TEXT_TOO_LONG', '/limits/max_text_characters'],
    ]);
  });

  it('is possible for a text without shown chunks', async () => {
    const id = await put(SENTENCES, { status: 'failed' });
    expect((await tryOut({}, [id])).documents[0]).toMatchObject({ before: null, after: { truncated: false } });
  });

  it('needs a text, a document of this dataset, and governance:read for quarantined documents', async () => {
    const pending = await lab.put(owner, dataset, { status: 'pending' });
    await expect(tryOut({}, [pending])).rejects.toMatchObject({ status: 409, code: 'documents.text_not_ready' });
    const elsewhere = await lab.put(owner, await lab.addDataset(owner), { status: 'completed' });
    for (const absent of [elsewhere, newId(), 'no-id'])
      await expect(tryOut({}, [absent])).rejects.toMatchObject({ status: 404, code: 'documents.not_found' });
    const quarantined = await put(SENTENCES, { status: 'quarantined' });
    await expect(tryOut({}, [quarantined])).rejects.toMatchObject({ status: 403, code: 'documents.quarantined' });
    const administrator = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    expect((await tryOut({}, [quarantined], administrator.ctx)).documents).toHaveLength(1);
  });

  it('refuses first a dataset that the caller does not see, then an invalid policy, before it looks for documents', async () => {
    const id = await put(SENTENCES);
    await expect(tryOut({ kg: { x: 1 } }, [newId()])).rejects.toMatchObject({
      status: 400,
      errors: [{ pointer: '/policy/kg/x' }],
    });
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    await expect(tryOut({ x: 1 }, [id], foreigner.ctx)).rejects.toMatchObject({ code: 'datasets.not_found' });
    await expect(tryOut({}, [id], owner.ctx, 'no-id')).rejects.toMatchObject({ code: 'datasets.not_found' });
  });

  it('ends when its caller leaves', async () => {
    const id = await put(SENTENCES);
    const gone = AbortSignal.abort(new Error('The caller has left.'));
    const request = { policy: { chunking: { chunk_size: 64 } }, document_ids: [id] };
    await expect(trials.run(owner.ctx, dataset, request, gone)).rejects.toThrow('The caller has left.');
  });
});
