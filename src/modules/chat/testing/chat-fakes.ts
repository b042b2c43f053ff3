import {
  ChatModel,
  EntailmentModel,
  type EntailmentDescriptor,
  Reranker,
  EmbedderList,
  InstalledModels,
  ModelList,
  type Embedder,
  type RerankDocument,
  type RerankedDocuments,
  type RerankerDescriptor,
  type ChatDelta,
  type ChatMessage,
  type ChatModelDescriptor,
  type ChatRequest,
  type ModelCallOptions,
} from '#libs/ai';
import { MemoryCache, type Cache } from '#libs/cache';
import type { AccountId, DatasetId, TenantId } from '#libs/common';
import type { Settings } from '#libs/config';
import { Drain, type SseEvent } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { profileQuestion } from '#libs/answering';
import { TermStatistics } from '#libs/ranking';
import type { PinoLogger } from 'nestjs-pino';
import { DatasetAccess, datasetErrors, type DatasetInstructions } from '../../datasets/index.js';
import { DocumentTextReader } from '../../documents/index.js';
import {
  RecordedRetrieval,
  type RetrievalOutcome,
  type RetrievedChunk,
  type SearchTrace,
} from '../../retrieval/index.js';
import type { CitedPlace, CitedRow, CitedRows, TableAnswers, TableLookup } from '../../tables/index.js';
import { AnswerWriter } from '../writing/answer-writer.service.js';
import { ChatModels } from '../models/chat-models.service.js';
import { ChatStreams } from '../streams/chat-streams.service.js';
import { ChatTurns } from '../asking/chat-turns.service.js';
import { ChatService } from '../completions/chat.service.js';
import { CitationVerifier } from '../answer/citation-verifier.service.js';
import type { ConversationHistory } from '../conversations/conversation-history.service.js';
import type { ConversationTurnsRepository } from '../conversations/conversation-turns.repository.js';
import type { ConversationId, TurnId } from '../turn/conversation.entity.js';
import type { EndedTurn } from '../conversations/ended-turn.js';
import { JsonAnswers } from '../answer/json-answers.service.js';
import { KeptAnswers } from '../asking/kept-answers.service.js';
import { NextSteps } from '../turn/next-steps.service.js';
import type { QuestionOutcomesRepository } from '../questions/question-outcomes.repository.js';
import { RefusalWriter } from '../answer/refused-answer.service.js';
import { SharedStreams } from '../streams/shared-streams.service.js';
import type { ChatCompletionChunk } from '../turn/chat-completion-chunk.dto.js';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';
import { StreamBuffer } from '../streams/stream-buffer.service.js';
import { SupportMeasure } from '../answer/support-measure.service.js';
import type { ShownDocumentsRepository } from '../turn/shown-documents.repository.js';
import { TableAnswerWriter } from '../tables/table-answer-writer.service.js';
import { TalkAnswers } from '../talk/talk-answers.service.js';
import { FixedAnswers } from '../writing/fixed-answers.service.js';
import { TalkWriter } from '../talk/talk-writer.service.js';
import { AnswerMarkup } from '../markup/answer-markup.js';

export const DATASET_ID = '01890000-0000-7000-8000-0000000000d1';
export const CONVERSATION_ID = '01890000-0000-7000-8000-0000000000e1';
export const TURN_ID = '01890000-0000-7000-8000-0000000000f1';
export const DOCUMENT_ID = '01890000-0000-7000-8000-0000000000a1';

/** The canonical text of the only document; the fragments are its two lines. */
export const DOCUMENT_TEXT =
  'The pump is serviced every 500 hours by a technician.\nInvoices are paid within thirty days.\n';

export function contextOf(account: string, tenant = 't1'): RequestContext {
  const principal = {
    kind: 'account' as const,
    accountId: account as AccountId,
    role: 'viewer' as const,
    permissions: new Set<never>(),
  };
  return { tenantId: tenant as TenantId, principal, requestId: `request-of-${account}` };
}

