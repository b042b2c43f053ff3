import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import { withDeadline } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { analyzeQuery, KeywordScorer, measureEvidence, TermStatistics, type QueryTerms } from '#libs/text';
import { DatasetAccess, type VisibleDataset } from '../datasets/index.js';
import { CandidateFinder, type FoundCandidates, type SearchCall } from './candidate-finder.js';
import { CandidateScorer, similarityOf, type ScopedCandidate } from './candidate-scorer.js';
import { configFingerprint } from './config-fingerprint.js';
import { TOP_K_DEFAULT, type ResultPart, type SearchOptionsDto } from './dto/search-options.dto.js';
import { rankCandidates, selectResults, type Ranked, type RankedLists } from './ranking.js';
import { ResultHydrator } from './result-hydrator.js';
import { ResultReranker } from './result-reranker.js';
import type { RetrievalOutcome, RetrievedChunk } from './retrieval-outcome.js';
import { retrievalErrors } from './retrieval.errors.js';
import { resolveOptions, type EffectiveOptions } from './search-options.js';
import { SearchScopes, type ScopeFacts } from './search-scopes.js';
import { warningsOf } from './search-warnings.js';
import { StepTimer } from './step-timer.js';

/** A search gives up after this long. */
const DEADLINE_MS = 10_000;
/** So many candidates are asked for to learn whether filters are the reason that there are none. */
const PROBE_CANDIDATES = 10;

/** A search: the question, the datasets, and how to search them. */
export interface SearchRequest extends SearchOptionsDto {
  readonly query: string;
  readonly dataset_ids: readonly string[];
  readonly top_k?: number;
}

export interface RetrieveOptions {
  /** Stops the search, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** JSON pointer of the search options in the caller's body, for its problems; default: the body itself. */
  readonly pointer?: string;
}

/** What stays the same during one search. */
interface Plan extends SearchCall {
  readonly query: string;
  readonly topK: number;
  readonly options: EffectiveOptions;
  readonly include: readonly ResultPart[] | undefined;
  readonly terms: QueryTerms;
  readonly datasets: readonly VisibleDataset[];
}

interface Selected {
  readonly lists: RankedLists<ScopedCandidate>;
  readonly passed: number;
  readonly results: readonly RetrievedChunk[];
  /** A chosen chunk was not shown any more when it was read. */
  readonly isTorn: boolean;
}

/** A search that met a change of what it searched is done again so often at most. */
const ROUNDS = 3;

