import { Injectable } from '@nestjs/common';
import { catalogueErrorOf, type FieldProblem } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { ChatService } from '../../chat/index.js';
import { RetrievalService } from '../../retrieval/index.js';
import { CaseSetsService } from '../case-sets/case-sets.service.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { parseCases } from '../cases/parse-cases.js';
import { DEFAULT_CUTS, DEFAULT_METRICS, type CreateEvaluationRequest } from '../records/create-job.dto.js';
import { JUDGE_VERSION } from '../judge/judge-prompts.js';
import { isJudgedBy } from '../scoring/gate-verdicts.js';
import {
  ANSWER_METRIC_NAMES,
  isJudgeMetric,
  isRankingMetric,
  metricKey,
  metricKeys,
  metricOf,
  type MetricName,
} from '../scoring/metric-catalogue.js';
import { WritingModel } from '../cases/writing-model.service.js';
import type { CaseSetRow } from '../records/case-sets.repository.js';
import type { Gate, JobSpec, Variant, VariantChat } from '../scoring/job-spec.js';

/** The cases of a job, with the set from which they come. */
export interface ChosenCases {
  readonly cases: readonly EvaluationCase[];
  /** Approved cases that were left out. */
  readonly outdated: number;
  readonly set: CaseSetRow | null;
}

/** Turns the request for an evaluation into a job, or refuses it with its problems. */
@Injectable()
export class JobIntake {
  constructor(
    private readonly sets: CaseSetsService,
    private readonly retrieval: RetrievalService,
    private readonly chat: ChatService,
    private readonly models: WritingModel,
  ) {}

  /** @throws `http.validation_failed`, `retrieval.option_not_available` */
  async specOf(ctx: RequestContext, request: CreateEvaluationRequest): Promise<JobSpec> {
    const k = [...(request.k ?? DEFAULT_CUTS)].sort((a, b) => a - b);
    const variants = this.variantsOf(request, k.at(-1)!);
    for (const [index, { chat }] of variants.entries()) if (chat !== undefined) await this.checkChat(ctx, chat, index);
    const metrics = metricsOf(request, variants);
    return { variants, metrics, k, gates: gatesOf(request, metrics, k, variants), ...this.judgeOf(metrics) };
  }

  /** @throws `evaluations.chat_model_needed` */
  private judgeOf(metrics: readonly MetricName[]): Pick<JobSpec, 'judge'> {
    const first = metrics.findIndex(isJudgeMetric);
    if (first === -1) return {};
    const { id } = this.models.require(`The metric ${metrics[first]}`, `/metrics/${first}`);
    return { judge: { model: id, prompt_version: JUDGE_VERSION } };
  }

  private async checkChat(ctx: RequestContext, { model }: VariantChat, index: number): Promise<void> {
    try {
      await this.chat.findModel(ctx, model);
    } catch (error) {
      const known = catalogueErrorOf(error);
      if (known === undefined || known.status >= 500) throw error;
      throw problem(`/variants/${index}/chat/model`, 'is_in', known.message);
    }
  }

  /**
   * Leaves out cases that are not approved or whose text is no longer in its document. @throws `evaluations.case_set_not_found`,
   * `http.validation_failed`
   */
  async casesOf(ctx: RequestContext, request: CreateEvaluationRequest): Promise<ChosenCases> {
    const { cases, case_set_id: setId } = request;
    if (cases !== undefined && setId !== undefined)
      throw problem('/case_set_id', 'exclusive', 'send cases or case_set_id, not both');
    if (cases !== undefined) return { cases: usable(parseCases(cases, '/cases'), '/cases'), outdated: 0, set: null };
    if (setId === undefined) throw problem('/cases', 'required', 'send cases, or the case_set_id of a case set');
    const found = await this.sets.findCases(ctx, setId);
    const approved = found.cases.filter(({ one }) => one.approved);
    const standing = approved.filter(({ outdated }) => outdated !== true);
    if (approved.length > 0 && standing.length === 0)
      throw problem('/case_set_id', 'outdated', 'holds no approved case whose text is still in its document');
    const own = standing.map(({ one }) => one);
    return { cases: usable(own, '/case_set_id'), outdated: approved.length - standing.length, set: found.set };
  }

  private variantsOf({ variants = [] }: CreateEvaluationRequest, most: number): Variant[] {
    if (variants.length === 0) return [{ name: 'default', retrieval: { top_k: most } }];
    const names = new Set<string>();
    return variants.map(({ name, retrieval = {}, chat }, index) => {
      if (names.has(name)) throw problem(`/variants/${index}/name`, 'unique', 'is the name of another variant');
      names.add(name);
      const search = { ...retrieval, top_k: retrieval.top_k ?? most };
      this.retrieval.checkOptions(search, `/variants/${index}/retrieval`);
      if (chat?.model?.startsWith('dataset:') === true)
        throw problem(
          `/variants/${index}/chat/model`,
          'is_in',
          'name a chat model; the chats ask the dataset_ids of the evaluation',
        );
      const answering = chat && { chat: { ...chat, sources: retrieval.top_k ?? null } };
      return { name, retrieval: search, ...answering };
    });
  }
}

function usable(cases: readonly EvaluationCase[], pointer: string): readonly EvaluationCase[] {
  const approved = cases.filter((one) => one.approved);
  if (approved.length === 0) throw problem(pointer, 'approved', 'holds no case that was approved');
  return approved;
}

function metricsOf({ metrics }: CreateEvaluationRequest, variants: readonly Variant[]): readonly MetricName[] {
  const isAsked = variants.some(({ chat }) => chat !== undefined);
  if (metrics === undefined) return isAsked ? [...DEFAULT_METRICS, ...ANSWER_METRIC_NAMES] : DEFAULT_METRICS;
  const without = isAsked ? -1 : metrics.findIndex((name) => !isRankingMetric(name));
  if (without === -1) return metrics;
  const detail = `${metrics[without]} measures answers: give a variant "chat" ({} for the defaults of a chat)`;
  throw problem(`/metrics/${without}`, 'needs_chat', detail);
}

function gatesOf(
  { gates = [], baseline_job_id: baseline }: CreateEvaluationRequest,
  metrics: readonly MetricName[],
  k: readonly number[],
  variants: readonly Variant[],
): Gate[] {
  const keys = metricKeys(metrics, k);
  return gates.map(({ metric, min, max_regression: maxRegression }, index) => {
    const at = `/gates/${index}`;
    const key = metric.includes('@') ? metric : metricKey(metric as MetricName, k.at(-1)!);
    const judged = variants.filter((variant) => isJudgedBy(variant, key));
    if (!keys.includes(key))
      throw problem(
        `${at}/metric`,
        'is_in',
        `metric must be one of the metrics of this evaluation: ${keys.join(', ')}`,
      );
    if (min === undefined && maxRegression === undefined)
      throw problem(`${at}/min`, 'required', 'a gate needs min or max_regression');
    if (maxRegression !== undefined && baseline === undefined && (judged.length < 2 || judged[0] !== variants[0]))
      throw problem(`${at}/max_regression`, 'baseline', referenceDetail(key));
    return { metric: key, min: min ?? null, maxRegression: maxRegression ?? null };
  });
}

function referenceDetail(key: string): string {
  const chats = isRankingMetric(metricOf(key)) ? '' : ', both it and the first one with chat';
  return `needs baseline_job_id or a second variant to compare with the first${chats}`;
}

export function problem(pointer: string, code: string, detail: string): Error {
  return validationFailed([{ pointer, code, detail } satisfies FieldProblem]);
}
