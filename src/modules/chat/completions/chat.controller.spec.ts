import type { AddressInfo } from 'node:net';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NOWHERE_TENANT } from '#libs/common';
import { LongAnswers, RequestValidationPipe, toCatalogueError, toProblem, type Problem } from '#libs/http';
import { AccessWatch, type RequestContext } from '#libs/tenancy';
import type { DatasetAccess } from '../../datasets/index.js';
import { ChatModels } from '../models/chat-models.service.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';
import { ModelsController } from '../models/models.controller.js';
import { ChatFixture, chatModelsOf, contextOf, DATASET_ID, requestOf } from '../testing/chat-fakes.js';

const OTHER_ID = '01890000-0000-7000-8000-0000000000d2';
const CONTENT = 'The pump is serviced every 500 hours. [1]';

describe('the chat routes', () => {
  let app: NestFastifyApplication;
  let origin: string;
  let chat: ChatFixture;
  let context: RequestContext;

  beforeAll(async () => {
    const forwarding = {
      complete: (...given: Parameters<ChatService['complete']>) => chat.service.complete(...given),
      stream: (...given: Parameters<ChatService['stream']>) => chat.service.stream(...given),
      isResumedElsewhere: (...given: Parameters<ChatService['isResumedElsewhere']>) =>
        chat.service.isResumedElsewhere(...given),
    };
    const identity = { accountId: 'a1', platformAdmin: false, defaultTenantId: null, memberships: [], stamp: '1' };
    const watch = new AccessWatch({
      findNow: async () => ({ ...identity, memberships: [{ tenantId: context.tenantId, role: 'owner' }] }),
    } as never);
    const places = { take: async () => () => undefined };
    const testing = await Test.createTestingModule({
      controllers: [ChatController, ModelsController],
      providers: [
        { provide: ChatService, useValue: forwarding },
        { provide: LongAnswers, useValue: new LongAnswers(watch, places as never) },
        {
          provide: ChatModels,
          useValue: chatModelsOf(new ChatFixture().model, { listNewest: async () => [] } as unknown as DatasetAccess),
        },
      ],
    }).compile();
    app = testing.createNestApplication<NestFastifyApplication>(new FastifyAdapter({ forceCloseConnections: true }));
    app.useGlobalPipes(new RequestValidationPipe());
    app.useGlobalFilters({
      catch: (thrown, host) => {
        const request = host.switchToHttp().getRequest();
        const error = toCatalogueError(thrown, request);
        void host
          .switchToHttp()
          .getResponse()
          .status(error.status)
          .send(toProblem(error, request.url, 'r'));
      },
    });
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRequest', async (request) => {
        Object.assign(request, { kbContext: context, kbIdentity: identity });
      });
    await app.listen(0, '127.0.0.1');
    origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(async () => app.close());

  beforeEach(() => {
    chat = new ChatFixture();
    chat.model.script = ['The pump is serviced', ' every 500 hours. [1]'];
    context = contextOf('a1');
  });

  const post = (body: object, init: RequestInit = {}): Promise<Response> =>
    fetch(`${origin}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    });
  const client = (): OpenAI => new OpenAI({ apiKey: 'kb_x', baseURL: origin, maxRetries: 0 });

  it('answers JSON with status 200', async () => {
    const response = await post(requestOf());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: CONTENT } }],
    });
  });

  it('streams events that no proxy buffers, each with an id, and resumes behind Last-Event-ID', async () => {
    const response = await post(requestOf({ stream: true }));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const events = (await response.text()).trimEnd().split('\n\n');
    expect(events.length).toBeGreaterThanOrEqual(5);
    for (const event of events) expect(event).toMatch(/^id: [0-9a-f]{32}\.\d+\ndata: /);
    expect(events.at(-1)).toContain('data: [DONE]');
    const id = /^id: (.*)$/m.exec(events[1]!)![1]!;
    const rest = await post(requestOf({ stream: true }), { headers: { 'last-event-id': id } });
    expect((await rest.text()).trimEnd().split('\n\n')).toEqual(events.slice(2));
  });

  it('answers an unknown Last-Event-ID with a problem', async () => {
    const response = await post(requestOf({ stream: true }), { headers: { 'last-event-id': 'x' } });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'chat.stream_not_found' });
  });

  it('answers what goes wrong before the first byte of a stream with a problem', async () => {
    const response = await post(requestOf({ stream: true, model: 'gpt-5' }));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'chat.model_not_found' });
  });

  it.each([true, false])('stops the model when the client leaves (stream: %s)', async (stream) => {
    chat.model.script = ['The pump', { wait: true }];
    const controller = new AbortController();
    const response = post(requestOf({ stream }), { signal: controller.signal });
    await expect.poll(() => chat.model.requests.length).toBe(1);
    controller.abort();
    await expect(response.then((answer) => answer.text())).rejects.toThrow(/abort/i);
    await expect.poll(() => chat.model.aborts.length).toBe(1);
  });

  it('accepts what OpenAI’s clients send: text parts, nulls and fields that mean nothing here', async () => {
    const content = [
      { type: 'text', text: 'How often is' },
      { type: 'text', text: 'the pump serviced?' },
    ];
    const body = {
      ...requestOf(),
      messages: [{ role: 'user', content, name: 'me' }],
      n: 1,
      stream: null,
      model: null,
      temperature: null,
      max_tokens: null,
      stream_options: null,
      top_p: 0.5,
      user: 'u',
      tools: [],
      response_format: { type: 'text' },
      seed: 1,
    };
    expect((await post(body)).status).toBe(200);
    expect(chat.model.requests[0]!.question).toBe('How often is\nthe pump serviced?');
  });

  it('accepts the defaults and sampling options of OpenAI’s clients', async () => {
    const body = {
      ...requestOf(),
      n: 1,
      tools: null,
      functions: [],
      logprobs: false,
      modalities: ['text'],
      response_format: { type: 'text' },
      stop: null,
      top_p: 1,
      seed: 7,
      frequency_penalty: 0,
      presence_penalty: -2,
      logit_bias: null,
      user: 'u',
      metadata: { a: 'b' },
      store: false,
      tool_choice: 'auto',
      parallel_tool_calls: true,
    };
    expect((await post(body)).status).toBe(200);
  });

  it('names what is missing and what is not supported', async () => {
    const missing = (await (await post({ messages: requestOf().messages })).json()) as Problem;
    expect(missing.errors).toEqual([{ pointer: '/dataset_ids', code: 'required', detail: 'dataset_ids is missing' }]);
    const refused = (await (await post({ ...requestOf(), logprobs: true, n: 3 })).json()) as Problem;
    expect(refused.errors).toEqual([
      { pointer: '/n', code: 'is_supported', detail: 'n is not supported: leave it out or send 1' },
      { pointer: '/logprobs', code: 'is_supported', detail: 'logprobs is not supported: leave it out or send false' },
    ]);
  });

  const message = { role: 'user', content: 'x' };
  it.each<[object, string]>([
    [{ messages: undefined }, '/messages'],
    [{ messages: [] }, '/messages'],
    [{ messages: Array.from({ length: 201 }, () => message) }, '/messages'],
    [{ messages: ['x'] }, '/messages'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, '/messages/0/role'],
    [{ messages: [{ role: 'user', content: '' }] }, '/messages/0/content'],
    [{ messages: [{ role: 'user', content: ' \n' }] }, '/messages/0/content'],
    [{ messages: [{ role: 'user', content: null }] }, '/messages/0/content'],
    [{ messages: [{ role: 'user', content: 'x'.repeat(100_001) }] }, '/messages/0/content'],
    [{ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'x' }] }] }, '/messages/0/content'],
    [{ messages: [message, { role: 'assistant', content: 'y' }] }, '/messages/1/role'],
    [{ dataset_ids: undefined }, '/dataset_ids'],
    [{ dataset_ids: [] }, '/dataset_ids'],
    [{ dataset_ids: ['x'] }, '/dataset_ids'],
    [{ dataset_ids: Array.from({ length: 51 }, () => DATASET_ID) }, '/dataset_ids'],
    [{ n: 2 }, '/n'],
    [{ tools: [{ type: 'function' }] }, '/tools'],
    [{ functions: [{ name: 'f' }] }, '/functions'],
    [{ logprobs: true }, '/logprobs'],
    [{ modalities: ['text', 'audio'] }, '/modalities'],
    [{ response_format: { type: 'json_object' } }, '/response_format'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, '/stop'],
    [{ stop: '' }, '/stop'],
    [{ stop: 5 }, '/stop'],
    [{ top_p: 2 }, '/top_p'],
    [{ model: `dataset:${DATASET_ID}`, dataset_ids: [DATASET_ID, OTHER_ID] }, '/dataset_ids'],
    [{ model: `dataset:${DATASET_ID}`, dataset_ids: [] }, '/dataset_ids'],
    [{ model: 'default', dataset_ids: undefined }, '/dataset_ids'],
    [{ temperature: 2.1 }, '/temperature'],
    [{ max_tokens: 0 }, '/max_tokens'],
    [{ max_completion_tokens: 32_769 }, '/max_completion_tokens'],
    [{ grounding: 'always' }, '/grounding'],
    [{ stream: 'yes' }, '/stream'],
    [{ retrieval: { top_k: 0 } }, '/retrieval/top_k'],
    [{ retrieval: { search_method: 'guess' } }, '/retrieval/search_method'],
    [{ stream: true, stream_options: { include_usage: 1 } }, '/stream_options/include_usage'],
    [{ stream_options: { include_usage: true } }, '/stream_options'],
    [{ stream: false, stream_options: {} }, '/stream_options'],
    [{ stream: null, stream_options: { resumable: true } }, '/stream_options'],
  ])('refuses %j with the pointer of the field', async (changes, pointer) => {
    const response = await post({ ...requestOf(), ...changes });
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map((error) => error.pointer)).toContain(pointer);
    expect(chat.model.requests).toEqual([]);
  });

  it('works with the official OpenAI client, whole and streamed', async () => {
    const messages = [{ role: 'user' as const, content: requestOf().messages[0]!.content! }];
    const body = { model: 'builtin-fake', messages, dataset_ids: [DATASET_ID] };
    const whole = await client().chat.completions.create(body);
    expect(whole.choices[0]?.message).toEqual({ role: 'assistant', content: CONTENT, refusal: null });
    expect(whole).toMatchObject({ usage: { total_tokens: 50 }, citations: [{ verified: true }] });

    const helper = client().chat.completions.stream({ ...body, stream_options: { include_usage: true } });
    const final = await helper.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe(CONTENT);
    expect(final).toMatchObject({ usage: { total_tokens: 50 }, citations: [{ marker: '[1]', verified: true }] });
    const models = await client().models.list();
    expect(models.data.map(({ id }) => id)).toEqual(['builtin-fake', 'default', 'embeds', 'builtin-reranks']);
    for (const listed of models.data) expect(await client().models.retrieve(listed.id)).toEqual(listed);
    expect((await client().models.retrieve('builtin-embeds')).id).toBe('embeds');
    await expect(client().models.retrieve('gpt-5')).rejects.toThrow(/^404 There is no model "gpt-5"/);
  });

  it('makes the official OpenAI client throw when the model fails in the middle of a stream', async () => {
    chat.model.script = ['The pump', new Error('broken')];
    const messages = [{ role: 'user' as const, content: requestOf().messages[0]!.content! }];
    const body = { model: 'default', messages, stream: true as const, dataset_ids: [DATASET_ID] };
    const stream = await client().chat.completions.create(body);
    const read = async (): Promise<void> => {
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
    };
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
  });

  it('shows no models to who does not belong to the tenant', async () => {
    context = { ...context, tenantId: NOWHERE_TENANT };
    expect(await (await fetch(`${origin}/models`)).json()).toEqual({ object: 'list', data: [] });
  });

  it('describes both kinds of answer with examples and the header that resumes', () => {
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const operation = document.paths['/chat/completions']!.post!;
    const { content } = operation.responses['200'] as { content: Record<string, { example: unknown }> };
    expect(content['application/json']!.example).toMatchObject({ object: 'chat.completion' });
    expect(content['text/event-stream']!.example).toMatch(/^id: [^]*data: \[DONE\]\n\n$/);
    expect(operation.parameters).toEqual([
      expect.objectContaining({ name: 'Last-Event-ID', in: 'header', required: false }),
    ]);
    expect(Object.keys(document.components!.schemas!)).toEqual(
      expect.arrayContaining(['ChatCompletion', 'ChatCompletionChunk']),
    );
  });
});
