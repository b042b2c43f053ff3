import { describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { profileQuestion } from '#libs/answering';
import { TermStatistics } from '#libs/ranking';
import type { Outlook, RetrievalOutcome } from '../../retrieval/index.js';
import { ChatOutlook } from './chat-outlook.service.js';
import { ChatFixture } from '../testing/chat-fakes.js';

const QUERY = 'How often is the pump serviced?';
const SIGNAL = new AbortController().signal;
const looked = ({ model }: Pick<ChatFixture, 'model'>, outcome: RetrievalOutcome, query = QUERY): Promise<Outlook> =>
  new ChatOutlook(model).look(query, outcome, SIGNAL);

describe('ChatOutlook', () => {
  it('uses the defaults of a chat for options that request and datasets omit', () => {
    const outlook = new ChatOutlook(new ChatFixture().model);
    expect(outlook.searchDefaults).toEqual({ top_k: 8, expand: 'neighbours' });
  });

  it('says what the model is given, and what does not fit', async () => {
    const chat = new ChatFixture();
    const { model, outcome } = chat;
    expect([...(await looked(chat, outcome)).given]).toEqual(['chunk-0', 'chunk-1']);
    model.descriptor = { ...model.descriptor, contextTokens: 60, maxOutputTokens: 10 };
    expect([...(await looked(chat, outcome)).given]).toEqual(['chunk-0']);
    model.descriptor = { ...model.descriptor, contextTokens: 28, maxOutputTokens: 1 };
    expect(await looked(chat, outcome, 'Pump?')).toMatchObject({ refusal: null, given: new Set() });
    expect(model.requests).toEqual([]);
  });

  it('says that a chat would refuse, by which measure and what is missing', async () => {
    const chat = new ChatFixture();
    expect(await looked(chat, { ...chat.outcome, evidence: 0 })).toEqual({
      refusal: { code: 'INSUFFICIENT_EVIDENCE', missing: { kind: 'too_weak', words: [] } },
      measure: { name: 'evidence', value: 0, bar: 0.4 },
      isWriting: true,
      given: new Set(),
    });
    expect((await looked(chat, { ...chat.outcome, results: [] })).refusal).toEqual({
      code: 'NO_RESULTS',
      missing: { kind: 'nothing_alike', words: expect.arrayContaining(['pump']) },
    });
  });

  it('says that a model which quotes finds no sentence, although the minimum is reached', async () => {
    const { outcome } = new ChatFixture();
    const { chatModel } = await createModels({ embedding: 'builtin', rerank: 'builtin', chat: 'builtin' });
    const declining = Object.assign(Object.create(chatModel) as typeof chatModel, {
      async *stream() {
        yield { kind: 'finish', finishReason: 'refusal', usage: { promptTokens: 1, completionTokens: 0 } } as const;
      },
    });
    const question = profileQuestion(QUERY, new TermStatistics());
    const quoted = await new ChatOutlook(chatModel).look(QUERY, { ...outcome, question }, SIGNAL);
    expect(quoted).toMatchObject({ refusal: null, isWriting: false, measure: { name: 'answered', bar: 0.5 } });
    const refused = await new ChatOutlook(declining).look(QUERY, { ...outcome, question }, SIGNAL);
    expect(refused).toMatchObject({ refusal: { code: 'NOT_ANSWERED' }, given: new Set() });
    expect(refused.measure).toEqual(quoted.measure);
  });
});