export function fragments(): RetrievedChunk[] {
  return DOCUMENT_TEXT.trimEnd()
    .split('\n')
    .map((text, ordinal) => {
      const start = DOCUMENT_TEXT.indexOf(text);
      const facts = {
        chunkId: `chunk-${ordinal}`,
        documentId: DOCUMENT_ID,
        documentName: 'manual.txt',
        documentPath: null,
        documentCreatedAt: new Date('2026-01-01T00:00:00.000Z'),
        datasetId: DATASET_ID,
      };
      const span = { ordinal, text, start, end: start + text.length, headingPath: [], metadata: {} };
      const scores = { keyword: 0.5, vector: null, kg: null, fusion: null, rerank: null };
      const place = { ...span, page: null, pageEnd: null, revision: 3, scores };
      return { ...facts, ...place, score: 0.9 - ordinal / 10 } as unknown as RetrievedChunk;
    });
}

/** A model that writes what the test tells it, in these pieces. */
export class FakeChatModel extends ChatModel {
  descriptor: ChatModelDescriptor = {
    provider: 'builtin',
    model: 'fake',
    kind: 'generative',
    contextTokens: 8_000,
    maxOutputTokens: 1_000,
    readsHistory: true,
  };
  /** Pieces of text, but `refusal` and `length` are how it finishes; `wait` blocks until `go()` or an abort, an Error is thrown. */
  script: (string | Error | { wait: true })[] = [];
  readonly requests: ChatRequest[] = [];
  /** Why each call ended before its end. */
  readonly aborts: unknown[] = [];
  go: () => void = () => undefined;
  /** How many pieces of text were taken. */
  taken = 0;

  async *stream(request: ChatRequest, options?: ModelCallOptions): AsyncGenerator<ChatDelta> {
    this.requests.push(request);
    let finishReason: 'stop' | 'length' | 'refusal' = 'stop';
    for (const step of this.script) {
      if (step instanceof Error) throw step;
      if (typeof step === 'object') await this.pause(options?.signal);
      else if (step === 'refusal' || step === 'length') finishReason = step;
      else {
        this.taken += 1;
        yield { kind: 'text', text: step };
      }
    }
    yield { kind: 'finish', finishReason, usage: { promptTokens: 40, completionTokens: 10 } };
  }

  private pause(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.go = resolve;
      signal?.addEventListener('abort', () => {
        this.aborts.push(signal.reason);
        reject(signal.reason as Error);
      });
    });
  }
}

/** Gives every document the score that the test tells it. */
export class FakeReranker extends Reranker {
  readonly descriptor: RerankerDescriptor = {
    provider: 'fake',
    model: 'fake',
    kind: 'semantic',
    maxDocuments: 100,
    maxDocumentChars: 10_000,
  };
  scoreOf: (query: string, text: string) => number = () => 0;

  async rerank(query: string, documents: readonly RerankDocument[]): Promise<RerankedDocuments> {
    const scored = documents.map(({ id, text }) => ({ id, score: this.scoreOf(query, text) }));
    const usage = { inputTokens: 0, outputTokens: 0, requests: 1, isEstimated: true };
    return { documents: scored.toSorted((a, b) => b.score - a.score), usage };
  }
}

/** Gives every text the probability that the test tells it. */
export class FakeEntailment extends EntailmentModel {
  readonly descriptor: EntailmentDescriptor = { provider: 'fake', model: 'fake', maxTexts: 100 };
  probabilityOf: (statement: string, text: string) => number = () => 0;
  /** Texts that were read. */
  readonly read: string[] = [];

  async entail(statement: string, texts: readonly string[]): Promise<readonly number[]> {
    this.read.push(...texts);
    return texts.map((text) => this.probabilityOf(statement, text));
  }
}

