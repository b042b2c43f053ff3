import { Injectable } from '@nestjs/common';
import type { ChatMessage, ChatModelDescriptor, ModelPurpose } from '#libs/ai';
import { newId, type DatasetId } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { condenseQuestion } from '#libs/text';
import {
  QUERY_MAX,
  RecordedRetrieval,
  type RecordedOptions,
  type RetrievalOutcome,
  type SearchRequest,
} from '../retrieval/index.js';
import { DatasetAccess } from '../datasets/index.js';
import { TableAnswers, type TableLookup } from '../tables/index.js';
import { withInstructions } from './dataset-instructions.js';
import { chatSearchDefaults } from './chat-search.js';
import { ChatModels } from './chat-models.js';
import type { ChatTurn } from './chat-turn.js';
import { modelOptionsOf, stopTextsOf } from './model-options.js';
import { decideTurn } from './turn-decision.js';
import { fitContext } from './context-budget.js';
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
    private readonly tables: TableAnswers,
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
    ctx.held?.require(`datasets:${datasetIds.join()}`, (now) => this.datasets.requireAllVisible(now, datasetIds));
    const { descriptor } = chatModel;
    const options = modelOptionsOf(request, descriptor);
    const told = await this.datasets.listInstructions(ctx, datasetIds);
    const asked = requireQuestion(request.messages);
    const messages = withInstructions(told, request.messages.flatMap(toChatMessage));
    fitContext(descriptor, messages, options.maxTokens);
    const question = condenseQuestion(historyOf(messages), asked);
    // Of a question that is longer than a query may be the beginning is searched for.
    const query = cutText(question, QUERY_MAX);
    const search = { ...request.retrieval, query, dataset_ids: [...datasetIds] };
    const [outcome, lookup] = await this.lookEverywhere(
      ctx,
      search,
      question,
      recordedOptions(descriptor, purpose, signal),
    );
    const decided = decideTurn(descriptor, options, messages, { question, query, outcome, lookup });
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
    };
  }

  /** Searches, and asks the tables at the same time; filters choose fragments, and say nothing of rows. */
  private async lookEverywhere(
    ctx: RequestContext,
    search: SearchRequest,
    question: string,
    options: RecordedOptions & { readonly signal: AbortSignal },
  ): Promise<readonly [RetrievalOutcome, TableLookup]> {
    const isOver = new AbortController();
    const signal = AbortSignal.any([options.signal, isOver.signal]);
    const isFiltered = search.filters !== undefined && search.filters !== null;
    const asking: Promise<TableLookup> = isFiltered
      ? Promise.resolve({ kind: 'none' })
      : this.tables.find(ctx, search.dataset_ids as DatasetId[], question, signal);
    // What the search throws is told first.
    asking.catch(() => undefined);
    try {
      const outcome = await this.retrieval.retrieve(ctx, search, options);
      return [outcome, await asking];
    } finally {
      isOver.abort(new Error('The search has ended.'));
    }
  }
}

function recordedOptions(
  descriptor: ChatModelDescriptor,
  purpose: NonNullable<AskOptions['purpose']>,
  signal: AbortSignal,
): RecordedOptions & { readonly signal: AbortSignal } {
  const how = { signal, pointer: '/retrieval', fallback: chatSearchDefaults(descriptor) };
  return purpose === 'chat' ? { ...how, kind: 'chat' } : { ...how, kind: null, purpose };
}

/** What a model is given of a message: nothing of one without text, and nothing of results of tools. */
function toChatMessage({ role, content = '' }: ChatMessageDto): ChatMessage[] {
  if (role === 'tool' || role === 'function' || content.trim() === '') return [];
  return [{ role: role === 'developer' ? 'system' : role, content }];
}

function requireQuestion(messages: readonly ChatMessageDto[]): string {
  const { role, content = '' } = messages.at(-1) ?? {};
  const place = `/messages/${messages.length - 1}`;
  if (role !== 'user') {
    const detail = 'the last message must have the role user: it is the question';
    throw validationFailed([{ pointer: `${place}/role`, code: 'last_message_user', detail }]);
  }
  if (/\S/u.test(content)) return content;
  throw validationFailed([
    { pointer: `${place}/content`, code: 'matches', detail: 'content must hold more than white space' },
  ]);
}

/** System messages steer the model and are no part of what was asked. */
function historyOf(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.slice(0, -1).filter(({ role }) => role !== 'system');
}

/** The beginning of a text, without half of a surrogate pair at its end. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
