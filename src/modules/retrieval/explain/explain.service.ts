import { Injectable, Optional } from '@nestjs/common';
import type { AccountId, LowPriority } from '#libs/common';
import { validationFailed } from '#libs/http';
import { authErrors, type RequestContext } from '#libs/tenancy';
import type { QueryTerms } from '#libs/ranking';
import { MemberDirectory } from '../../accounts/index.js';
import { DatasetAccess } from '../../datasets/index.js';
import type { ExplainRequestDto } from '../request/explain-request.dto.js';
import type { ExplainResponse, ExplainSuggestion } from './explain-response.dto.js';
import { toLedgerEntry } from '../ledger/ledger-entry.js';
import { RequestLedger } from '../ledger/request-ledger.service.js';
import { RetrievalService, type SearchRequest } from '../search/retrieval.service.js';
import type { ExpandedQuery } from '../expansion/expanded-query.js';
import type { SearchTrace } from '../results/search-trace.js';
import { AnswerOutlook, type Outlook } from './answer-outlook.port.js';
import { diagnose, isSearched, type IndexState } from './diagnosis.js';
import { verdictOf, type ExplainCode } from './explain-codes.js';
import { headOf, toEvidence, toExplainedWords, unknownResponse } from './explain-views.js';
import { ExpectedLocator, type LocatedExpectation } from './expected-locator.service.js';
import { proposeChanges, proposeEverything } from './proposals.js';
import { reportStages } from './stage-report.js';
import { SuggestionFinder, type FoundPlace } from './suggestion-finder.js';
import { TargetFinder } from './target-finder.service.js';
import { isExpectedResult, type Target } from './target.js';

/** One explanation: who asks, for whom, what. */
interface Question {
  readonly ctx: RequestContext;
  /** Whose search is explained; the caller's unless another account is named. */
  readonly actor: RequestContext;
  readonly search: SearchRequest;
  readonly signal: AbortSignal;
  /** What the chat would make of it; undefined where no chat is explained. */
  readonly chat: AnswerOutlook | undefined;
  /** Whether the chat's query holds words of earlier questions. */
  readonly isFollowUp: boolean;
  readonly lowPriority: LowPriority | undefined;
  /** Further phrasings of the question, kept for replays; undefined before the first search. */
  readonly expanded?: ExpandedQuery;
  /** The analysed terms of the question, kept likewise. */
  readonly terms?: QueryTerms;
}

/** How an explanation is made. */
export interface ExplainOptions {
  /** False: the ledger of requests has no entry of it, because another record is kept. Default true. */
  readonly isRecorded?: boolean;
  /** Whether only the caller learns the answer: texts in quarantine are searched only then, and only where the caller may read them. Default true. */
  readonly isForCallerAlone?: boolean;
  /** Paces its searches: no one waits for it. */
  readonly lowPriority?: LowPriority;
}

/** Tells why a search returned something or not, by the search itself: nothing is ranked here. */
@Injectable()
export class ExplainService {
  constructor(
    private readonly retrieval: RetrievalService,
    private readonly access: DatasetAccess,
    private readonly members: MemberDirectory,
    private readonly locator: ExpectedLocator,
    private readonly targets: TargetFinder,
    private readonly ledger: RequestLedger,
    @Optional() private readonly outlook?: AnswerOutlook,
  ) {}

  /**
   * The first reason why what is expected is not among the results, with changes of the request that were seen to help. What the
   * caller may not see is answered exactly as what does not exist.
   * @throws `auth.permission_missing` and `http.validation_failed` for `as_account_id`, `http.validation_failed` for
   * `expected`, and what a search throws.
   */
  async explain(
    ctx: RequestContext,
    request: ExplainRequestDto,
    signal: AbortSignal,
    { isRecorded = true, isForCallerAlone = true, lowPriority }: ExplainOptions = {},
  ): Promise<ExplainResponse> {
    const { expected, as_account_id, purpose = 'search', follow_up: isFollowUp = false, ...search } = request;
    const chat = purpose === 'chat' ? this.outlook : undefined;
    const actor = as_account_id === undefined ? ctx : await this.actAs(ctx, as_account_id as AccountId);
    const question: Question = { ctx, actor, search, signal, chat, isFollowUp, lowPriority };
    const datasets = await this.access.requireAllVisible(ctx, search.dataset_ids);
    const began = performance.now();
    const trace = await this.searchFor(question, search);
    await lowPriority?.pause(performance.now() - began, signal);
    const asked = { ...question, expanded: trace.made.expanded, terms: trace.made.terms };
    const ids = datasets.map(({ id }) => id);
    const located = await this.locator.locate(ctx, expected, ids, { signal, isForCallerAlone });
    const outlook = trace.isSeen && chat ? await chat.look(search.query, trace.made.outcome, signal) : null;
    const response =
      located === undefined
        ? unknownResponse(ctx.requestId)
        : await this.explainLocated(asked, located, trace.isSeen ? trace.made : null, outlook);
    if (isRecorded) this.record(question, request, response, trace);
    return response;
  }