/** Finds the chunks that answer a question: candidates from the vector store, visibility from the database, order from here. */
@Injectable()
export class RetrievalService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly embedder: Embedder,
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
    const timer = new StepTimer();
    const topK = request.top_k ?? TOP_K_DEFAULT;
    const effective = resolveOptions(request, {
      embedder: this.embedder.descriptor,
      reranker: this.reranker.descriptor,
      topK,
      pointer: options.pointer ?? '',
    });
    const own: RequestContext = { tenantId: ctx.tenantId, principal: ctx.principal, requestId: ctx.requestId };
    return withinDeadline(options.signal, async (signal) => {
      const { query, include } = request;
      const terms = analyzeQuery(query);
      const plan = { query, topK, options: effective, include, terms, signal, deadlineMs: DEADLINE_MS, timer };
      for (let round = 1; ; round += 1) {
        const datasets = await this.access.requireAllVisible(own, request.dataset_ids);
        const { outcome, isTorn } = await this.run(own, { ...plan, datasets });
        if (!isTorn || round === ROUNDS) return outcome;
      }
    });
  }

  private async run(
    ctx: RequestContext,
    plan: Plan,
  ): Promise<{ readonly outcome: RetrievalOutcome; readonly isTorn: boolean }> {
    const vector = await this.embedQuery(plan);
    const [found, scope] = await Promise.all([
      this.findCandidates(ctx, plan, vector, true),
      this.scopes.load(ctx, plan.datasets, plan.timer),
    ]);
    plan.signal.throwIfAborted();
    const selected = await this.select(ctx, plan, found, scope, vector);
    const report = await this.report(ctx, plan, found, scope, selected, vector);
    const { results } = selected;
    const statistics = TermStatistics.combine(scope.statistics);
    const evidence = measureEvidence(
      plan.terms,
      results.map(({ terms }) => terms),
      statistics,
    );
    return { outcome: { results, evidence, report }, isTorn: found.isTorn || selected.isTorn };
  }

  private async embedQuery(plan: Plan): Promise<Float32Array | null> {
    if (plan.options.searchMethod === 'keyword') return null;
    const [vector] = await plan.timer.measure('embedding', () =>
      this.embedder.embed([plan.query], 'query', { signal: plan.signal }),
    );
    return vector ?? null;
  }

  private async findCandidates(
    ctx: RequestContext,
    plan: Plan,
    vector: Float32Array | null,
    filtered: boolean,
  ): Promise<FoundCandidates> {
    const { datasets, terms, options } = plan;
    const { searchMethod } = options;
    const scope = filtered
      ? { candidateK: options.candidateK, filter: options.filter }
      : { candidateK: PROBE_CANDIDATES, filter: null };
    return this.finder.find(ctx, { datasets, searchMethod, terms, vector, ...scope }, plan);
  }

  private async select(
    ctx: RequestContext,
    plan: Plan,
    found: FoundCandidates,
    scope: ScopeFacts,
    vector: Float32Array | null,
  ): Promise<Selected> {
    const { options, terms, timer, topK } = plan;
    const keyword =
      options.searchMethod === 'vector' ? null : new KeywordScorer(terms, TermStatistics.combine(scope.statistics));
    const { space } = this.embedder.descriptor;
    const scoring = { keyword, vector, space, compares: options.mmr !== null };
    const candidates = await timer.measure('features', () => this.scorer.score(ctx, found.chunks, scoring));
    const lists = await timer.measure('ranking', () => rankCandidates(candidates, options));
    const ranked = await this.rerank(ctx, plan, lists.merged);
    plan.signal.throwIfAborted();
    const mmr = options.mmr === null ? null : { ...options.mmr, similarity: similarityOf };
    const { passed, chosen } = await timer.measure('ranking', () =>
      selectResults(ranked, { scoreThreshold: options.scoreThreshold, topK, mmr }),
    );
    const request = { datasetIds: idsOf(plan.datasets), query: terms, include: plan.include };
    const results = await timer.measure('hydration', () => this.hydrator.hydrate(ctx, chosen, request));
    return { lists, passed, results, isTorn: results.length < chosen.length };
  }

  private async rerank(
    ctx: RequestContext,
    plan: Plan,
    ranked: readonly Ranked<ScopedCandidate>[],
  ): Promise<readonly Ranked<ScopedCandidate>[]> {
    const { rerank } = plan.options;
    if (rerank === null) return ranked;
    return plan.timer.measure('rerank', () => this.reranker.rerank(ctx, plan.query, ranked, rerank.topN, plan.signal));
  }

  private async report(
    ctx: RequestContext,
    plan: Plan,
    found: FoundCandidates,
    scope: ScopeFacts,
    selected: Selected,
    vector: Float32Array | null,
  ): Promise<RetrievalOutcome['report']> {
    const { options, datasets, terms, topK } = plan;
    const { space } = this.embedder.descriptor;
    const counts = {
      chunks_in_scope: scope.statistics.reduce((sum, { chunkCount }) => sum + chunkCount, 0),
      proposed: found.proposed,
      visible: found.chunks.length,
      keyword: selected.lists.keyword,
      vector: selected.lists.vector,
      passed: selected.passed,
      returned: selected.results.length,
    };
    const isProbed = options.filter !== null && counts.visible === 0 && counts.chunks_in_scope > 0;
    const foundWithoutFilters = isProbed && (await this.findCandidates(ctx, plan, vector, false)).chunks.length > 0;
    return {
      config_fingerprint: configFingerprint(options, idsOf(datasets), space),
      search_method: options.searchMethod,
      warnings: warningsOf({ ...scope, datasets, space, terms, options, topK, counts, foundWithoutFilters }),
      counts,
      timings_ms: plan.timer.read(),
    };
  }
}

function idsOf(datasets: readonly VisibleDataset[]): VisibleDataset['id'][] {
  return datasets.map(({ id }) => id);
}

/** Runs `work` with a signal that fires at the deadline, with the caller's signal, or when `work` has ended. */
async function withinDeadline<T>(
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const signal = outer === undefined ? ended.signal : AbortSignal.any([ended.signal, outer]);
  signal.throwIfAborted();
  const giveUp = (): Error => {
    const error = retrievalErrors.timeout(DEADLINE_MS / 1000);
    ended.abort(error);
    return error;
  };
  try {
    return await withDeadline(work(signal), DEADLINE_MS, giveUp);
  } finally {
    ended.abort();
  }
}