/** The chat service on fakes that a test can change. */
export class ChatFixture {
  readonly model = new FakeChatModel();
  outcome: RetrievalOutcome = {
    results: fragments(),
    evidence: 0.9,
    question: profileQuestion('How often is the pump serviced?', new TermStatistics()),
    report: { config_fingerprint: 'f'.repeat(64), warnings: [] as unknown } as RetrievalOutcome['report'],
  };
  readonly searches: Record<string, unknown>[] = [];
  /** What a search tells about itself. */
  trace = { options: { filter: null }, defaults: { options: {} } } as SearchTrace;
  /** What another search than the first finds. */
  outcomeOf: (request: Readonly<Record<string, unknown>>) => RetrievalOutcome = () => this.outcome;
  searchFails: Error | undefined;
  /** What documents are shown. */
  readonly documents: Pick<ShownDocumentsRepository, 'list' | 'listNames' | 'listChunks'> = {
    list: async () => [],
    listNames: async () => [],
    listChunks: async () => [],
  };
  /** What tables say. */
  lookup: TableLookup = { kind: 'none' };
  /** Rows of tables that the stored text has. */
  tableRows: CitedRow[] = [];
  /** Questions that tables were asked. */
  readonly tableQuestions: string[] = [];
  storedText = DOCUMENT_TEXT;
  storedPage: number | null = null;
  datasetIsVisible = true;
  instructions: DatasetInstructions[] = [];
  readonly logged: string[] = [];
  /** What was said in the conversation of a request. */
  said: ChatMessage[] = [];
  /** The turns in which it was said. */
  saidIn: TurnId[] = [];
  /** What conversations kept, and the questions that were noted as refused. */
  readonly kept: EndedTurn[] = [];
  readonly refused: { readonly question: string; readonly refusalCode: string }[] = [];
  /** What keeping a turn does; by default it is kept. */
  keeping: () => TurnId | undefined = () => TURN_ID as TurnId;
  private readonly history: Pick<ConversationHistory, 'open'> = {
    open: async (_ctx, id) => ({ id: id as ConversationId, messages: this.said, turnIds: this.saidIn }),
  };
  private readonly turns: Pick<ConversationTurnsRepository, 'keep'> = {
    keep: async (_ctx, _id, turn) => {
      const id = this.keeping();
      this.kept.push(turn);
      return id;
    },
  };
  private readonly questions: Pick<QuestionOutcomesRepository, 'addRefusal'> = {
    addRefusal: async (_ctx, refused) => void this.refused.push(refused),
  };
  readonly reranker: FakeReranker = new FakeReranker();
  readonly entailment: FakeEntailment = new FakeEntailment();
  readonly service: ChatService;

