import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import type { RetrievalModels } from '../../retrieval/testing/retrieval-services.js';
import type { ConversationId } from '../turn/conversation.entity.js';
import type { DatasetQuestionPage, FeedbackRequest, ListQuestionsQuery } from './question.dto.js';
import { ConversationLab } from '../testing/conversation-lab.js';

const QUESTION = 'How often is the hydraulic pump serviced?';

describe('questions that a dataset answers badly', () => {
  let db: TestDatabase;
  let models: RetrievalModels;
  let lab: ConversationLab;
  let owner: TestMember;
  let editor: TestMember;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    lab = await ConversationLab.open(db, models);
    ({ owner, colleague: editor } = lab.explainLab);
    dataset = await lab.explainLab.dataset();
    await lab.explainLab.document(dataset, ['The hydraulic pump must be serviced every 500 hours.']);
  });

  /** Asks and answers the id of the request. */
  async function ask(
    { ctx }: { readonly ctx: RequestContext },
    query = QUESTION,
    datasets = [dataset],
  ): Promise<string> {
    const requestId = newId();
    await lab.explainLab.services.recorded.retrieve(
      { ...ctx, requestId },
      { query, dataset_ids: datasets },
      { kind: 'chat' },
    );
    return requestId;
  }
  async function refuse(by: TestMember, question: string, datasetIds = [dataset], requestId = newId()): Promise<void> {
    await lab.outcomes.addRefusal(by.ctx, {
      requestId,
      question,
      datasetIds,
      conversationId: null,
      refusalCode: 'INSUFFICIENT_EVIDENCE',
    });
  }
  const rate = (ctx: RequestContext, id: string, feedback: FeedbackRequest) => lab.questions.rate(ctx, id, feedback);
  const list = (by: TestMember, more: Partial<ListQuestionsQuery> = {}): Promise<DatasetQuestionPage> =>
    lab.questions.list(by.ctx, dataset, { skip: 0, limit: 20, order_by: '-last_asked_at', ...more });
  const audited = async (): Promise<unknown[]> => {
    const rows = await lab.explainLab.sql<{ subject: string; details: unknown; actor: string }>(
      `SELECT subject, details, actor FROM audit_log WHERE event = 'conversation.questions_reviewed' ORDER BY seq`,
      [],
    );
    return rows;
  };

  it('are rated by the person who asked; the last rating counts', async () => {
    const id = await ask(editor);
    await rate(editor.ctx, id, { rating: 'down', reason: 'Too short.', expected: 'Every 500 hours.' });
    expect((await list(owner)).items).toMatchObject([{ rated_down: 1, refused: 0 }]);
    const last = await rate(editor.ctx, id, { rating: 'up' });
    expect(last).toMatchObject({ request_id: id, rating: 'up', reason: null, expected: null });
    expect((await list(owner)).items).toEqual([]);
    for (const wrong of [owner.ctx, await lab.keyOf(editor), lab.explainLab.stranger.ctx])
      await expect(rate(wrong, id, { rating: 'down' })).rejects.toMatchObject({ code: 'retrieval.request_not_found' });
  });

  it('are counted together where they differ in case, white space and marks only', async () => {
    await refuse(editor, 'Who repairs the pump?');
    await refuse(owner, 'who  repairs the pump');
    await rate(editor.ctx, await ask(editor, 'WHO REPAIRS THE PUMP!'), { rating: 'down' });
    await refuse(editor, 'Who pays for it?');
    const { items, total } = await list(owner, { order_by: '-count' });
    expect(total).toBe(2);
    expect(items.map(({ refused, rated_down: down, refusal_codes: codes }) => [refused, down, codes])).toEqual([
      [2, 1, ['INSUFFICIENT_EVIDENCE']],
      [1, 0, ['INSUFFICIENT_EVIDENCE']],
    ]);
    expect((await list(owner, { outcome: 'rated_down' })).items).toMatchObject([{ refused: 0, rated_down: 1 }]);
    expect((await list(owner, { outcome: 'refused', order_by: 'count', limit: 1 })).items).toMatchObject([
      { refused: 1 },
    ]);
  });

  it('show their wording to the person who asked and to a reviewer, which is audited, and only their number to others', async () => {
    const id = await ask(owner);
    await rate(owner.ctx, id, { rating: 'down', reason: 'Wrong.', expected: 'Every 500 hours.' });
    const [hidden] = (await list(editor)).items;
    expect(hidden).toMatchObject({ question: null, rated_down: 1, remarks: [], case: null });
    expect(JSON.stringify(hidden)).not.toMatch(/pump|Wrong|500/);
    expect((await list(owner)).items).toMatchObject([
      {
        question: QUESTION,
        remarks: [{ reason: 'Wrong.', expected: 'Every 500 hours.' }],
        case: { query: QUESTION, expected_answer: 'Every 500 hours.', tags: ['rated_down'] },
      },
    ]);
    // His own words are no review.
    expect(await audited()).toEqual([]);
    const reviewer = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    expect((await list(reviewer)).items).toMatchObject([{ question: QUESTION }]);
    expect(await audited()).toEqual([
      { subject: `dataset:${dataset}`, details: { questions: 1 }, actor: `account:${reviewer.accountId}` },
    ]);
  });

  it('show no wording to a reviewer who does not see every dataset that was asked', async () => {
    const secret = await lab.explainLab.dataset('only_me', editor);
    await refuse(editor, 'Who is to be dismissed?', [dataset, secret]);
    const [item] = (await list(owner)).items;
    expect(item).toMatchObject({ question: null, refused: 1, case: null });
    expect((await list(editor)).items).toMatchObject([{ question: 'Who is to be dismissed?' }]);
    await lab.explainLab.sql(`UPDATE datasets SET acl = 'all_team_members' WHERE id = $1`, [secret], editor);
    expect((await list(owner)).items).toMatchObject([{ question: 'Who is to be dismissed?' }]);
    await lab.explainLab.sql(`UPDATE datasets SET deleted_at = now() WHERE id = $1`, [secret], editor);
    expect((await list(owner)).items).toMatchObject([{ question: null }]);
  });

  it('are none of a dataset that the caller does not see', async () => {
    await lab.explainLab.sql(`UPDATE datasets SET acl = 'only_me' WHERE id = $1`, [dataset]);
    for (const by of [editor, lab.explainLab.stranger])
      await expect(list(by)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });

  it('go with the conversation that they were asked in', async () => {
    const { id } = await lab.service.create(editor.ctx, {});
    const conversationId = id as ConversationId;
    const requestId = await ask(editor);
    const document = await lab.explainLab.document(dataset, ['A note.']);
    await lab.turns.keep(editor.ctx, conversationId, { ...(await lab.turn(document)), requestId });
    await rate(editor.ctx, requestId, { rating: 'down', reason: 'No.' });
    await lab.outcomes.addRefusal(editor.ctx, {
      requestId: newId(),
      question: 'Who?',
      datasetIds: [dataset],
      conversationId,
      refusalCode: 'NO_RESULTS',
    });
    expect((await lab.read(editor.ctx, id))[0]!.feedback).toEqual({ rating: 'down', reason: 'No.', expected: null });
    expect((await list(owner)).total).toBe(2);
    await lab.service.remove(editor.ctx, id);
    expect((await list(owner)).total).toBe(0);
  });

  it('are noted without a conversation where that is gone meanwhile', async () => {
    await lab.outcomes.addRefusal(editor.ctx, {
      requestId: newId(),
      question: 'Who?',
      datasetIds: [dataset],
      conversationId: newId(),
      refusalCode: 'NO_RESULTS',
    });
    expect((await list(owner)).total).toBe(1);
  });
});
