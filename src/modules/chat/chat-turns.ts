import { Injectable } from '@nestjs/common';
import type { ChatMessage, ChatModelDescriptor, ModelPurpose } from '#libs/ai';
import { newId } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { condenseQuestion } from '#libs/text';
import {
  QUERY_MAX,
  RecordedRetrieval,
  type RecordedOptions,
  type RetrievalOutcome,
  type RetrievedChunk,
  type SearchWarning,
} from '../retrieval/index.js';
import { DatasetAccess } from '../datasets/index.js';
import { withInstructions } from './dataset-instructions.js';
import { decideAnswer } from './answer-decision.js';
import { chatSearchDefaults } from './chat-search.js';
import { ChatModels } from './chat-models.js';
import type { ChatTurn, TurnSource } from './chat-turn.js';
import { modelOptionsOf, stopTextsOf, type ModelOptions } from './model-options.js';
import { chatErrors } from './chat.errors.js';
import { fitContext } from './context-budget.js';
import { contextWarnings, packContext } from './context-packing.js';
import { type ChatCompletionRequest, type ChatMessageDto } from './dto/chat-completion-request.dto.js';

/** For whom a question is answered. */
export interface AskOptions {
  /** What models are called for. Only `chat`, the default, is noted in the ledger of requests, and has turns before background work. */
  readonly purpose?: Extract<ModelPurpose, 'chat' | 'evaluation'>;
}

/** Turns requests into questions with their sources. */
@Injectable()
export class ChatTurns {
  constructor(
    private readonly models: ChatModels,
    private readonly retrieval: RecordedRetrieval,
    private readonly datasets: DatasetAccess,
  ) {}

  /**
   * Checks a request, condenses its question with the history, and finds the sources for it.
   * @throws `http.validation_failed`, `chat.model_not_found`, `chat.question_too_long`, `datasets.not_found` and what a search
   * throws; the signal's reason after an abort.
   */
  async prepare(
    ctx: RequestContext,
    request: ChatCompletionRequest,
    signal: AbortSignal,
    { purpose = 'chat' }: AskOptions = {},
  ): Promise<ChatTurn> {
    const { model, datasetIds, chatModel } = await this.models.resolve(ctx, request);
    const { descriptor } = chatModel;
    const options = modelOptionsOf(request, descriptor);
    const told = await this.datasets.listInstructions(ctx, datasetIds);
    const messages = withInstructions(told, request.messages.map(toChatMessage));
    const asked = requireQuestion(messages);
    fitContext(descriptor, messages, options.maxTokens);
    const question = condenseQuestion(historyOf(messages), asked);
    // Of a question that is longer than a query may be the beginning is searched for.
    const query = cutText(question, QUERY_MAX);
    const search = { ...request.retrieval, query, dataset_ids: [...datasetIds] };
    const outcome = await this.retrieval.retrieve(ctx, search, recordedOptions(descriptor, purpose, signal));
    const { warnings, ...decided } = this.decide(descriptor, options, messages, question, outcome);
    return {
      id: `chatcmpl-${newId()}`,
      requestId: ctx.requestId,
      created: Math.floor(Date.now() / 1_000),
      model,
      chatModel,
      datasetIds,
      asked,
      grounding: request.grounding ?? 'annotate',
      purpose,
      stop: stopTextsOf(request),
      includeUsage: request.stream_options?.include_usage ?? false,
      ...decided,
      retrieval: {
        ...outcome.report,
        warnings: [...outcome.report.warnings, ...questionWarnings(question, query), ...warnings],
        query,
        evidence: outcome.evidence,
      },
    };
  }

  private decide(
    descriptor: ChatModelDescriptor,
    options: ModelOptions,
    messages: readonly ChatMessage[],
    question: string,
    outcome: RetrievalOutcome,
  ): Pick<ChatTurn, 'sources' | 'answered' | 'next'> & { readonly warnings: readonly SearchWarning[] } {
    const { answered, refusal } = decideAnswer(descriptor, outcome);
    if (refusal !== null) return { sources: [], answered, warnings: [], next: { kind: 'refuse', code: refusal } };
    const { messages: kept, room } = fitContext(descriptor, messages, options.maxTokens);
    const packed = packContext(outcome.results, room);
    if (packed.chunks.length === 0) throw chatErrors.fragments_too_long({ room });
    const sources = packed.chunks.map(numberSource);
    const offered = sources.map(({ number, text, document_name: title, score }) => ({ number, text, title, score }));
    return {
      sources,
      answered,
      warnings: contextWarnings(packed, { given: messages.length, kept: kept.length }),
      next: { kind: 'ask', request: { messages: kept, sources: offered, question, ...options } },
    };
  }
}

function recordedOptions(
  descriptor: ChatModelDescriptor,
  purpose: NonNullable<AskOptions['purpose']>,
  signal: AbortSignal,
): RecordedOptions {
  const how = { signal, pointer: '/retrieval', fallback: chatSearchDefaults(descriptor) };
  return purpose === 'chat' ? { ...how, kind: 'chat' } : { ...how, kind: null, purpose };
}

function toChatMessage({ role, content }: ChatMessageDto): ChatMessage {
  return { role: role === 'developer' ? 'system' : role, content };
}

function requireQuestion(messages: readonly ChatMessage[]): string {
  const last = messages.at(-1);
  if (last?.role === 'user') return last.content;
  const pointer = `/messages/${messages.length - 1}/role`;
  throw validationFailed([
    { pointer, code: 'last_message_user', detail: 'the last message must have the role user: it is the question' },
  ]);
}

/** System messages steer the model and are no part of what was asked. */
function historyOf(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.slice(0, -1).filter(({ role }) => role !== 'system');
}

function questionWarnings(question: string, query: string): SearchWarning[] {
  if (query.length === question.length) return [];
  const detail = `Of the question the first ${query.length} characters were searched for.`;
  return [{ code: 'QUESTION_CUT', detail }];
}

/** The beginning of a text, without half of a surrogate pair at its end. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

function numberSource(chunk: RetrievedChunk, index: number): TurnSource {
  const number = index + 1;
  return {
    number,
    marker: `[${number}]`,
    chunk_id: chunk.chunkId,
    document_id: chunk.documentId,
    document_name: chunk.documentName,
    dataset_id: chunk.datasetId,
    score: chunk.score,
    page: chunk.page,
    page_end: chunk.pageEnd,
    char_start: chunk.start,
    char_end: chunk.end,
    text: chunk.text,
    revision: chunk.revision,
  };
}
