import { Injectable } from '@nestjs/common';
import type { ChatMessage, ModelPurpose } from '#libs/ai';
import { catalogueErrorOf, newId, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { completeQuestion, condenseQuestion, partsOfQuestion, toldBefore } from '#libs/answering';
import {
  QUERY_MAX,
  RecordedRetrieval,
  type RecordedOptions,
  type RetrievalOutcome,
  type SearchRequest,
  type SearchTrace,
} from '../../retrieval/index.js';
import { DatasetAccess, type DatasetInstructions } from '../../datasets/index.js';
import { TableAnswers, type TableLookup } from '../../tables/index.js';
import { searchFor } from './chat-search.js';
import { ChatModels, type ResolvedModel } from '../models/chat-models.service.js';
import type { ChatTurn } from '../turn/chat-turn.js';
import { ConversationHistory, type OpenConversation } from '../conversations/conversation-history.service.js';
import type { ConversationId, TurnId } from '../turn/conversation.entity.js';
import { decideAnswer } from '../turn/answer-decision.js';
import { readTalk, type Talk } from '../talk/read-talk.js';
import { TalkAnswers } from '../talk/talk-answers.service.js';
import { modelOptionsOf, stopTextsOf, type ModelOptions } from '../models/model-options.js';
import { NextSteps, type RefusedSearch } from '../turn/next-steps.service.js';
import { isAnswered } from '../writing/quoted-answer.js';
import { combinedTurn, type DecidedPart } from '../writing/combined-turn.js';
import { decideTurn, type DecidedTurn, type FoundAnswers } from '../writing/turn-decision.js';
import { fitContext } from '../answer/context-budget.js';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';
import { historyOf, requireNoHistory, requireQuestion, toChatMessage, withEarlier } from '../turn/request-messages.js';

/** The caller of a question. */
export interface AskOptions {
  /** Purpose of the calls of models. Only `chat`, the default, is recorded in the ledger of requests and comes before background work. */
  readonly purpose?: Extract<ModelPurpose, 'chat' | 'evaluation'>;
}

/** A request as it is understood. */
interface AskedQuestion extends ResolvedModel {
  readonly options: ModelOptions;
  /** With what datasets tell the model. */
  readonly messages: readonly ChatMessage[];
  readonly earlier: readonly ChatMessage[];
  /** The last message. */
  readonly asked: string;
  readonly askedAt: Date;
  readonly conversationId: ConversationId | null;
  readonly earlierTurnIds: readonly TurnId[];
  /** The last message with what earlier ones add. */
  readonly question: string;
  /** What is searched for of it. */
  readonly query: string;
  readonly search: SearchRequest;
}

type TurnHead = Omit<ChatTurn, keyof DecidedTurn | 'purpose' | 'nextStep'>;

/** A search that asks no model. */
const BY_WORDS = {
  search_method: 'keyword',
  top_k: 1,
  rerank: { enabled: false },
  query_expansion: 'none',
  expand: 'none',
} as const;

/** Turns requests into questions with their sources. */
@Injectable()
export class ChatTurns {
  constructor(
    private readonly models: ChatModels,
    private readonly retrieval: RecordedRetrieval,
    private readonly datasets: DatasetAccess,
    private readonly tables: TableAnswers,
    private readonly steps: NextSteps,
    private readonly talks: TalkAnswers,
    private readonly history: ConversationHistory,
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
    const asked = await this.read(ctx, request);
    const how = recordedOptions(asked, purpose, signal);
    // An answer that is to be JSON is the model's.
    const talk = asked.options.responseFormat === undefined ? readTalk(asked.asked) : undefined;
    const talked = talk === undefined ? undefined : await this.talk(ctx, asked, talk, how);
    if (talked !== undefined) return { ...headOf(ctx, request, asked), purpose, nextStep: null, ...talked };
    const [trace, lookup] = await this.lookEverywhere(ctx, asked.search, asked.question, how);
    const decided = await this.withParts(ctx, asked, decide(asked, { outcome: trace.outcome, lookup }), how);
    const isHelped = decided.next.kind === 'refuse' && purpose === 'chat';
    const nextStep = isHelped ? await this.steps.find(ctx, refusedSearch(asked, trace, signal), how) : null;
    return { ...headOf(ctx, request, asked), purpose, nextStep, ...decided };
  }

  /** Looks for each question of a message that asks several, where the model quotes: one that writes reads the whole message itself. */
  private async withParts(
    ctx: RequestContext,
    asked: AskedQuestion,
    whole: DecidedTurn,
    how: RecordedOptions & { readonly signal: AbortSignal },
  ): Promise<DecidedTurn> {
    const { chatModel, earlier, options } = asked;
    const isParted = chatModel.descriptor.kind === 'extractive' && options.responseFormat === undefined;
    const parts = isParted && whole.next.kind !== 'table' ? partsOfQuestion(asked.asked) : [];
    if (parts.length < 2) return whole;
    const decided: DecidedPart[] = [];
    for (const [at, part] of parts.entries()) {
      const before = parts.slice(0, at).map((content) => ({ role: 'user', content }) as const);
      const condensed = condenseQuestion([...earlier, ...before], part);
      const alone = await this.decidePart(ctx, asked, part, condensed, how);
      // The whole says what it can where a part cannot be looked for now, or is answered by a table.
      if (alone === undefined || alone.decided.next.kind === 'table') return whole;
      const last = parts[at - 1];
      const mayLackSubject = alone.decided.next.kind === 'refuse' && last !== undefined && condensed === part;
      const completed = mayLackSubject
        ? await this.decidePart(ctx, asked, part, completeQuestion(last, part), how)
        : undefined;
      decided.push(completed?.decided.next.kind === 'ask' ? completed : alone);
    }
    return combinedTurn(whole, decided);
  }

  /** What is decided of one of several questions, by itself; undefined where it cannot be looked for now. */
  private async decidePart(
    ctx: RequestContext,
    asked: AskedQuestion,
    part: string,
    question: string,
    how: RecordedOptions & { readonly signal: AbortSignal },
  ): Promise<DecidedPart | undefined> {
    const query = cutText(question, QUERY_MAX);
    const isFollowUp = question.trim() !== part.trim();
    const search = { ...asked.search, query };
    const found = await this.lookForPart(ctx, search, question, { ...how, kind: null, isFollowUp });
    if (found === undefined) return undefined;
    return { question, asked: part, decided: decide({ ...asked, asked: part, question, query }, found) };
  }

  /** Undefined where what is asked refuses for now: a limit, a model or a store that is away. */
  private async lookForPart(
    ctx: RequestContext,
    search: SearchRequest,
    question: string,
    how: RecordedOptions & { readonly signal: AbortSignal },
  ): Promise<{ readonly outcome: RetrievalOutcome; readonly lookup: TableLookup } | undefined> {
    try {
      const [{ outcome }, lookup] = await this.lookEverywhere(ctx, search, question, how);
      return { outcome, lookup };
    } catch (error) {
      how.signal.throwIfAborted();
      if (catalogueErrorOf(error) === undefined) throw error;
      return undefined;
    }
  }

  /** A request with the model and the datasets that it names, and what is to be searched for. */
  private async read(ctx: RequestContext, request: ChatCompletionRequest): Promise<AskedQuestion> {
    const askedAt = new Date();
    const resolved = await this.models.resolve(ctx, request);
    const { datasetIds, chatModel } = resolved;
    ctx.held?.require(`datasets:${datasetIds.join()}`, (now) => this.datasets.requireAllVisible(now, datasetIds));
    const { descriptor } = chatModel;
    const options = modelOptionsOf(request, descriptor);
    const told = await this.datasets.listInstructions(ctx, datasetIds);
    const asked = requireQuestion(request.messages);
    const conversation = await this.openConversation(ctx, request);
    const said = withEarlier(conversation?.messages ?? [], request.messages.flatMap(toChatMessage));
    const messages = withInstructions(told, said);
    fitContext(descriptor, messages, options.maxTokens);
    const earlier = historyOf(messages);
    const question = condenseQuestion(earlier, asked);
    // Of a question that is longer than a query may be the beginning is searched for.
    const query = cutText(question, QUERY_MAX);
    const search = { ...request.retrieval, query, dataset_ids: [...datasetIds] };
    const kept = { conversationId: conversation?.id ?? null, earlierTurnIds: conversation?.turnIds ?? [] };
    return { ...resolved, ...kept, options, messages, earlier, asked, askedAt, question, query, search };
  }

  /** Undefined where the request names none. */
  private async openConversation(
    ctx: RequestContext,
    { conversation_id: id, messages }: ChatCompletionRequest,
  ): Promise<OpenConversation | undefined> {
    if (id === undefined || id === null) return undefined;
    requireNoHistory(messages);
    return this.history.open(ctx, id);
  }

  /**
   * What is said to a message that is no question; undefined where it is one after all. It is searched for all the same, by words and
   * without any model: so rights and options are checked as ever, and the ledger knows of it.
   */
  private async talk(
    ctx: RequestContext,
    { chatModel, datasetIds, search, query, options }: AskedQuestion,
    talk: Talk,
    how: RecordedOptions,
  ): Promise<DecidedTurn | undefined> {
    // A summary may be a question after all, which is searched for and noted then.
    const kind = talk.kind === 'summary' ? null : how.kind;
    const { outcome, options: searched } = await this.retrieval.trace(
      ctx,
      { ...search, ...BY_WORDS },
      { ...how, kind },
    );
    const answer = await this.talks.answer(ctx, talk, { datasetIds, filter: searched.filter });
    if (answer === undefined) return undefined;
    const { measure } = decideAnswer(chatModel.descriptor, outcome);
    return {
      sources: answer.sources,
      answered: 0,
      computed: null,
      tableDocuments: [],
      measure,
      found: outcome,
      retrieval: { ...outcome.report, query, evidence: outcome.evidence, table: null },
      next: { kind: 'talk', answer, maxTokens: options.maxTokens },
    };
  }

  /** Searches, and asks the tables at the same time; filters choose fragments, and say nothing of rows. */
  private async lookEverywhere(
    ctx: RequestContext,
    search: SearchRequest,
    question: string,
    options: RecordedOptions & { readonly signal: AbortSignal },
  ): Promise<readonly [SearchTrace, TableLookup]> {
    const isOver = new AbortController();
    const signal = AbortSignal.any([options.signal, isOver.signal]);
    const isFiltered = search.filters !== undefined && search.filters !== null;
    const asking: Promise<TableLookup> = isFiltered
      ? Promise.resolve({ kind: 'none' })
      : this.tables.find(ctx, search.dataset_ids as DatasetId[], question, signal);
    // What the search throws is told first.
    asking.catch(() => undefined);
    try {
      const trace = await this.retrieval.trace(ctx, search, options);
      return [trace, await asking];
    } finally {
      isOver.abort(new Error('The search has ended.'));
    }
  }
}

/** What every turn has, however it is answered. */
function headOf(
  { requestId }: RequestContext,
  request: ChatCompletionRequest,
  { model, chatModel, datasetIds, asked, askedAt, conversationId, earlierTurnIds, earlier }: AskedQuestion,
): TurnHead {
  return {
    id: `chatcmpl-${newId()}`,
    requestId,
    created: Math.floor(Date.now() / 1_000),
    model,
    chatModel,
    datasetIds,
    asked,
    askedAt,
    conversationId,
    earlierTurnIds,
    earlier: earlier.filter(({ role }) => role === 'user').map(({ content }) => content),
    grounding: request.grounding ?? 'annotate',
    stop: stopTextsOf(request),
    includeUsage: request.stream_options?.include_usage ?? false,
  };
}

function decide(
  { chatModel, options, messages, earlier, asked, question, query }: AskedQuestion,
  found: Pick<FoundAnswers, 'outcome' | 'lookup'>,
): DecidedTurn {
  const own = question.trim() === asked.trim() ? {} : { asked, told: toldBefore(earlier, asked) };
  return decideTurn(chatModel.descriptor, options, messages, { question, ...own, query, ...found });
}

function refusedSearch(asked: AskedQuestion, trace: SearchTrace, signal: AbortSignal): RefusedSearch {
  const { search, chatModel } = asked;
  return {
    search,
    trace,
    isAnswered: (outcome) => isAnswered(chatModel, decide(asked, { outcome, lookup: { kind: 'none' } }), { signal }),
  };
}

function recordedOptions(
  { chatModel: { descriptor }, asked, question }: AskedQuestion,
  purpose: NonNullable<AskOptions['purpose']>,
  signal: AbortSignal,
): RecordedOptions & { readonly signal: AbortSignal } {
  const isFollowUp = question.trim() !== asked.trim();
  const how = { signal, pointer: '/retrieval', isFollowUp, ...searchFor(descriptor) };
  return purpose === 'chat' ? { ...how, kind: 'chat' } : { ...how, kind: null, purpose };
}

/** The beginning of a text, without half of a surrogate pair at its end. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** The conversation behind what its datasets tell the model: of one dataset as it is, of several each with the dataset's name. */
function withInstructions(told: readonly DatasetInstructions[], messages: readonly ChatMessage[]): ChatMessage[] {
  if (told.length === 0) return [...messages];
  const [only, ...others] = told;
  const content =
    others.length === 0
      ? only!.instructions
      : told.map(({ name, instructions }) => `For the dataset ${JSON.stringify(name)}:\n${instructions}`).join('\n\n');
  return [{ role: 'system', content }, ...messages];
}