  /**
   * @param answering the model that answers; by default `model`.
   * @param settings in place of the defaults; with `redisUrl`, `cache` is shared with other fixtures.
   */
  constructor(
    answering?: ChatModel,
    values: Readonly<Record<string, unknown>> = {
      chatFirstTokenSeconds: 60,
      groundingMethod: 'lexical',
    },
    private readonly cache: Cache = new MemoryCache(),
  ) {
    const model = answering ?? this.model;
    const retrieval: Pick<RecordedRetrieval, 'trace' | 'retrieve'> = {
      retrieve: async (ctx, request, options) => (await retrieval.trace(ctx, request, options)).outcome,
      trace: async (_ctx, request, options) => {
        if (this.searchFails) throw this.searchFails;
        this.searches.push({ ...options?.fallback, ...request, pointer: options?.pointer });
        return { ...this.trace, outcome: this.outcomeOf(request as unknown as Record<string, unknown>) };
      },
    };
    const texts: Pick<DocumentTextReader, 'readRange' | 'findPage'> = {
      findPage: async () => this.storedPage,
      readRange: async (_ctx, _id, start, end) =>
        end <= this.storedText.length ? this.storedText.slice(start, end) : undefined,
    };
    const access: Pick<DatasetAccess, 'requireAllVisible' | 'findSummary' | 'listInstructions'> = {
      listInstructions: async () => this.instructions,
      findSummary: async (_ctx, id) =>
        this.datasetIsVisible && id === DATASET_ID
          ? { id: DATASET_ID as DatasetId, name: 'Manuals', ownerId: 'a1' as AccountId, createdAt: new Date(0) }
          : undefined,
      requireAllVisible: async () => {
        if (!this.datasetIsVisible) throw datasetErrors.not_found({ id: DATASET_ID });
        return [];
      },
    };
    const log = (_facts: unknown, event: string): unknown => this.logged.push(event);
    const logger = { error: log, warn: log };
    const models = chatModelsOf(model, access as DatasetAccess);
    const tables: TableAnswers = {
      find: async (_ctx, _ids, question) => {
        this.tableQuestions.push(question);
        return this.lookup;
      },
    };
    const steps = new NextSteps(retrieval as RecordedRetrieval);
    const markup = new AnswerMarkup({ hosts: ['docs.example'] });
    const talks = new TalkAnswers(this.documents as ShownDocumentsRepository, markup);
    const turns = new ChatTurns(
      models,
      retrieval as RecordedRetrieval,
      access as DatasetAccess,
      tables,
      steps,
      talks,
      this.history as ConversationHistory,
    );
    const settings = { values } as unknown as Settings;
    const measure = new SupportMeasure(this.reranker, this.entailment, settings);
    const rows: CitedRows = {
      find: async (_ctx, places) => places.map((place) => this.tableRows.find((row) => holds(row, place))),
    };
    const verifier = new CitationVerifier(texts as DocumentTextReader, rows);
    const refusals = new RefusalWriter(measure, markup);
    const writer = new AnswerWriter(
      verifier,
      measure,
      new JsonAnswers(verifier, measure, refusals),
      markup,
      refusals,
      new FixedAnswers(
        refusals,
        new TableAnswerWriter(verifier, markup, refusals),
        new TalkWriter(verifier, measure, refusals),
      ),
      settings,
    );
    const answers = new KeptAnswers(
      writer,
      this.turns as ConversationTurnsRepository,
      this.questions as QuestionOutcomesRepository,
      logger as unknown as PinoLogger,
    );
    const streams = new ChatStreams(
      turns,
      answers,
      new StreamBuffer(),
      new SharedStreams(this.cache, settings, logger as unknown as PinoLogger),
      access as DatasetAccess,
      new Drain(logger as unknown as PinoLogger),
      logger as unknown as PinoLogger,
    );
    this.service = new ChatService(turns, answers, streams, models);
  }
}

function holds(row: CitedRow, place: CitedPlace): boolean {
  return row.start <= place.start && row.end >= place.end;
}

/** The models beside a chat model; two others represent what embeds and reranks. */
export function chatModelsOf(model: ChatModel, datasets: DatasetAccess): ChatModels {
  const described = (name: string): object => ({ descriptor: { provider: 'builtin', model: name } });
  const embedders = new EmbedderList(described('embeds') as Embedder);
  const rerankers = new ModelList(described('reranks') as Reranker);
  return new ChatModels(new InstalledModels(embedders, rerankers, new ModelList(model)), datasets);
}

export function requestOf(changes: Partial<ChatCompletionRequest> = {}): ChatCompletionRequest {
  const messages = [{ role: 'user' as const, content: 'How often is the pump serviced?' }];
  return { messages, dataset_ids: [DATASET_ID], ...changes };
}

/** The chunks of a stream, `[DONE]` left out. */
export function chunksOf(events: readonly SseEvent[]): ChatCompletionChunk[] {
  return events.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data) as ChatCompletionChunk);
}

export function textOf(events: readonly SseEvent[]): string {
  return chunksOf(events)
    .map((chunk) => chunk.choices?.[0]?.delta.content ?? '')
    .join('');
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
