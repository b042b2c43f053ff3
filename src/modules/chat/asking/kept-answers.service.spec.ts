import { beforeEach, describe, expect, it } from 'vitest';
import { aiErrors } from '#libs/ai';
import { toCatalogueError, toProblem, type SseEvent } from '#libs/http';
import { until } from '#testing/until';
import type { StreamReader } from '../streams/chat-streams.service.js';
import type { TurnId } from '../turn/conversation.entity.js';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';
import type { ChatCompletion } from '../turn/chat-completion.dto.js';
import {
  ChatFixture,
  chunksOf,
  collect,
  contextOf,
  CONVERSATION_ID,
  DATASET_ID,
  DOCUMENT_ID,
  fragments,
  requestOf,
  textOf,
  TURN_ID,
} from '../testing/chat-fakes.js';

const CTX = contextOf('a1');
const WAIT = { wait: true } as const;
const ANSWER = ['The pump is serviced', ' every 500 hours', ' by a technician. [1]'];
const KEPT = { id: CONVERSATION_ID, turn_id: TURN_ID };

function readerUntil(signal: AbortSignal = new AbortController().signal): StreamReader {
  return {
    signal,
    describe: (thrown) => {
      const error = toCatalogueError(thrown, { url: '/api/v1/chat/completions', method: 'POST' } as never);
      return { error, problem: toProblem(error, '/api/v1/chat/completions', 'r') };
    },
  };
}

