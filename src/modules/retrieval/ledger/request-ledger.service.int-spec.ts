import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type ApiKeyId, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import type { SearchRequest } from '../search/retrieval.service.js';
import { ExplainLab, type DocumentInState } from '../testing/explain-lab.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import type { RetrievalModels } from '../testing/retrieval-services.js';
import type { RequestKind } from './request-ledger.entity.js';

const PUMP = 'The hydraulic pump must be serviced every 500 hours.';
const SIGNAL = new AbortController().signal;

describe('the ledger of requests', () => {
  let db: TestDatabase;
  let models: RetrievalModels;
  let lab: ExplainLab;
  let dataset: DatasetId;
  let document: DocumentInState;

  beforeAll(async () => {
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
  });
  afterAll(async () => db.close());
  beforeEach(async () => {
    lab = await ExplainLab.open(db, new MemoryVectorStore(), models);
    dataset = await lab.dataset();
    document = await lab.document(dataset, [PUMP, 'A valve.']);
    await lab.document(dataset, ['The pump is blue.']);
  });

  const named = (requestId: string, by: TestMember = lab.owner): RequestContext => ({ ...by.ctx, requestId });
  const ask = async (
    ctx: RequestContext,
    more: Partial<SearchRequest> = {},
    kind: RequestKind = 'search',
  ): Promise<void> => {
    const request = { query: 'hydraulic pump serviced', dataset_ids: [dataset], ...more };
    await lab.services.recorded.retrieve(ctx, request, { kind });
  };
  const read = (ctx: RequestContext, id: string) => lab.services.requests.get(ctx, id);
  const replay = (ctx: RequestContext, id: string) => lab.services.requests.replay(ctx, id, SIGNAL);
  const rowText = async (id: string): Promise<string> => {
    const [row] = await lab.sql<{ row: string }>(
      `SELECT to_jsonb(l)::text AS row FROM request_ledger l WHERE request_id = $1`,
      [id],
    );
    return row!.row;
  };

  it('keeps what was asked and which chunks were found, and no text of documents', async () => {
    const id = newId();
    await ask(named(id), { top_k: 2, filters: { type: 'exists', key: 'language' } });
    const record = await read(lab.owner.ctx, id);
    expect(record).toMatchObject({
      request_id: id,
      kind: 'search',
      request: { query: 'hydraulic pump serviced', dataset_ids: [dataset], top_k: 2, filters: { type: 'exists' } },
      hidden_results: 0,
      explanation: null,
    });
    expect(record.results[0]).toMatchObject({
      rank: 1,
      chunk_id: document.chunks[0],
      document_id: document.id,
      dataset_id: dataset,
      char_start: 0,
      char_end: PUMP.length,
    });
    expect(await rowText(id)).not.toContain('500 hours');
  });

  it('has the newest of several requests under one id', async () => {
    const id = 'the-same';
    await ask(named(id), { query: 'valve' });
    await ask(named(id), { query: 'pump' }, 'chat');
    expect(await read(lab.owner.ctx, id)).toMatchObject({ kind: 'chat', request: { query: 'pump' } });
  });

  it('is read only by the principal that made the request', async () => {
    const id = newId();
    const { owner, colleague, stranger } = lab;
    const principal = owner.ctx.principal;
    if (principal.kind !== 'account') throw new Error('The owner is no account.');
    const keyOf = (keyId: ApiKeyId): RequestContext => ({
      ...owner.ctx,
      requestId: id,
      principal: { ...principal, kind: 'api_key', keyId, datasetIds: null },
    });
    const [one, other] = [newId<ApiKeyId>(), newId<ApiKeyId>()];
    await ask(keyOf(one));
    expect((await read(keyOf(one), id)).request_id).toBe(id);
    const notFound = { code: 'retrieval.request_not_found', status: 404 };
    for (const ctx of [keyOf(other), owner.ctx, colleague.ctx, stranger.ctx]) {
      await expect(read(ctx, id)).rejects.toMatchObject(notFound);
      await expect(replay(ctx, id)).rejects.toMatchObject(notFound);
    }
    await ask(named(id, colleague));
    expect((await read(colleague.ctx, id)).request_id).toBe(id);
    await expect(read(owner.ctx, id)).rejects.toMatchObject(notFound);
  });

  it.each(['no such id', 'a/b', '\u0000', 'x'.repeat(129), ''])('knows nothing under "%s"', async (id) => {
    await expect(read(lab.owner.ctx, id)).rejects.toMatchObject({ code: 'retrieval.request_not_found' });
  });

  it('does not find what is older than 30 days', async () => {
    const id = newId();
    await ask(named(id));
    await lab.services.ledger.flush();
    await lab.sql(`UPDATE request_ledger SET created_at = now() - interval '31 days' WHERE request_id = $1`, [id]);
    await expect(read(lab.owner.ctx, id)).rejects.toMatchObject({ code: 'retrieval.request_not_found' });
  });

  it.each(['deleted_at = now()', 'quarantined_at = now()'])(
    'counts what may not be seen any more: %s',
    async (change) => {
      const id = newId();
      await ask(named(id));
      const before = await read(lab.owner.ctx, id);
      await lab.change(document, change);
      const after = await read(lab.owner.ctx, id);
      expect(after.hidden_results).toBeGreaterThan(0);
      expect(after.results.length + after.hidden_results).toBe(before.results.length);
      expect(JSON.stringify(after.results)).not.toContain(document.id);
    },
  );

  it('keeps of an explanation its code and the ids, not the text that was expected', async () => {
    const id = newId();
    const request = {
      query: 'pump',
      dataset_ids: [dataset],
      expected: { document_id: document.id, text: 'serviced every 500 hours' },
    };
    await lab.services.explain.explain(named(id), request, SIGNAL);
    expect(await read(lab.owner.ctx, id)).toMatchObject({
      kind: 'explain',
      explanation: { code: 'RETRIEVED', verdict: 'retrieved', expected: { document_id: document.id, chunk_id: null } },
    });
    expect(await rowText(id)).not.toContain('500 hours');
  });

  describe('replayed', () => {
    it('gives the same answer while nothing changes', async () => {
      const id = newId();
      await ask(named(id), { mmr: {}, rerank: {}, score_threshold: 0.0001 });
      const report = await replay(lab.owner.ctx, id);
      expect(report).toMatchObject({
        identical: true,
        causes: [],
        changed_config: [],
        changed_content: [],
        added: [],
        removed: [],
        moved: [],
        rescored: [],
      });
      expect(report.config_fingerprint_after).toBe(report.config_fingerprint_before);
      expect(report.results).toEqual((await read(lab.owner.ctx, id)).results);
    });

    it('names new, missing and moved results when documents change, with the cause', async () => {
      const id = newId();
      await ask(named(id), { search_method: 'keyword' });
      const { id: added } = await lab.document(dataset, ['Hydraulic pump, serviced: hydraulic pump serviced.']);
      const report = await replay(lab.owner.ctx, id);
      expect(report.identical).toBe(false);
      expect(report.added.map(({ document_id }) => document_id)).toEqual([added]);
      expect(report.causes.map(({ code }) => code)).toEqual(['CONTENT_CHANGED']);
      expect(report.changed_content.map(({ dataset_id }) => dataset_id)).toEqual([dataset]);
      expect([...report.moved, ...report.rescored].length).toBeGreaterThan(0);
    });

    it('says that documents and datasets are no longer visible, without naming them', async () => {
      const id = newId();
      const own = await lab.dataset('only_me', lab.colleague);
      const secret = await lab.document(own, [PUMP], { of: lab.colleague });
      await lab.sql(`UPDATE datasets SET acl = 'all_team_members' WHERE id = $1`, [own]);
      await ask(named(id), { dataset_ids: [dataset, own] });
      await lab.sql(`UPDATE datasets SET acl = 'only_me' WHERE id = $1`, [own]);
      const report = await replay(lab.owner.ctx, id);
      expect(report).toMatchObject({ hidden_datasets: 1, hidden_results: 1, identical: false, changed_config: [] });
      expect(report.causes.map(({ code }) => code)).toContain('VISIBILITY_CHANGED');
      expect(JSON.stringify(report)).not.toContain(secret.id);
      expect(JSON.stringify(report)).not.toContain(own);
    });

    it('has no results when no dataset is visible any more', async () => {
      const id = newId();
      await ask(named(id));
      await lab.sql(`UPDATE datasets SET deleted_at = now() WHERE id = $1`, [dataset]);
      const report = await replay(lab.owner.ctx, id);
      expect(report).toMatchObject({ results: [], hidden_datasets: 1, config_fingerprint_after: null });
    });

    it('names the changed part of the configuration, and keeps the former options', async () => {
      const id = newId();
      await ask(named(id), { fusion: { vector_weight: 0.4 } });
      await lab.services.ledger.flush();
      await lab.sql(
        `UPDATE request_ledger SET config = config || '{"ranking":"0"}', config_fingerprint = repeat('0', 64),
           results = jsonb_set(results, '{0,score}', '0.123') WHERE request_id = $1`,
        [id],
      );
      const report = await replay(lab.owner.ctx, id);
      expect(report.changed_config).toEqual(['ranking']);
      expect(report.causes.map(({ code }) => code)).toEqual(['CONFIG_CHANGED']);
      expect(report.rescored).toHaveLength(1);
    });
  });

  describe('when the database does not take them', () => {
    it('answers anyway, keeps the entries, and writes them later', async () => {
      const id = newId();
      await lab.sql(`SELECT 1`, []);
      const { repository } = lab.services.ledger as unknown as { repository: { add: () => Promise<void> } };
      const add = repository.add;
      repository.add = async () => {
        throw new Error('no database');
      };
      await ask(named(id));
      await lab.services.ledger.flush();
      expect(lab.services.logged).toEqual(['request_ledger.write_failed']);
      repository.add = add;
      expect((await read(lab.owner.ctx, id)).request_id).toBe(id);
    });

    it('loses the oldest when too many wait, and says so', async () => {
      const { ledger } = lab.services;
      await ask(named('first'));
      const { waiting } = ledger as unknown as { waiting: { tenantId: never; entry: never }[] };
      const [pending] = waiting;
      for (let n = 0; n < 2_000; n += 1)
        ledger.record(pending!.tenantId, { ...(pending!.entry as object), id: newId() } as never);
      expect(lab.services.logged).toEqual(['request_ledger.entries_lost']);
      await ledger.flush();
    });

    it('writes everything before the process stops', async () => {
      const ids = Array.from({ length: 120 }, (_, n) => `stop-${n}`);
      for (const id of ids) await ask(named(id), { top_k: 1 });
      await lab.services.ledger.onApplicationShutdown();
      const [row] = await lab.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM request_ledger WHERE request_id = ANY ($1::text[])`,
        [ids],
      );
      expect(row!.n).toBe(ids.length);
    });
  });

  it('holds one tenant’s entries apart from another’s', async () => {
    const id = newId();
    await ask(named(id));
    await lab.services.ledger.flush();
    const other = await createTestMember(db.unitOfWork, 'owner');
    const seen = await lab.sql<{ id: string }>(`SELECT id FROM request_ledger`, [], other);
    expect(seen).toEqual([]);
  });
});
