import { Injectable } from '@nestjs/common';
import { inTurns, type JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { analyzeQuerySteps, type StatisticsView } from '#libs/ranking';
import { profileQuestion, type QuestionProfile } from '#libs/answering';
import type { VisibleDataset } from '../../datasets/index.js';
import {
  CandidateFinder,
  type FoundCandidates,
  type CandidateRequest,
} from '../candidates/candidate-finder.service.js';
import { CandidateScorer, similarityOf } from '../ranking/candidate-scorer.service.js';
import { CandidateScores } from '../ranking/candidate-scores.js';
import { configFingerprint, searchConfig } from './config-fingerprint.js';
import type { SearchOptionsDto } from '../request/search-options.dto.js';
import { joinFound } from '../widening/joined-phrasings.js';
import { evidenceOf, phrasingsOf, rankPhrasings } from '../widening/phrasings.js';
import { NOT_EXPANDED, type ExpandedQuery } from '../expansion/expanded-query.js';
import { followGraph, linkQuestion } from '../widening/graph-candidates.js';
import { selectResults } from '../ranking/ranking.js';
import { QueryEmbedding } from '../question/query-embedding.service.js';
import type { QueryVectors } from '../candidates/query-vectors.js';
import { ResultHydrator } from '../results/result-hydrator.service.js';
import { ResultReranker } from '../statements/result-reranker.service.js';
import type { RetrievalOutcome } from '../results/retrieval-outcome.js';
import type { RetrieveOptions } from '../results/retrieve-options.js';
import { DEADLINE_MS, FIRST_DEADLINE_MS, withinDeadline } from '../request/search-deadline.js';
import { fitTerms, makeScoring, statisticsOf } from '../candidates/scoring.js';
import { resolveOptions, type EffectiveOptions, type OptionFacts, enoughByWords } from '../request/search-options.js';
import {
  askedOf,
  type AllRanked,
  type Answered,
  type FoundWithGraph,
  type SearchPlan,
  type Selected,
  type Selection,
} from '../results/search-plan.js';
import { SearchedDatasets } from './searched-datasets.service.js';
import { SearchScopes, type ScopeFacts } from '../candidates/search-scopes.service.js';
import { applyDefaults } from '../request/request-defaults.js';
import type { SearchTrace } from '../results/search-trace.js';
import { warningsOf } from '../results/search-warnings.js';
import { StepTimer } from '../request/step-timer.js';
import type { SearchCounts } from '../request/search-response.dto.js';

/** What differs between the searches for candidates of one plan. */
type SoughtHow = Pick<CandidateRequest, 'candidateK' | 'filter' | 'posted'>;

/** Number of candidates fetched without filters, to tell whether the filters excluded everything. */
const PROBE_CANDIDATES = 10;

/** A search: the question, the datasets, and how to search them. */
export interface SearchRequest extends SearchOptionsDto {
  readonly query: string;
  readonly dataset_ids: readonly string[];
  readonly top_k?: number;
}

/** Maximum number of times that a search is repeated because the searched content changed meanwhile. */
const ROUNDS = 3;

/** Finds the chunks that answer a question: candidates come from the vector store, visibility from the database, the order from this service. */
@Injectable()
export class RetrievalService {
  constructor(
    private readonly datasets: SearchedDatasets,
    private readonly question: QueryEmbedding,
    private readonly finder: CandidateFinder,
    private readonly scopes: SearchScopes,
    private readonly scorer: CandidateScorer,
    private readonly reranker: ResultReranker,
    private readonly hydrator: ResultHydrator,
  ) {}

  /**
   * Searches the datasets as the caller sees them. Reads only; a transaction of `ctx` is not used, because remote calls are made.
   * @throws `datasets.not_found` for a dataset that the caller does not see, `http.validation_failed` and
   * `retrieval.option_not_available` for options, `retrieval.timeout`, `vector_store.unavailable`, `ai.provider_unavailable`.
   */
  async retrieve(
    ctx: RequestContext,
    request: SearchRequest,
    options: RetrieveOptions = {},
  ): Promise<RetrievalOutcome> {
    return (await this.trace(ctx, request, options)).outcome;
  }

  /** The same with a trace of the search. */
  async trace(ctx: RequestContext, request: SearchRequest, options: RetrieveOptions = {}): Promise<SearchTrace> {
    const { models } = this;
    const place = { pointer: options.pointer ?? '' };
    // What is wrong with the request is told before anything is read.
    resolveOptions(request, { ...models, ...this.question.factsOf([]), ...place, topK: request.top_k ?? 1 });
    const own: RequestContext = { tenantId: ctx.tenantId, principal: ctx.principal, requestId: ctx.requestId };
    // The first searches of a new model wait for what is done once, and have their whole time after it.
    if (request.search_method !== 'keyword') await this.question.whenMeasured(options.signal);
    const timer = new StepTimer();
    const ms = this.scopes.areLoaded(own, request.dataset_ids) ? DEADLINE_MS : FIRST_DEADLINE_MS;
    return withinDeadline(options.signal, ms, async (signal) => {
      const { query, include } = request;
      const turns = { party: ctx.tenantId, signal };
      const terms = options.terms ?? (await inTurns(analyzeQuerySteps(query), turns));
      const { purpose = 'search', isQuoted = false, isFollowUp = false } = options;
      const call = { purpose, isQuoted, isFollowUp, query, include, terms, signal, deadlineMs: DEADLINE_MS, timer };
      let { expanded } = options;
      for (let round = 1; ; round += 1) {
        const { datasets, defaults: ofDatasets } = await this.datasets.require(own, request.dataset_ids);
        const facts = { ...models, ...this.question.factsOf(datasets) };
        const silent = options.isPinned === true ? [] : ofDatasets;
        const { request: settled, defaults } = applyDefaults(request, silent, options.fallback ?? {}, facts);
        const topK = settled.top_k;
        const effective = resolveOptions(settled, { ...facts, ...place, topK });
        const wanted = this.planOf({ ...call, topK, defaults, options: effective, datasets });
        expanded ??= await this.question.expand(own, wanted);
        const { trace, isTorn } = await this.run(own, this.expandedPlan(wanted, expanded));
        if (isTorn && round < ROUNDS) continue;
        return trace;
      }
    });
  }

  /** Checks options as `retrieve` does, without searching; `pointer` is their JSON pointer in the caller's body. */
  checkOptions(options: Omit<SearchRequest, 'query' | 'dataset_ids'>, pointer: string): void {
    resolveOptions(options, { ...this.models, ...this.question.factsOf([]), topK: options.top_k ?? 1, pointer });
  }

  private get models(): Omit<OptionFacts, 'embedder' | 'embedders' | 'topK' | 'pointer'> {
    const { chatModel } = this.question;
    return { ...this.reranker.facts, chatModel, hasGraph: this.finder.graph !== undefined };
  }

  private async run(ctx: RequestContext, wanted: SearchPlan): Promise<Answered> {
    const [{ vectors, further, failure }, scope] = await Promise.all([
      this.question.embed(ctx, wanted),
      this.scopes.load(ctx, wanted.datasets, wanted),
    ]);
    const { contents } = scope;
    const asked = failure === null ? wanted : this.byWords(wanted, failure);
    const plan = { ...asked, terms: fitTerms(asked.terms, contents) };
    const known = new Set(this.question.factsOf(plan.datasets).embedders.map(({ space }) => space));
    const calibrations = await this.question.calibrate(ctx, plan, contents);
    const sought = makeScoring(plan, contents, vectors, known, calibrations);
    const phrasings = phrasingsOf(plan, further, [scope, calibrations], known);
    const [linked, ...all] = await Promise.all([
      linkQuestion(ctx, this.finder, plan),
      this.findCandidates(ctx, plan, vectors, scope, { ...plan.options, ...sought }),
      ...phrasings.map(({ terms, vectors: own, scoring }) =>
        this.findCandidates(ctx, { ...plan, terms }, own, scope, { ...plan.options, ...scoring }),
      ),
    ]);
    const byChannels = joinFound(all);
    plan.signal.throwIfAborted();
    // A document may have come meanwhile: then all are scored by the statistics that count it.
    const isAsSought = byChannels.seqs.every((seq, at) => seq === sought.asOf[at]);
    const scoring = isAsSought ? sought : makeScoring(plan, contents, vectors, known, calibrations);
    const query = { scores: new CandidateScores(this.scorer, ctx, scoring), scorer: this.scorer };
    const { found, graph } = await followGraph(ctx, this.finder, { plan, scope, linked, found: byChannels, ...query });
    const lists = await rankPhrasings(ctx, plan, found, query, phrasings, graph);
    const selected = await this.select(ctx, plan, found, lists);
    const report = await this.report(ctx, plan, { found, graph }, scope, selected, { vectors, known });
    const { results } = selected;
    const evidence = evidenceOf(plan, phrasings, selected.trace.chosen, scope);
    const { likeness } = selected;
    const told = { results, evidence, report, ...(likeness === undefined ? {} : { likeness }) };
    const outcome = withQuestion(told, plan.query, statisticsOf(scope.contents));
    const trace = { ...selected.trace, ...askedOf(plan), graph, outcome };
    return { trace, isTorn: found.isTorn || selected.isTorn };
  }

  private planOf(call: Omit<SearchPlan, 'config' | 'embeddingFailure' | 'expanded'>): SearchPlan {
    const config = this.configOf(call.options, call.datasets);
    return { ...call, expanded: NOT_EXPANDED, config, embeddingFailure: null };
  }

  /** A question that was not expanded is searched for, and known, as one for which nothing was asked. */
  private expandedPlan(plan: SearchPlan, expanded: ExpandedQuery): SearchPlan {
    if (expanded.failure === null) return { ...plan, expanded };
    const { expansion: _, ...options } = plan.options;
    return { ...plan, expanded, options, config: this.configOf(options, plan.datasets) };
  }

  private configOf(options: EffectiveOptions, datasets: readonly VisibleDataset[]): JsonObject {
    const installation = { ...this.question.factsOf(datasets), candidates: this.finder.parameters };
    return searchConfig(options, idsOf(datasets), installation);
  }

  /** The same search by words alone, because its question could not be embedded; without a generated passage, which only vectors use. */
  private byWords(wanted: SearchPlan, embeddingFailure: string): SearchPlan {
    const isPassage = wanted.options.expansion?.method === 'hyde';
    const plan = isPassage ? this.expandedPlan(wanted, { texts: [], failure: embeddingFailure }) : wanted;
    const options: EffectiveOptions = { ...plan.options, searchMethod: 'keyword' };
    return { ...plan, options, config: this.configOf(options, plan.datasets), embeddingFailure };
  }

  private async findCandidates(
    ctx: RequestContext,
    plan: SearchPlan,
    queries: QueryVectors,
    scope: ScopeFacts,
    how: SoughtHow,
  ): Promise<FoundCandidates> {
    return this.finder.find(ctx, candidateRequestOf(plan, queries, scope, how), plan);
  }

  private async select(
    ctx: RequestContext,
    plan: SearchPlan,
    found: FoundCandidates,
    lists: AllRanked,
  ): Promise<Selected> {
    const { options, terms, timer, topK } = plan;
    const { merged } = lists;
    const {
      ranked,
      likeness,
      failure = null,
    } = await timer.measure('rerank', () => this.reranker.order(ctx, plan, lists));
    plan.signal.throwIfAborted();
    const mmr = options.mmr === null ? null : { ...options.mmr, similarity: similarityOf };
    const choose = (limit: number): Selection =>
      selectResults(ranked, { scoreThreshold: options.scoreThreshold, topK: limit, mmr });
    const { passed } = choose(0);
    const request = { datasetIds: idsOf(plan.datasets), query: terms, include: plan.include, expand: options.expand };
    const [taken, { isReplaced, pendingDocuments }] = await timer.measure('hydration', async () => {
      const shown = await this.hydrator.take(ctx, (limit) => choose(limit).chosen, topK, request);
      return [shown, await this.scopes.changesSince(ctx, plan.datasets, found, shown.datasets)] as const;
    });
    const { results, chosen } = taken;
    const { scoring, candidates } = lists;
    const trace = { scoring, candidates, merged, ranked, chosen };
    const isTorn = isReplaced || taken.isTorn;
    return { lists, passed, results, isTorn, pendingDocuments, trace, likeness, lookFailure: failure };
  }

  private async report(
    ctx: RequestContext,
    plan: SearchPlan,
    { found, graph }: FoundWithGraph,
    scope: ScopeFacts,
    selected: Selected,
    { vectors, known }: { readonly vectors: QueryVectors; readonly known: ReadonlySet<string> },
  ): Promise<RetrievalOutcome['report']> {
    const { options } = plan;
    const counts = countsOf(found, scope, selected);
    const isProbed = options.filter !== null && counts.visible === 0 && counts.chunks_in_scope > 0;
    const probe = { ...selected.trace.scoring, candidateK: PROBE_CANDIDATES, filter: null };
    const foundWithoutFilters =
      isProbed && (await this.findCandidates(ctx, plan, vectors, scope, probe)).chunks.length > 0;
    const isExpanded = options.expansion !== undefined || plan.expanded.failure !== null;
    return {
      config_fingerprint: configFingerprint(plan.config),
      search_method: options.searchMethod,
      ...(isExpanded ? { generated_queries: [...plan.expanded.texts] } : {}),
      warnings: warningsOf({
        ...plan,
        ...scope,
        known,
        counts,
        graph,
        foundWithoutFilters,
        pendingDocuments: selected.pendingDocuments,
        lookFailure: selected.lookFailure,
      }),
      counts,
      timings_ms: plan.timer.read(),
    };
  }
}

function idsOf(datasets: readonly VisibleDataset[]): VisibleDataset['id'][] {
  return datasets.map(({ id }) => id);
}

/** What candidates are sought for. */
function candidateRequestOf(
  { datasets, terms, options, topK }: SearchPlan,
  queries: QueryVectors,
  { contents }: ScopeFacts,
  { candidateK, filter, posted }: SoughtHow,
): CandidateRequest {
  const { searchMethod } = options;
  const enough = enoughByWords(options, topK);
  const sought = { datasets, searchMethod, terms, queries, usage: options, enough, candidateK, filter };
  return { ...sought, contents, posted };
}

/** The outcome with the words of its question, which are weighed when someone first reads them: most searches are for their results alone. */
function withQuestion(
  told: Omit<RetrievalOutcome, 'question'>,
  query: string,
  statistics: StatisticsView,
): RetrievalOutcome {
  let question: QuestionProfile | undefined;
  return {
    ...told,
    get question() {
      return (question ??= profileQuestion(query, statistics));
    },
  };
}

/** Numbers of chunks after each step of a search. */
function countsOf(
  found: FoundCandidates,
  scope: ScopeFacts,
  { trace, lists, passed, results }: Selected,
): SearchCounts {
  return {
    chunks_in_scope: statisticsOf(scope.contents).chunkCount,
    proposed: found.proposed,
    visible: trace.candidates.length,
    keyword: lists.keyword,
    vector: lists.vector,
    kg: lists.kg,
    passed,
    returned: results.length,
  };
}