describe('a question in a conversation', () => {
  let chat: ChatFixture;
  beforeEach(() => {
    chat = new ChatFixture();
    chat.model.script = [...ANSWER];
  });

  const inConversation = (changes: Partial<ChatCompletionRequest> = {}): ChatCompletionRequest =>
    requestOf({ conversation_id: CONVERSATION_ID, ...changes });
  const complete = (changes: Partial<ChatCompletionRequest> = {}): Promise<ChatCompletion> =>
    chat.service.complete(CTX, inConversation(changes), new AbortController().signal);
  const open = (signal?: AbortSignal): Promise<AsyncIterable<SseEvent>> =>
    chat.service.stream(CTX, inConversation({ stream: true }), undefined, readerUntil(signal));

  it('is stored with its answer and everything that it rests on, and the answer says where', async () => {
    const answer = await complete();
    expect(answer.conversation).toEqual(KEPT);
    expect(chat.kept).toHaveLength(1);
    const [{ content, ...turn }] = chat.kept as [(typeof chat.kept)[number]];
    expect(turn).toEqual({
      state: 'complete',
      requestId: 'request-of-a1',
      question: 'How often is the pump serviced?',
      model: 'builtin-fake',
      datasetIds: [DATASET_ID],
      contextTurnIds: [],
      askedAt: expect.any(Date),
    });
    expect(content).toMatchObject({
      text: answer.choices[0]!.message.content,
      finish_reason: 'stop',
      refusal: null,
      table: null,
      document_ids: [DOCUMENT_ID],
    });
    expect(content.sources).toEqual(answer.sources);
    expect(content.citations).toEqual(answer.citations);
    expect(content.grounding).toEqual(answer.grounding);
  });

  it('is stored before the end of a stream is sent, with the same text', async () => {
    const events = await collect(await open());
    expect(chunksOf(events).at(-1)!.conversation).toEqual(KEPT);
    expect(chat.kept).toMatchObject([{ state: 'complete', content: { text: textOf(events), finish_reason: 'stop' } }]);
  });

  it('is not stored, and names no conversation, where the request names none', async () => {
    for (const id of [undefined, null]) {
      const answer = await complete(
        id === undefined ? { conversation_id: undefined as never } : { conversation_id: id },
      );
      expect(answer).not.toHaveProperty('conversation');
    }
    expect(chat.kept).toEqual([]);
  });

  it('is kept as a refusal, and among the questions that were refused', async () => {
    chat.model.script = ['refusal'];
    const { refusal } = await complete();
    expect(refusal!.code).toBe('NOT_ANSWERED');
    expect(chat.kept).toMatchObject([{ state: 'complete', content: { refusal: { code: 'NOT_ANSWERED' } } }]);
    expect(chat.refused).toMatchObject([{ question: 'How often is the pump serviced?', refusalCode: 'NOT_ANSWERED' }]);
  });

  it('is stored up to the point at which its reader disconnected', async () => {
    chat.model.script = [...ANSWER.slice(0, 2), WAIT, ...ANSWER.slice(2)];
    const controller = new AbortController();
    const events = (await open(controller.signal))[Symbol.asyncIterator]();
    await events.next();
    const read = (await events.next()).value as SseEvent;
    controller.abort();
    await until(() => chat.kept.length > 0, { what: 'the turn', withinMs: 3_000 });
    const [{ state, content }] = chat.kept as [(typeof chat.kept)[number]];
    expect(state).toBe('stopped');
    expect(content).toMatchObject({ finish_reason: null, citations: [], grounding: null, document_ids: [DOCUMENT_ID] });
    expect(content.text.startsWith(textOf([read]))).toBe(true);
  });

  it('is stored completely when its reader has left a stream that continues', async () => {
    chat.model.script = [ANSWER[0]!, WAIT, ...ANSWER.slice(1)];
    const controller = new AbortController();
    const request = inConversation({ stream: true, stream_options: { resumable: true } });
    const events = (await chat.service.stream(CTX, request, undefined, readerUntil(controller.signal)))[
      Symbol.asyncIterator
    ]();
    await events.next();
    await events.next();
    controller.abort();
    expect(await events.next()).toMatchObject({ done: true });
    chat.model.go();
    await until(() => chat.kept.length > 0, { what: 'the turn', withinMs: 3_000 });
    expect(chat.kept).toMatchObject([{ state: 'complete', content: { finish_reason: 'stop' } }]);
  });

  it('is kept as failed when the model fails after the first word, and not at all before', async () => {
    chat.model.script = [...ANSWER.slice(0, 2), aiErrors.provider_unavailable({ provider: 'x', model: 'y' })];
    await expect(complete()).rejects.toMatchObject({ code: 'ai.provider_unavailable' });
    expect(chat.kept).toMatchObject([{ state: 'failed' }]);
    chat.model.script = [aiErrors.provider_unavailable({ provider: 'x', model: 'y' })];
    await expect(complete()).rejects.toMatchObject({ code: 'ai.provider_unavailable' });
    expect(chat.kept).toHaveLength(1);
  });

  it('is answered even when it cannot be stored, and the answer says so', async () => {
    chat.keeping = () => undefined;
    expect((await complete()).conversation).toEqual({ id: CONVERSATION_ID, turn_id: null });
    chat.keeping = () => {
      throw new Error('The database is away.');
    };
    expect((await complete()).conversation).toEqual({ id: CONVERSATION_ID, turn_id: null });
    expect(chat.logged).toEqual(['chat.turn_not_kept']);
  });

  it('is understood and answered with the earlier turns', async () => {
    chat.said = [
      { role: 'user', content: 'How often is the hydraulic pump serviced?' },
      { role: 'assistant', content: 'Every 500 hours.' },
    ];
    await complete({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'And by whom?' },
      ],
    });
    expect(chat.searches[0]!['query']).toContain('hydraulic pump');
    expect(chat.model.requests[0]!.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      ...chat.said,
      { role: 'user', content: 'And by whom?' },
    ]);
  });

  it('is kept with the turns whose answers the model has read', async () => {
    chat.said = [
      { role: 'user', content: 'How often is the hydraulic pump serviced?' },
      { role: 'assistant', content: 'Every 500 hours.' },
    ];
    chat.saidIn = [TURN_ID as TurnId];
    await complete();
    chat.outcome = { ...chat.outcome, results: [] };
    await complete();
    expect(chat.kept.map(({ contextTurnIds }) => contextTurnIds)).toEqual([[TURN_ID], []]);
  });

  it('is stored without earlier turns where the model does not read them', async () => {
    chat.said = [
      { role: 'user', content: 'How often is the hydraulic pump serviced?' },
      { role: 'assistant', content: 'Every 500 hours.' },
    ];
    chat.saidIn = [TURN_ID as TurnId];
    chat.model.descriptor = { ...chat.model.descriptor, readsHistory: false };
    await complete({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'And by whom?' },
      ],
    });
    expect(chat.kept).toMatchObject([{ contextTurnIds: [] }]);
    expect(chat.model.requests[0]!.messages.map(({ content }) => content)).toEqual(['Be brief.', 'And by whom?']);
    expect(chat.model.requests[0]!.question).toMatch(/pump/);
  });

  describe('of several datasets', () => {
    const other = '01890000-0000-7000-8000-0000000000d2';
    beforeEach(() => {
      const [pump, invoices] = fragments();
      chat.outcome = {
        ...chat.outcome,
        results: [
          pump!,
          {
            ...invoices!,
            documentId: '01890000-0000-7000-8000-0000000000a2',
            datasetId: other,
          } as typeof invoices & {},
        ],
      };
    });
    const ask = async (): Promise<(typeof chat.kept)[number]> => {
      await complete({ dataset_ids: [DATASET_ID, other] });
      return chat.kept.at(-1)!;
    };

    it('is stored with its cited sources only, where a model that quotes wrote it', async () => {
      chat.model.descriptor = { ...chat.model.descriptor, kind: 'extractive' };
      const { datasetIds, content } = await ask();
      expect(datasetIds).toEqual([DATASET_ID]);
      expect(content.sources.map(({ marker }) => marker)).toEqual(['[1]']);
      expect(content.document_ids).toEqual([DOCUMENT_ID]);
    });

    it.each([
      ['a model writes it', 'generative', ANSWER],
      ['a sentence of it has no citation', 'extractive', [...ANSWER, ' Invoices are paid within thirty days.']],
      ['a word of it is not in what it cites', 'extractive', ['The new pump is serviced every 500 hours. [1]']],
      ['it refuses', 'extractive', ['refusal']],
    ] as const)('is kept with all that was asked and found where %s', async (_case, kind, script) => {
      chat.model.descriptor = { ...chat.model.descriptor, kind };
      chat.model.script = [...script];
      const { datasetIds, content } = await ask();
      expect(datasetIds).toEqual([DATASET_ID, other]);
      expect(content.sources).toHaveLength(2);
      expect(content.document_ids).toHaveLength(2);
    });
  });

  it('is stored without earlier turns where no earlier answer fits', async () => {
    chat.said = [{ role: 'assistant', content: 'Every 500 hours. '.repeat(3_000) }];
    chat.saidIn = [TURN_ID as TurnId];
    await complete();
    expect(chat.kept).toMatchObject([{ contextTurnIds: [] }]);
  });

  it.each([['assistant'], ['user'], ['tool']] as const)(
    'is refused beside an earlier message of role %s',
    async (role) => {
      const messages = [
        { role: 'system' as const, content: 'Be brief.' },
        { role, content: 'Earlier.' },
        { role: 'user' as const, content: 'And by whom?' },
      ];
      await expect(complete({ messages })).rejects.toMatchObject({
        code: 'http.validation_failed',
        errors: [{ pointer: '/messages/1/role', code: 'conversation_history' }],
      });
      expect(chat.model.requests).toEqual([]);
    },
  );
});

describe('a question that is refused', () => {
  it('is noted without a conversation too, but not for an evaluation', async () => {
    const chat = new ChatFixture();
    chat.outcome = { ...chat.outcome, results: [] };
    const { signal } = new AbortController();
    await chat.service.complete(CTX, requestOf(), signal, { purpose: 'evaluation' });
    expect(chat.refused).toEqual([]);
    await chat.service.complete(CTX, requestOf(), signal);
    expect(chat.refused).toMatchObject([{ refusalCode: 'NO_RESULTS', conversationId: null, datasetIds: [DATASET_ID] }]);
  });
});
