import type { JsonObject } from '#libs/common';
import { EXPLAIN_CODES, type ExplainCode } from '../../retrieval/index.js';
import type { EvaluationCase, RelevantItem } from '../cases/evaluation-case.js';
import type { AnswerRecordDto, CaseResult, MissExplanation } from '../records/case-result.dto.js';
import type { EvaluationJob, EvaluationJobHead } from '../records/job.dto.js';
import type { JobSummaryDto } from '../records/job-summary.dto.js';
import type { VariantChatDto } from '../cases/variant.dto.js';
import { metricKeys } from '../scoring/metric-catalogue.js';
import type { JobRow } from '../records/evaluation-jobs.repository.js';
import type { ResultRow } from './evaluation-results.repository.js';
import type { AnswerRecord, JobSpec, MissRecord, VariantChat } from '../scoring/job-spec.js';

export function toJobHead(row: JobRow): EvaluationJobHead {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    progress: { steps: row.steps, steps_done: row.steps_done },
    verdict: row.verdict,
    dataset_ids: [...row.dataset_ids],
    case_set_id: row.case_set_id,
    case_set_version: row.case_set_version,
    baseline_job_id: row.baseline_job_id,
    case_count: row.case_count,
    outdated_cases: row.outdated_cases,
    error: row.error_code === null ? null : { code: row.error_code, detail: row.error ?? '' },
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

export function toJob(row: JobRow): EvaluationJob {
  const { variants, metrics, k, gates } = row.spec;
  return {
    ...toJobHead(row),
    variants: variants.map(({ name, retrieval, chat }) => ({ name, retrieval, ...(chat && { chat: toChat(chat) }) })),
    metrics: metricKeys(metrics, k),
    gates: gates.map(({ metric, min, maxRegression }) => ({
      metric,
      ...(min === null ? {} : { min }),
      ...(maxRegression === null ? {} : { max_regression: maxRegression }),
    })),
    summary: row.summary as unknown as JobSummaryDto | null,
  };
}

/** The options that were asked for. */
function toChat({ sources: _ofItsSearch, ...chat }: VariantChat): VariantChatDto {
  return chat;
}

export function toResult(row: ResultRow, job: JobRow, cases: readonly EvaluationCase[]): CaseResult {
  const { query = '', tags = [], relevant = [] } = cases[row.ordinal] ?? {};
  return {
    case: row.ordinal,
    query,
    tags: [...tags],
    variant: job.spec.variants[row.variant]?.name ?? '',
    metrics: { ...row.metrics },
    results: row.ranked.map((one) => ({ ...one })),
    latency_ms: row.latency_ms,
    config_fingerprint: row.fingerprint,
    miss: row.miss === null ? null : toMiss(row.miss, replayOf(job, row, query, relevant)),
    error_code: row.error_code,
    answer: row.answer && toAnswer(row.answer),
  };
}

export function toAnswer({ citations, ...answer }: AnswerRecord): AnswerRecordDto {
  return { ...answer, citations: citations.map((one) => ({ ...one })) };
}

/** What a code of an explanation says. */
export function meaningOf(code: string): string {
  return EXPLAIN_CODES[code as ExplainCode].meaning;
}

/** The request that explains a missed item of a case. */
export function explanationOf(
  spec: JobSpec,
  variant: number,
  datasetIds: readonly string[],
  query: string,
  expected: RelevantItem,
): JsonObject {
  const { retrieval = {} } = spec.variants[variant] ?? {};
  const topK = Math.min(retrieval.top_k ?? Infinity, spec.k.at(-1) ?? 10);
  const body = { ...retrieval, query, dataset_ids: [...datasetIds], top_k: topK, expected };
  return JSON.parse(JSON.stringify(body)) as JsonObject;
}

function replayOf(job: JobRow, row: ResultRow, query: string, relevant: readonly RelevantItem[]): JsonObject {
  return explanationOf(job.spec, row.variant, job.dataset_ids, query, relevant[row.miss?.item ?? 0] ?? {});
}

function toMiss({ code, verdict, fixes }: MissRecord, body: JsonObject): MissExplanation {
  return {
    code,
    verdict,
    detail: meaningOf(code),
    fixes: fixes.map((fix) => ({ ...fix })),
    replay: { method: 'POST', path: '/api/v1/retrieval/explain', body },
  };
}
