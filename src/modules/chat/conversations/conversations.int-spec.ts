import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type DatasetId } from '#libs/common';
import type { Settings } from '#libs/config';
import { Metrics } from '#libs/metrics';
import type { RequestContext } from '#libs/tenancy';
import { BUILTIN_MODELS, createTestDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import { runningTask } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { TenantDirectory } from '../../accounts/index.js';
import type { DocumentInState } from '../../retrieval/testing/explain-lab.js';
import type { RetrievalModels } from '../../retrieval/testing/retrieval-services.js';
import { ConversationLab } from '../testing/conversation-lab.js';
import { MAX_TURNS } from './conversation-history.service.js';
import type { ConversationId } from '../turn/conversation.entity.js';
import { ExpiredConversations } from './expired-conversations.task.js';
import { DeletedDatasets } from './deleted-datasets.service.js';

const PUMP = 'The hydraulic pump must be serviced every 500 hours.';
const NOT_FOUND = { code: 'conversations.not_found' };

describe('conversations', () => {
  let db: TestDatabase;
  let models: RetrievalModels;
  let lab: ConversationLab;
  let dataset: DatasetId;
  let document: DocumentInState;
  let ctx: RequestContext;

  beforeAll(async () => {
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    lab = await ConversationLab.open(db, models);
    dataset = await lab.explainLab.dataset();
    document = await lab.explainLab.document(dataset, [PUMP, 'A valve opens at 12 bar.']);
    ctx = lab.explainLab.owner.ctx;
  });

  const withheldOf = async (by: RequestContext, id: string): Promise<(string | null)[]> =>
    (await lab.read(by, id)).map(({ withheld }) => withheld?.code ?? null);
  const rows = async (table: string, where: string, parameters: readonly unknown[]): Promise<number> => {
    const [row] = await lab.explainLab.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table} WHERE ${where}`,
      parameters,
    );
    return row!.n;
  };

  describe('are kept', () => {
    it('with question, answer, sources and citations, in the order in which answers ended', async () => {
      const { id, turnId } = await lab.talk(ctx, document);
      const turn = await lab.turn(document);
      await lab.turns.keep(ctx, id, { ...turn, question: 'And by whom?', state: 'stopped' });
      const [first, second] = await lab.read(ctx, id);
      expect(first).toMatchObject({
        id: turnId,
        place: 1,
        question: 'How often is the pump serviced?',
        dataset_ids: [dataset],
        state: 'complete',
        withheld: null,
        feedback: null,
        answer: {
          content: `${PUMP} [1]`,
          finish_reason: 'stop',
          sources: [{ text: PUMP, document_id: document.id }],
          citations: [{ cited_text: PUMP, verified: true }],
        },
      });
      expect(second).toMatchObject({ place: 2, question: 'And by whom?', state: 'stopped' });
    });

    it('under their given name, or under the beginning of the first question', async () => {
      const named = await lab.service.create(ctx, { title: 'Pumps' });
      await lab.turns.keep(ctx, named.id as ConversationId, await lab.turn(document));
      expect((await lab.service.read(ctx, named.id, { limit: 1 })).title).toBe('Pumps');
      const question = `How  often\nis the pump ${'really '.repeat(20)}serviced?`;
      const { id } = await lab.talk(ctx, document, { question });
      const { title } = await lab.service.read(ctx, id, { limit: 1 });
      expect(title).toMatch(/^How often is the pump really .*…$/u);
      expect(title).toHaveLength(80);
      expect((await lab.service.rename(ctx, id, 'Service')).title).toBe('Service');
    });

    it('and read page by page, the newest turns first', async () => {
      const { id } = await lab.talk(ctx, document);
      for (const n of [2, 3, 4, 5]) await lab.turns.keep(ctx, id, { ...(await lab.turn(document)), question: `${n}` });
      const places = async (before?: number): Promise<[number[], number | null]> => {
        const page = { limit: 2, ...(before === undefined ? {} : { before }) };
        const { turns, previous } = await lab.service.read(ctx, id, page);
        return [turns.map(({ place }) => place), previous];
      };
      expect(await places()).toEqual([[4, 5], 4]);
      expect(await places(4)).toEqual([[2, 3], 2]);
      expect(await places(2)).toEqual([[1], null]);
    });

    it('and listed by their last turn, each once, for every page size', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.push((await lab.service.create(ctx, { title: `${n}` })).id);
      const [gone] = ids as [string];
      await lab.explainLab.sql(`UPDATE conversations SET last_turn_at = '2026-01-01' WHERE id <> $1`, [gone]);
      const list = (more: object = {}) =>
        lab.service.list(ctx, { skip: 0, limit: 2, order_by: '-last_turn_at', ...more });
      const found: string[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const page = await list(after === undefined ? {} : { after });
        expect(page.total).toBe(5);
        found.push(...page.items.map(({ id }) => id));
        after = page.next;
      }
      expect(found).toEqual([gone, ...ids.slice(1).reverse()]);
      const page = await list();
      for (const wrong of [{ after: 'x' }, { after: page.next, skip: 1 }, { after: page.next, order_by: 'created_at' }])
        await expect(list(wrong)).rejects.toMatchObject({ code: 'http.validation_failed' });
    });

    it('with a maximum number of turns', async () => {
      const { id } = await lab.service.create(ctx, {});
      await lab.explainLab.sql(`UPDATE conversations SET last_place = $2 WHERE id = $1`, [id, MAX_TURNS]);
      await expect(lab.history.open(ctx, id)).rejects.toMatchObject({ code: 'conversations.full' });
    });
  });

  it("are found by their owner alone, an API key's by that key", async () => {
    const key = await lab.keyOf(lab.explainLab.owner);
    const other = await lab.keyOf(lab.explainLab.owner);
    const { id } = await lab.talk(key, document);
    const administrator = await createTestMember(db.unitOfWork, 'admin', lab.explainLab.owner.tenantId);
    const wrong = [ctx, other, lab.explainLab.colleague.ctx, administrator.ctx, lab.explainLab.stranger.ctx];
    for (const by of wrong) {
      await expect(lab.service.read(by, id, { limit: 1 })).rejects.toMatchObject(NOT_FOUND);
      await expect(lab.service.rename(by, id, 'Mine')).rejects.toMatchObject(NOT_FOUND);
      await expect(lab.service.remove(by, id)).rejects.toMatchObject(NOT_FOUND);
      await expect(lab.history.open(by, id)).rejects.toMatchObject(NOT_FOUND);
      expect(await lab.turns.keep(by, id, await lab.turn(document))).toBeUndefined();
      expect((await lab.service.list(by, { skip: 0, limit: 20, order_by: '-created_at' })).total).toBe(0);
    }
    for (const none of [newId(), 'x', '']) await expect(lab.service.remove(key, none)).rejects.toMatchObject(NOT_FOUND);
    expect(await lab.read(key, id)).toHaveLength(1);
    await lab.service.remove(key, id);
    await expect(lab.service.read(key, id, { limit: 1 })).rejects.toMatchObject(NOT_FOUND);
    expect(await rows('conversation_turns', 'conversation_id = $1', [id])).toBe(0);
  });

  describe('show of their answers what their owner may see now:', () => {
    it('nothing of a dataset that the owner no longer sees, and all of it when it is visible again', async () => {
      const { ctx: colleague } = lab.explainLab.colleague;
      const { id } = await lab.talk(colleague, document);
      expect(await withheldOf(colleague, id)).toEqual([null]);
      await lab.explainLab.sql(`UPDATE datasets SET acl = 'only_me' WHERE id = $1`, [dataset]);
      const [turn] = await lab.read(colleague, id);
      expect(turn).toMatchObject({
        question: expect.any(String),
        answer: null,
        withheld: { code: 'DATASET_OUT_OF_SIGHT' },
      });
      expect(JSON.stringify(turn)).not.toContain('500 hours');
      await lab.explainLab.sql(`UPDATE datasets SET acl = 'all_team_members' WHERE id = $1`, [dataset]);
      expect(await withheldOf(colleague, id)).toEqual([null]);
    });

    it('nothing of a dataset that is not in the list of the API key', async () => {
      const key = await lab.keyOf(lab.explainLab.owner, [dataset]);
      const { id } = await lab.talk(key, document);
      const narrowed = { ...key, principal: { ...key.principal, datasetIds: [] } } as RequestContext;
      expect(await withheldOf(narrowed, id)).toEqual(['DATASET_OUT_OF_SIGHT']);
    });

    it('nothing of a document in quarantine until it is released', async () => {
      const { id } = await lab.talk(ctx, document);
      await lab.explainLab.change(document, 'quarantined_at = now()');
      expect(await withheldOf(ctx, id)).toEqual(['SOURCE_OUT_OF_SIGHT']);
      await lab.explainLab.change(document, 'quarantined_at = NULL');
      expect(await withheldOf(ctx, id)).toEqual([null]);
    });

    it('nothing where one of several documents is not visible, cited or not', async () => {
      const other = await lab.explainLab.document(dataset, ['Another note.']);
      const turn = await lab.turn(document);
      const content = { ...turn.content, document_ids: [document.id, other.id] };
      const { id } = await lab.talk(ctx, document, { content });
      expect(await withheldOf(ctx, id)).toEqual([null]);
      await lab.explainLab.change(other, 'quarantined_at = now()');
      expect(await withheldOf(ctx, id)).toEqual(['SOURCE_OUT_OF_SIGHT']);
    });

    it('nothing of a text that a stricter policy has masked, and all of one that was chunked again', async () => {
      const { id } = await lab.talk(ctx, document);
      const { library, owner } = lab.explainLab;
      await library.showTexts(owner, document.id, [`${PUMP}\n\nA valve opens at 12 bar.`]);
      expect(await withheldOf(ctx, id)).toEqual([null]);
      await library.showTexts(owner, document.id, [PUMP.replace('500 hours', '*********'), 'A valve opens at 12 bar.']);
      expect(await withheldOf(ctx, id)).toEqual(['SOURCE_CHANGED']);
      await library.showTexts(owner, document.id, ['Short.']);
      expect(await withheldOf(ctx, id)).toEqual(['SOURCE_CHANGED']);
    });

    it('documents under their current names, and no answer that contains a former name', async () => {
      const named = await lab.explainLab.document(dataset, [PUMP], { name: 'miller.txt' });
      const turn = await lab.turn(named, 'miller.txt');
      const quiet = await lab.talk(ctx, named, turn);
      const text = `As miller.txt says: ${turn.content.text}`;
      const saying = await lab.talk(ctx, named, { ...turn, content: { ...turn.content, text } });
      await lab.explainLab.change(named, `name = 'person.txt'`);
      const [shown] = await lab.read(ctx, quiet.id);
      expect(shown!.answer!.sources[0]!.document_name).toBe('person.txt');
      expect(shown!.answer!.citations[0]!.document_name).toBe('person.txt');
      expect(await withheldOf(ctx, saying.id)).toEqual(['SOURCE_CHANGED']);
    });
  });

  describe('forget', () => {
    it('the answer when a document is deleted, in the same transaction, and keep the question', async () => {
      const { id, turnId } = await lab.talk(ctx, document);
      const other = await lab.talk(ctx, await lab.explainLab.document(dataset, ['Another note.']));
      await lab.explainLab.change(document, 'deleted_at = now()');
      expect(await withheldOf(ctx, id)).toEqual(['SOURCE_OUT_OF_SIGHT']);
      expect(await rows('conversation_turns', 'id = $1 AND content IS NULL', [turnId])).toBe(1);
      expect(await rows('conversation_turn_documents', 'document_id = $1', [document.id])).toBe(0);
      expect(await withheldOf(ctx, other.id)).toEqual([null]);
    });

    it('an answer that ends after its document was deleted', async () => {
      const turn = await lab.turn(document);
      await lab.explainLab.change(document, 'deleted_at = now()');
      const { turnId } = await lab.talk(ctx, document, turn);
      expect(await rows('conversation_turns', 'id = $1 AND content IS NULL', [turnId])).toBe(1);
    });

    it('what was asked of a dataset that is deleted, and whole conversations of which nothing is left', async () => {
      const rest = await lab.explainLab.dataset();
      const kept = await lab.explainLab.document(rest, ['Another note.']);
      const both = await lab.talk(ctx, document);
      await lab.turns.keep(ctx, both.id, await lab.turn(kept));
      const only = await lab.talk(ctx, document);
      await lab.outcomes.addRefusal(ctx, {
        requestId: newId(),
        question: 'Who?',
        datasetIds: [dataset, rest],
        conversationId: null,
        refusalCode: 'NO_RESULTS',
      });
      const payload = { dataset_id: dataset } as never;
      await new DeletedDatasets(lab.turns, lab.outcomes).forget(ctx, { payload } as never);
      expect((await lab.read(ctx, both.id)).map(({ place }) => place)).toEqual([2]);
      await expect(lab.service.read(ctx, only.id, { limit: 1 })).rejects.toMatchObject(NOT_FOUND);
      expect(await rows('question_outcomes', 'true', [])).toBe(0);
    });

    it('everything of a member who is removed, and of a key that is deleted', async () => {
      const { ctx: colleague, accountId, tenantId } = lab.explainLab.colleague;
      const key = await lab.keyOf(lab.explainLab.owner);
      const ids = [await lab.talk(colleague, document), await lab.talk(key, document)].map(({ id }) => id);
      const mine = await lab.talk(ctx, document);
      const keyId = key.principal.kind === 'api_key' ? key.principal.keyId : '';
      await db.unitOfWork.runAsSystem(async (manager) => {
        await manager.query(`DELETE FROM memberships WHERE account_id = $1 AND tenant_id = $2`, [accountId, tenantId]);
        await manager.query(`DELETE FROM api_keys WHERE id = $1`, [keyId]);
      });
      expect(await rows('conversations', 'id = ANY ($1::uuid[])', [ids])).toBe(0);
      expect(await rows('conversation_turns', 'conversation_id = ANY ($1::uuid[])', [ids])).toBe(0);
      expect(await lab.read(ctx, mine.id)).toHaveLength(1);
    });

    it('an answer whose document has changed, but not one whose document was only chunked again', async () => {
      const other = await lab.explainLab.document(dataset, [PUMP, 'A hose.']);
      const hidden = await lab.explainLab.document(dataset, [PUMP]);
      const [masked, same, waiting] = [
        await lab.talk(ctx, document),
        await lab.talk(ctx, other),
        await lab.talk(ctx, hidden),
      ];
      const { library, owner } = lab.explainLab;
      await library.showTexts(owner, document.id, ['The hydraulic pump must be serviced every *********.', 'A valve.']);
      await library.showTexts(owner, other.id, [`${PUMP}\n\nA hose.`]);
      await library.showTexts(owner, hidden.id, ['Masked.']);
      await lab.explainLab.change(hidden, 'quarantined_at = now()');
      const principal = { kind: 'system' as const, permissions: new Set<never>() };
      const service: RequestContext = { ...ctx, principal };
      const left = async (): Promise<unknown> =>
        Promise.all(
          [masked, same, waiting].map(({ turnId }) =>
            rows('conversation_turns', 'id = $1 AND content IS NOT NULL', [turnId]),
          ),
        );
      expect(await lab.changed.remove(service)).toBe(1);
      expect(await left()).toEqual([0, 1, 1]);
      expect(await rows('conversation_turns', 'unsure', [])).toBe(1);
      await lab.explainLab.change(hidden, 'quarantined_at = NULL');
      expect(await lab.changed.remove(service)).toBe(1);
      expect(await left()).toEqual([0, 1, 0]);
      expect(await lab.changed.remove(service)).toBe(0);
      expect(await withheldOf(ctx, same.id)).toEqual([null]);
    });

    it('conversations that were not continued, of every tenant', async () => {
      const settings = { values: { conversationsKeptDays: 90 } } as Settings;
      const directory = new TenantDirectory(db.unitOfWork);
      const { conversations, outcomes, changed } = lab;
      const expired = new ExpiredConversations(conversations, outcomes, changed, directory, settings, new Metrics());
      const task = runningTask({ ...ctx, principal: { kind: 'system', permissions: new Set() } }, {});
      // What other tests have left.
      await expired.run(task);
      const [old, young] = [await lab.talk(ctx, document), await lab.talk(ctx, document)];
      const foreign = await lab.service.create(lab.explainLab.stranger.ctx, {});
      const late = `UPDATE conversations SET last_turn_at = now() - interval '91 days' WHERE id = $1`;
      await lab.explainLab.sql(late, [old.id]);
      await lab.explainLab.sql(late, [foreign.id], lab.explainLab.stranger);
      expect(await expired.run(task)).toEqual({ removed: 2 });
      expect(await expired.run(task)).toEqual({ removed: 0 });
      expect(await lab.read(ctx, young.id)).toHaveLength(1);
    });
  });

  describe('are gone on with', () => {
    it('with the earlier messages, without withheld answers', async () => {
      const { id } = await lab.talk(ctx, document);
      const other = await lab.explainLab.document(dataset, ['Another note.']);
      await lab.turns.keep(ctx, id, { ...(await lab.turn(other)), question: 'And by whom?' });
      const question = 'How often is the pump serviced?';
      expect((await lab.history.open(ctx, id)).messages).toEqual([
        { role: 'user', content: question },
        { role: 'assistant', content: `${PUMP} [1]` },
        { role: 'user', content: 'And by whom?' },
        { role: 'assistant', content: 'Another note. [1]' },
      ]);
      await lab.explainLab.change(document, 'quarantined_at = now()');
      expect((await lab.history.open(ctx, id)).messages).toEqual([
        { role: 'user', content: question },
        { role: 'user', content: 'And by whom?' },
        { role: 'assistant', content: 'Another note. [1]' },
      ]);
    });
  });
});
