import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { BUILTIN_MODELS, createTestDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import type { DocumentInState } from '../../retrieval/testing/explain-lab.js';
import type { RetrievalModels } from '../../retrieval/testing/retrieval-services.js';
import { ConversationLab } from '../testing/conversation-lab.js';
import type { ConversationId, TurnId } from '../turn/conversation.entity.js';

const PUMP = 'The hydraulic pump must be serviced every 500 hours.';
const NOT_FOUND = { code: 'conversations.shared_answer_not_found' };

describe('shared answers', () => {
  let db: TestDatabase;
  let models: RetrievalModels;
  let lab: ConversationLab;
  let dataset: DatasetId;
  let pump: DocumentInState;
  /** Who asked. */
  let ctx: RequestContext;
  let reader: RequestContext;
  let id: ConversationId;
  let turnId: TurnId;

  beforeAll(async () => {
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    lab = await ConversationLab.open(db, models);
    ({ ctx } = lab.explainLab.colleague);
    reader = (await createTestMember(db.unitOfWork, 'viewer', lab.explainLab.owner.tenantId)).ctx;
    dataset = await lab.explainLab.dataset();
    pump = await lab.explainLab.document(dataset, [PUMP]);
    const talk = await lab.talk(ctx, pump);
    id = talk.id;
    turnId = talk.turnId!;
  });

  const share = async (): Promise<string> => (await lab.shared.share(ctx, id, turnId)).id;
  const isShown = async (by: RequestContext, shared: string): Promise<boolean> => {
    const answer = await lab.shared.read(by, shared).catch((error: unknown) => error);
    if (!(answer instanceof Error)) return true;
    expect(answer).toMatchObject(NOT_FOUND);
    expect(JSON.stringify(answer)).not.toContain('500 hours');
    return false;
  };
  const shares = async (): Promise<number> => {
    const [row] = await lab.explainLab.sql<{ n: number }>(`SELECT count(*)::int AS n FROM shared_answers`, []);
    return row!.n;
  };

  it('are read by members who see their sources, and show nothing else of the conversation', async () => {
    const other = await lab.turn(pump);
    await lab.turns.keep(ctx, id, { ...other, question: 'A private question' });
    const shared = await share();
    expect(shared).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    const answer = await lab.shared.read(reader, shared);
    expect(answer).toMatchObject({
      id: shared,
      question: 'How often is the pump serviced?',
      state: 'complete',
      dataset_ids: [dataset],
      answer: { content: `${PUMP} [1]`, sources: [{ text: PUMP }], citations: [{ cited_text: PUMP }] },
      own: null,
    });
    expect(JSON.stringify(answer)).not.toContain('private');
    expect((await lab.shared.read(ctx, shared)).own).toEqual({ conversation_id: id, turn_id: turnId });
  });

  it('have one link, which the turn names until it is revoked and which never comes back', async () => {
    expect((await lab.read(ctx, id))[0]!.share).toBeNull();
    const shared = await share();
    expect(await share()).toBe(shared);
    expect((await lab.read(ctx, id))[0]!.share).toMatchObject({ id: shared });
    await lab.shared.revoke(ctx, id, turnId);
    expect((await lab.read(ctx, id))[0]!.share).toBeNull();
    expect(await isShown(reader, shared)).toBe(false);
    expect(await isShown(ctx, shared)).toBe(false);
    await expect(lab.shared.revoke(ctx, id, turnId)).rejects.toMatchObject({ code: 'conversations.answer_not_shared' });
    expect(await share()).not.toBe(shared);
    expect(await isShown(reader, shared)).toBe(false);
  });

  it('are created and revoked only by the owner of the conversation, and both are in the audit log', async () => {
    const wrong = [
      reader,
      lab.explainLab.owner.ctx,
      lab.explainLab.stranger.ctx,
      await lab.keyOf(lab.explainLab.colleague),
    ];
    for (const by of wrong)
      await expect(lab.shared.share(by, id, turnId)).rejects.toMatchObject({ code: 'conversations.not_found' });
    const shared = await share();
    await share();
    for (const by of wrong)
      await expect(lab.shared.revoke(by, id, turnId)).rejects.toMatchObject({ code: 'conversations.not_found' });
    expect(await isShown(reader, shared)).toBe(true);
    await lab.shared.revoke(ctx, id, turnId);
    const entries = await lab.explainLab.sql(
      `SELECT event, actor, details FROM audit_log WHERE subject = $1 ORDER BY seq`,
      [`shared_answer:${shared}`],
    );
    const entry = {
      actor: `account:${lab.explainLab.colleague.accountId}`,
      details: { conversation_id: id, turn_id: turnId },
    };
    expect(entries).toEqual([
      { event: 'conversation.answer_shared', ...entry },
      { event: 'conversation.answer_unshared', ...entry },
    ]);
  });

  it('are of a turn that is there, in the conversation that is named', async () => {
    const other = await lab.talk(ctx, pump);
    for (const turn of [newId(), 'x', other.turnId!])
      await expect(lab.shared.share(ctx, id, turn)).rejects.toMatchObject({ code: 'conversations.turn_not_found' });
    await expect(lab.shared.share(ctx, 'x', turnId)).rejects.toMatchObject({ code: 'conversations.not_found' });
  });

  it('are not found by other tenants, by unknown ids, or by members who do not see a dataset', async () => {
    const shared = await share();
    const key = await lab.keyOf(lab.explainLab.owner, []);
    for (const by of [lab.explainLab.stranger.ctx, key]) expect(await isShown(by, shared)).toBe(false);
    for (const none of [newId(), turnId, id, 'x', '']) expect(await isShown(reader, none)).toBe(false);
    await lab.explainLab.sql(`UPDATE datasets SET acl = 'only_me' WHERE id = $1`, [dataset]);
    expect(await isShown(reader, shared)).toBe(false);
    expect(await isShown(ctx, shared)).toBe(false);
    expect(await isShown(lab.explainLab.owner.ctx, shared)).toBe(true);
  });

  it('are shown only while everything that they rest on is visible', async () => {
    const shared = await share();
    await lab.explainLab.change(pump, 'quarantined_at = now()');
    expect(await isShown(reader, shared)).toBe(false);
    await lab.explainLab.change(pump, 'quarantined_at = NULL');
    expect(await isShown(reader, shared)).toBe(true);
    const { library, owner } = lab.explainLab;
    await library.showTexts(owner, pump.id, [PUMP.replace('500 hours', '*********')]);
    expect(await isShown(reader, shared)).toBe(false);
    await expect(lab.shared.share(ctx, id, turnId)).rejects.toMatchObject({ code: 'conversations.answer_withheld' });
  });

  it('are shown only to members who see the sources of the earlier answers too', async () => {
    const own = await lab.explainLab.dataset('only_me', lab.explainLab.colleague);
    const secret = await lab.explainLab.document(own, ['A valve opens at 12 bar.'], { of: lab.explainLab.colleague });
    const first = await lab.talk(ctx, secret);
    const turn = await lab.turn(pump);
    id = first.id;
    turnId = (await lab.turns.keep(ctx, id, { ...turn, contextTurnIds: [first.turnId!] }))!;
    const shared = await share();
    expect(await isShown(ctx, shared)).toBe(true);
    expect(await isShown(reader, shared)).toBe(false);
  });

  it('are listed for their owner, with conversation and expiry', async () => {
    const other = await lab.talk(ctx, pump, { question: 'Another question' });
    const first = await share();
    const second = (await lab.shared.share(ctx, other.id, other.turnId!)).id;
    const query = { skip: 0, limit: 20, order_by: '-created_at' } as const;
    const { items, total } = await lab.shared.list(ctx, query);
    expect([total, items.map((one) => one.id).toSorted()]).toEqual([2, [first, second].toSorted()]);
    const [{ last_turn_at: last } = { last_turn_at: '' }] = (
      await lab.service.list(ctx, { ...query, order_by: 'created_at' })
    ).items;
    expect(items.find((one) => one.id === first)).toMatchObject({
      question: 'How often is the pump serviced?',
      conversation_id: id,
      turn_id: turnId,
      expires_at: new Date(Date.parse(last) + 90 * 86_400_000).toISOString(),
      withheld: null,
    });
    const [oldest] = (await lab.shared.list(ctx, { skip: 0, limit: 1, order_by: 'created_at' })).items;
    expect((await lab.shared.list(ctx, { ...query, skip: 1 })).items).toEqual([oldest]);
    await lab.explainLab.change(pump, 'quarantined_at = now()');
    const hidden = (await lab.shared.list(ctx, query)).items;
    expect(hidden.map(({ withheld }) => withheld?.code)).toEqual(['SOURCE_OUT_OF_SIGHT', 'SOURCE_OUT_OF_SIGHT']);
    await lab.explainLab.change(pump, 'quarantined_at = NULL');
    await lab.shared.revoke(ctx, id, turnId);
    expect((await lab.shared.list(ctx, query)).items.map((one) => one.id)).toEqual([second]);
  });

  it('are listed for no other caller', async () => {
    await share();
    const query = { skip: 0, limit: 20, order_by: '-created_at' } as const;
    const others = [
      reader,
      lab.explainLab.owner.ctx,
      lab.explainLab.stranger.ctx,
      await lab.keyOf(lab.explainLab.colleague),
    ];
    for (const by of others) expect(await lab.shared.list(by, query)).toMatchObject({ items: [], total: 0 });
  });

  it('are removed with their conversation', async () => {
    const shared = await share();
    const before = await shares();
    await lab.service.remove(ctx, id);
    expect(await isShown(ctx, shared)).toBe(false);
    expect(await shares()).toBe(before - 1);
  });
});