  private async explainLocated(
    question: Question,
    located: LocatedExpectation,
    trace: SearchTrace | null,
    outlook: Outlook | null,
  ): Promise<ExplainResponse> {
    const { ctx, actor, signal } = question;
    const { target, scored } = await this.targets.find(ctx, located, trace);
    const isSeen = actor === ctx || (await this.sees(actor, target.document.dataset_id));
    const isReachable = trace !== null && isSeen && isSearched(trace, target) && target.resultRank === null;
    const index: IndexState | null =
      isReachable && target.chunk !== null
        ? await this.targets.readIndex(ctx, target.chunk, target.document, trace, signal)
        : null;
    const code = answerCode(diagnose({ located, target, trace, isSeen, index }), outlook, located, trace);
    const terms = scored === null || trace === null ? [] : (trace.scoring.keyword?.explain(scored.terms) ?? []);
    const whole = scored === null ? undefined : await this.targets.termsOf(ctx, scored.id);
    const words = whole === undefined || trace === null ? [] : toExplainedWords(question.search.query, trace, whole);
    const expectedChunks = located.chunks.length;
    return {
      ...headOf(ctx.requestId, code, outlook),
      evidence: toEvidence({ target, expectedChunks, trace, scored, index, terms, words }),
      stages: reportStages(code, target, trace),
      suggestions: await this.suggest(question, located, code, target, trace),
      retrieval: trace?.outcome.report ?? null,
    };
  }

  private async suggest(
    question: Question,
    located: LocatedExpectation,
    code: ExplainCode,
    target: Target,
    trace: SearchTrace | null,
  ): Promise<ExplainSuggestion[]> {
    const proposals = proposeChanges(code, question.search, target, trace);
    if (proposals.length === 0) return [];
    const defaults = trace?.defaults.options ?? {};
    const replay = (request: SearchRequest, isForPlace: boolean): Promise<FoundPlace | undefined> =>
      this.replay(question, located, request, code === 'REFUSED' ? 'wanted' : isForPlace ? 'untried' : 'tried');
    const finder = new SuggestionFinder(question.search, replay, defaults, question.lowPriority);
    await finder.tryAll(proposals);
    if (finder.suggestions.length === 0 && verdictOf(code) !== 'not_indexed') {
      await finder.tryAll([proposeEverything(question.search, defaults)]);
    }
    return [...finder.suggestions];
  }

  private async replay(
    question: Question,
    located: LocatedExpectation,
    request: SearchRequest,
    answer: 'wanted' | 'tried' | 'untried',
  ): Promise<FoundPlace | undefined> {
    const { isSeen, made } = await this.searchFor(question, request);
    if (!isSeen) return undefined;
    const { results } = made.outcome;
    const index = results.findIndex((result) => isExpectedResult(located, result));
    const result = results[index];
    if (result === undefined) return undefined;
    const { chat, signal } = question;
    const outlook =
      chat === undefined || answer === 'untried' ? null : await chat.look(request.query, made.outcome, signal);
    const isRefused = outlook === null ? null : outlook.refusal !== null;
    if (answer === 'wanted' && isRefused === true) return undefined;
    return { rank: index + 1, score: result.score, isRefused };
  }

  /** The search of the actor over those of the datasets that it sees. Where it sees none, the caller's search runs, only to check the request. */
  private async searchFor(
    { ctx, actor, signal, expanded, terms, chat, isFollowUp, search: asked }: Question,
    search: SearchRequest,
  ): Promise<{ readonly isSeen: boolean; readonly made: SearchTrace }> {
    const seen = actor === ctx ? search.dataset_ids : await this.seenBy(actor, search.dataset_ids);
    const isSeen = seen.length > 0;
    const request = isSeen ? { ...search, dataset_ids: seen } : search;
    const made = await this.retrieval.trace(isSeen ? actor : ctx, request, {
      signal,
      ...(chat === undefined ? {} : { fallback: chat.searchDefaults, isQuoted: chat.isQuoting, isFollowUp }),
      ...(expanded === undefined ? {} : { expanded }),
      ...(terms === undefined || search.query !== asked.query ? {} : { terms }),
    });
    return { isSeen, made };
  }

  private async seenBy(actor: RequestContext, ids: readonly string[]): Promise<string[]> {
    return (await this.access.listVisible(actor, ids)).map(({ id }) => id);
  }

  private async sees(actor: RequestContext, datasetId: string): Promise<boolean> {
    return (await this.seenBy(actor, [datasetId])).length > 0;
  }

  /** The context of another account of the tenant: it sees what that account sees, and has no permissions. */
  private async actAs(ctx: RequestContext, accountId: AccountId): Promise<RequestContext> {
    const permission = 'tenant:observability';
    if (!ctx.principal.permissions.has(permission))
      throw authErrors.permission_missing({ permission, kind: ctx.principal.kind });
    if ((await this.members.areMembers(ctx, [accountId])).length > 0) {
      const detail = `${accountId} is not a member of the tenant`;
      throw validationFailed([{ pointer: '/as_account_id', code: 'is_member', detail }]);
    }
    return { ...ctx, principal: { kind: 'account', accountId, role: null, permissions: new Set() } };
  }

  /** The expected text is not kept: it is text of a document. */
  private record(
    { ctx }: Question,
    request: ExplainRequestDto,
    { verdict, code }: ExplainResponse,
    { isSeen, made }: { readonly isSeen: boolean; readonly made: SearchTrace },
  ): void {
    const { text: _text, ...expected } = request.expected;
    const explanation = { verdict, code, expected };
    const kept = { ...request, expected };
    const { outcome } = made;
    const trace = isSeen ? made : { ...made, datasets: [], outcome: { ...outcome, results: [] } };
    this.ledger.record(ctx.tenantId, toLedgerEntry(ctx, { kind: 'explain', request: kept, explanation }, trace));
  }
}

/** What was retrieved may still not reach the answer of a chat. */
function answerCode(
  code: ExplainCode,
  outlook: Outlook | null,
  located: LocatedExpectation,
  trace: SearchTrace | null,
): ExplainCode {
  if (code !== 'RETRIEVED' || outlook === null || trace === null) return code;
  const { refusal, given } = outlook;
  if (refusal !== null) return 'REFUSED';
  const isGiven = trace.outcome.results.some(
    (result) => given.has(result.chunkId) && isExpectedResult(located, result),
  );
  return isGiven ? code : 'CONTEXT_BUDGET';
}
