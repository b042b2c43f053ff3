import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { KgLab, toldDocuments } from '../testing/kg-lab.js';

const TOLD = toldDocuments().slice(0, 50);
const BRIDGE = {
  title: 'Bridge',
  text: 'Harbour Works Ltd was founded by Maren Oxley. Maren Oxley lives in Leeds. Harbour Works Ltd owns Tidal Bridge Company.',
};
const OTHER = { title: 'Ferry', text: 'Quentin Marlow leads Harbour Works Ltd. Quentin Marlow lives in Hull.' };

let db: TestDatabase;
let lab: KgLab;
let owner: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  lab = new KgLab(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  owner = await createTestMember(db.unitOfWork, 'editor');
  dataset = await lab.documentLab.addDataset(owner);
});

const labels = async (member = owner): Promise<string[]> => {
  const { nodes } = await lab.reading.readPart(member.ctx, dataset, { depth: 1, limit: 500, format: 'json' });
  return nodes.map(({ label }) => label);
};
const set = (id: DocumentId, assignments: string) =>
  lab.documentLab.rows(owner, `UPDATE documents SET ${assignments} WHERE id = $1`, [id]);
const stateOf = () => lab.graphs.read(owner.ctx, dataset);

describe('a knowledge graph', () => {
  it('equals, after each of 50 deletions, a graph that is built from the remaining documents', async () => {
    const ids = new Map<string, DocumentId>();
    for (const document of TOLD) ids.set(document.id, await lab.put(owner, dataset, document));
    await lab.build(owner, dataset);
    const whole = await lab.tell(owner, dataset);
    expect(whole.nodes.length).toBeGreaterThan(100);
    expect(whole.edges.length).toBeGreaterThan(40);
    for (const [n, { id }] of TOLD.entries()) {
      await set(ids.get(id)!, 'deleted_at = now()');
      const anew = await lab.documentLab.addDataset(owner);
      for (const document of TOLD.slice(n + 1)) await lab.put(owner, anew, document);
      await lab.build(owner, anew);
      expect(await lab.tell(owner, dataset), `without ${id}`).toEqual(await lab.tell(owner, anew));
    }
    expect(await lab.tell(owner, dataset)).toEqual({ nodes: [], edges: [] });
  }, 300_000);

  it('lets other tenants take turns after four documents, and gives the same graph', async () => {
    const anew = await lab.documentLab.addDataset(owner);
    for (const document of TOLD.slice(0, 6)) {
      await lab.put(owner, dataset, document);
      await lab.put(owner, anew, document);
    }
    await lab.build(owner, anew);
    expect(await lab.workInTurns(owner, dataset, await lab.trigger(owner, dataset))).toBe(3);
    expect(await lab.tell(owner, dataset)).toEqual(await lab.tell(owner, anew));
    expect(await stateOf()).toMatchObject({ status: 'completed' });
  });

  it('leaves out what a document says while it is in quarantine, and has it again after its release', async () => {
    const ids: DocumentId[] = [];
    for (const document of TOLD.slice(0, 12)) ids.push(await lab.put(owner, dataset, document));
    await lab.build(owner, dataset);
    const whole = await lab.tell(owner, dataset);
    const without = await lab.documentLab.addDataset(owner);
    for (const document of TOLD.slice(1, 12)) await lab.put(owner, without, document);
    await lab.build(owner, without);
    await set(ids[0]!, 'quarantined_at = now()');
    expect(await lab.tell(owner, dataset)).toEqual(await lab.tell(owner, without));
    await set(ids[0]!, 'quarantined_at = NULL');
    expect(await lab.tell(owner, dataset)).toEqual(whole);
  });

  it('shows nothing of a generation before all of it is extracted, and nothing of the former generation', async () => {
    const id = await lab.put(owner, dataset, BRIDGE);
    await lab.build(owner, dataset);
    expect(await labels()).toContain('Maren Oxley');
    await lab.showText(owner, id, OTHER.text);
    expect(await labels()).toEqual([]);
    expect((await stateOf()).documents).toEqual({ extracted: 0, not_extracted: 1 });
    await lab.build(owner, dataset);
    expect(await labels()).toContain('Quentin Marlow');
    expect(await labels()).not.toContain('Maren Oxley');
  });

  it('extracts no document twice, and every document again when other kinds are requested', async () => {
    await lab.put(owner, dataset, BRIDGE);
    await lab.put(owner, dataset, OTHER);
    const of = (request: object) =>
      lab.graphs.trigger(owner.ctx, { dataset_id: dataset, mode: 'heuristic', dry_run: true, ...request });
    expect((await of({})).estimate).toEqual({
      documents: 2,
      documents_to_extract: 2,
      chunks: 2,
      tokens: 100,
      model_tokens: 0,
      cached_chunks: 0,
      calls: 0,
      input_tokens: 0,
      output_tokens: 0,
      most_tokens: 0,
      cost: 0,
      model: null,
    });
    await lab.build(owner, dataset);
    expect((await of({})).estimate).toMatchObject({ documents: 2, documents_to_extract: 0, chunks: 0, tokens: 0 });
    expect((await of({ entity_types: ['place'] })).estimate).toMatchObject({ documents_to_extract: 2 });
    await lab.build(owner, dataset, { entity_types: ['place'] });
    expect(new Set(await labels())).toEqual(new Set(['Leeds', 'Hull']));
  });

  it('goes on where a try was ended, and the graph is the same', async () => {
    for (const document of TOLD.slice(0, 8)) await lab.put(owner, dataset, document);
    const triggered = await lab.trigger(owner, dataset);
    const stop = new AbortController();
    const keep = lab.handler['documents'].finish.bind(lab.handler['documents']);
    let finished = 0;
    lab.handler['documents'].finish = async (...of) => {
      if (++finished === 6) stop.abort(new Error('The worker is ended.'));
      stop.signal.throwIfAborted();
      return keep(...of);
    };
    await expect(lab.work(owner, dataset, triggered, stop.signal)).rejects.toThrow('The worker is ended.');
    lab.handler['documents'].finish = keep;
    expect(await stateOf()).toMatchObject({ status: 'running', progress: { done: 4, total: 8 } });
    await lab.work(owner, dataset, triggered);
    expect(await stateOf()).toMatchObject({ status: 'completed', progress: { done: 8, total: 8 } });
    const anew = await lab.documentLab.addDataset(owner);
    for (const document of TOLD.slice(0, 8)) await lab.put(owner, anew, document);
    await lab.build(owner, anew);
    expect(await lab.tell(owner, dataset)).toEqual(await lab.tell(owner, anew));
  });

  it('publishes its end as an event, once', async () => {
    await lab.put(owner, dataset, BRIDGE);
    const triggered = await lab.trigger(owner, dataset);
    await lab.work(owner, dataset, triggered);
    await lab.work(owner, dataset, triggered);
    const events = await lab.documentLab.systemRows<{ payload: unknown }>(
      `SELECT payload FROM domain_events WHERE type = 'kg.completed' AND tenant_id = $1`,
      [owner.tenantId],
    );
    expect(events.map(({ payload }) => payload)).toMatchObject([
      {
        kg_id: triggered.id,
        dataset_id: dataset,
        documents: 1,
        mode: 'heuristic',
        status: 'completed',
        calls: 0,
        cost: 0,
      },
    ]);
  });

  it('extracts the documents that are named and leaves the others', async () => {
    const bridge = await lab.put(owner, dataset, BRIDGE);
    const other = await lab.put(owner, dataset, OTHER);
    await lab.build(owner, dataset, { document_ids: [bridge.toUpperCase()] });
    expect((await stateOf()).documents).toEqual({ extracted: 1, not_extracted: 1 });
    expect(await labels()).not.toContain('Hull');
    await lab.build(owner, dataset, { document_ids: [other] });
    expect(await labels()).toEqual(expect.arrayContaining(['Hull', 'Leeds']));
    const elsewhere = await lab.documentLab.addDataset(owner);
    const foreign = await lab.put(owner, elsewhere, BRIDGE);
    await expect(lab.trigger(owner, dataset, { document_ids: [foreign] })).rejects.toMatchObject({
      code: 'kg.document_not_found',
    });
  });

  it('is extracted by one run at a time, and another run can follow a failed one', async () => {
    await lab.put(owner, dataset, BRIDGE);
    const { taskId } = await lab.trigger(owner, dataset);
    await expect(lab.trigger(owner, dataset)).rejects.toMatchObject({ code: 'kg.running' });
    await lab.documentLab.systemRows(`DELETE FROM tasks WHERE id = $1`, [taskId]);
    expect(await stateOf()).toMatchObject({ status: 'failed', error: { code: 'kg.lost' } });
    await lab.build(owner, dataset);
    expect(await stateOf()).toMatchObject({ status: 'completed', error: null });
  });

  it('is not there for another tenant, nor for a colleague who does not see the dataset', async () => {
    dataset = await lab.documentLab.addDataset(owner, { acl: 'only_me' });
    await lab.put(owner, dataset, BRIDGE);
    const id = await lab.build(owner, dataset);
    expect(await labels()).toContain('Maren Oxley');
    const colleague = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    const stranger = await createTestMember(db.unitOfWork, 'owner');
    for (const { ctx } of [colleague, stranger]) {
      for (const of of [id, dataset]) {
        await expect(lab.graphs.read(ctx, of)).rejects.toMatchObject({ code: 'kg.not_found' });
        await expect(
          lab.reading.exportPart(ctx, of, { depth: 1, limit: 5, format: 'csv' }, 'csv'),
        ).rejects.toMatchObject({ code: 'kg.not_found' });
      }
    }
    await expect(lab.graphs.read(owner.ctx, newId())).rejects.toMatchObject({ code: 'kg.not_found' });
  });
});
