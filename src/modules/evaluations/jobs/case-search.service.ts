import { Injectable } from '@nestjs/common';
import { catalogueErrorOf, delay, LowPriority } from '#libs/common';
import { TaskPostponed } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { ExplainService, RetrievalService, type SearchRequest } from '../../retrieval/index.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { isTemporary, POSTPONED_MS } from '../cases/temporary-failures.js';
import { judgeResults, type JudgedRanking } from '../scoring/case-relevance.js';
import { isRankingMetric, metricKey } from '../scoring/metric-catalogue.js';
import { RANKING_METRICS } from '../scoring/ranking-metrics.js';
import { CaseAnswers } from './case-answers.service.js';
import type { ResultRow } from './evaluation-results.repository.js';
import { explanationOf } from './job-views.js';
import type { JobSpec, MissRecord, VariantSearch } from '../scoring/job-spec.js';

/** The searches of a job. */
export interface SearchedJob {
  readonly id: string;
  readonly spec: JobSpec;
  readonly dataset_ids: readonly string[];
}

const TRIES = 3;
const PAUSE_MS = 500;

/** Makes the search of one case, with lower priority than searches of people. */
@Injectable()
export class CaseSearch {
  constructor(
    private readonly retrieval: RetrievalService,
    private readonly explanations: ExplainService,
    private readonly answers: CaseAnswers,
    private readonly lowPriority: LowPriority,
  ) {}

  /**
   * Runs a case under a variant: searches, judges the results, explains a miss, and asks a chat where the variant has one. @throws TaskPostponed
   * when a dependency is down
   */
  async run(
    ctx: RequestContext,
    job: SearchedJob,
    one: EvaluationCase,
    place: { readonly variant: number; readonly ordinal: number },
    signal: AbortSignal,
  ): Promise<Omit<ResultRow, 'tenant_id'>> {
    const row = { job_id: job.id, ...place };
    const { retrieval, chat } = job.spec.variants[place.variant]!;
    const found = await this.searchFor(ctx, toSearch(one, job, retrieval), signal);
    if ('errorCode' in found) return { ...row, ...FAILED, error_code: found.errorCode };
    const judged = judgeResults(one.relevant, found.results);
    const miss = isMiss(one, judged.isRelevant, job) ? await this.explain(ctx, job, one, place.variant, signal) : null;
    const asked = chat && (await this.answers.run(ctx, job, { retrieval, chat }, one, signal));
    return {
      ...row,
      metrics: { ...rankingMetrics(one, judged, job.spec), ...asked?.metrics },
      ranked: found.results.map(({ documentId, chunkId, score }, index) => ({
        document_id: documentId,
        chunk_id: chunkId,
        score,
        relevant: judged.isRelevant[index] === true,
      })),
      latency_ms: found.milliseconds,
      fingerprint: found.fingerprint,
      miss,
      error_code: null,
      answer: asked?.answer ?? null,
    };
  }

  /** Whether the case is a miss with these options instead. */
  async isMissed(
    ctx: RequestContext,
    job: SearchedJob,
    one: EvaluationCase,
    search: VariantSearch,
    signal: AbortSignal,
  ): Promise<boolean> {
    const found = await this.searchFor(ctx, toSearch(one, job, search), signal);
    return 'errorCode' in found || judgeResults(one.relevant, found.results).isRelevant.every((relevant) => !relevant);
  }

  private async searchFor(ctx: RequestContext, request: SearchRequest, signal: AbortSignal): Promise<Found | Failure> {
    for (let tries = 1; ; tries += 1) {
      const began = performance.now();
      try {
        const { results, report } = await this.retrieval.retrieve(ctx, request, { signal, purpose: 'evaluation' });
        const milliseconds = performance.now() - began;
        await this.lowPriority.pause(milliseconds, signal);
        return { results, milliseconds, fingerprint: report.config_fingerprint };
      } catch (error) {
        signal.throwIfAborted();
        const known = catalogueErrorOf(error);
        if (known === undefined || !isTemporary(known)) throw error;
        if (tries < TRIES) await delay(PAUSE_MS * tries, signal);
        else if (known.code === 'retrieval.timeout') return { errorCode: known.code };
        else throw new TaskPostponed(known.message, POSTPONED_MS);
      }
    }
  }

  private async explain(
    ctx: RequestContext,
    { spec, dataset_ids: datasetIds }: SearchedJob,
    { query, relevant }: EvaluationCase,
    variant: number,
    signal: AbortSignal,
  ): Promise<MissRecord> {
    const item = 0;
    const request = explanationOf(spec, variant, datasetIds, query, relevant[item] ?? {});
    try {
      // Who else reads the evaluation may lack the permission to read what is in quarantine.
      const options = { isRecorded: false, isForCallerAlone: false, lowPriority: this.lowPriority };
      const { code, verdict, suggestions } = await this.explanations.explain(ctx, request as never, signal, options);
      return { code, verdict, item, fixes: suggestions.map(({ action, change }) => ({ action, change })) };
    } catch (error) {
      signal.throwIfAborted();
      const known = catalogueErrorOf(error);
      // The fields of what is expected do not agree: there is no such thing.
      if (known?.code === 'http.validation_failed') return { ...UNKNOWN, item };
      if (known !== undefined && known.status >= 500) throw new TaskPostponed(known.message, POSTPONED_MS);
      throw error;
    }
  }
}

interface Found {
  readonly results: Awaited<ReturnType<RetrievalService['retrieve']>>['results'];
  readonly milliseconds: number;
  readonly fingerprint: string;
}

interface Failure {
  readonly errorCode: string;
}

const UNKNOWN = { code: 'DOCUMENT_UNKNOWN', verdict: 'not_indexed', fixes: [] };
const FAILED = { metrics: {}, ranked: [], latency_ms: 0, fingerprint: null, miss: null, answer: null };

function toSearch({ query }: EvaluationCase, job: SearchedJob, search: VariantSearch): SearchRequest {
  return { ...search, query, dataset_ids: job.dataset_ids, include: ['text'] };
}

function rankingMetrics(
  { relevant: items }: EvaluationCase,
  { ranked, relevant }: JudgedRanking,
  { metrics, k }: JobSpec,
): Record<string, number | null> {
  const values = metrics.filter(isRankingMetric).flatMap((name) =>
    k.map((cut) => {
      const value = items.length === 0 ? null : RANKING_METRICS[name].compute(ranked, relevant, cut);
      return [metricKey(name, cut), value] as const;
    }),
  );
  return Object.fromEntries(values);
}

/** Nothing relevant among the first results, up to the greatest `k`. */
function isMiss({ relevant }: EvaluationCase, isRelevant: readonly boolean[], { spec }: SearchedJob): boolean {
  return relevant.length > 0 && !isRelevant.slice(0, spec.k.at(-1)).includes(true);
}
