import { Injectable } from '@nestjs/common';
import type { FieldProblem } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { RetrievalService } from '../../retrieval/index.js';
import { CaseSetsService } from '../cases/case-sets.service.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { parseCases } from '../cases/parse-cases.js';
import { DEFAULT_CUTS, DEFAULT_METRICS, type CreateEvaluationRequest } from '../dto/create-job.dto.js';
import { metricKey, metricKeys, type MetricName } from '../scoring/metric-catalogue.js';
import type { CaseSetRow } from '../cases/case-sets.repository.js';
import type { Gate, JobSpec, Variant } from './job-spec.js';

/** The cases of a job, and the set that they come from. */
export interface ChosenCases {
  readonly cases: readonly EvaluationCase[];
  readonly set: CaseSetRow | null;
}

/** Turns a request for an evaluation into what is done, or says what is wrong with it. */
@Injectable()
export class JobIntake {
  constructor(
    private readonly sets: CaseSetsService,
    private readonly retrieval: RetrievalService,
  ) {}

  /** @throws `http.validation_failed`, `retrieval.option_not_available` */
  specOf(request: CreateEvaluationRequest): JobSpec {
    const metrics: readonly MetricName[] = request.metrics ?? DEFAULT_METRICS;
    const k = [...(request.k ?? DEFAULT_CUTS)].sort((a, b) => a - b);
    const variants = this.variantsOf(request, k.at(-1)!);
    return { variants, metrics, k, gates: gatesOf(request, metrics, k, variants.length) };
  }

  /** Cases that wait to be approved are left out. @throws `evaluations.case_set_not_found`, `http.validation_failed` */
  async casesOf(ctx: RequestContext, request: CreateEvaluationRequest): Promise<ChosenCases> {
    const { cases, case_set_id: setId } = request;
    if (cases !== undefined && setId !== undefined)
      throw problem('/case_set_id', 'exclusive', 'send cases or case_set_id, not both');
    if (cases !== undefined) return { cases: usable(parseCases(cases, '/cases'), '/cases'), set: null };
    if (setId === undefined) throw problem('/cases', 'required', 'send cases, or the case_set_id of a case set');
    const found = await this.sets.findCases(ctx, setId);
    return { cases: usable(found.cases, '/case_set_id'), set: found.set };
  }

  private variantsOf({ variants = [] }: CreateEvaluationRequest, most: number): Variant[] {
    if (variants.length === 0) return [{ name: 'default', retrieval: { top_k: most } }];
    const names = new Set<string>();
    return variants.map(({ name, retrieval = {} }, index) => {
      if (names.has(name)) throw problem(`/variants/${index}/name`, 'unique', 'is the name of another variant');
      names.add(name);
      const search = { ...retrieval, top_k: retrieval.top_k ?? most };
      this.retrieval.checkOptions(search, `/variants/${index}/retrieval`);
      return { name, retrieval: search };
    });
  }
}

function usable(cases: readonly EvaluationCase[], pointer: string): readonly EvaluationCase[] {
  const approved = cases.filter((one) => one.approved);
  if (approved.length === 0) throw problem(pointer, 'approved', 'holds no case that was approved');
  return approved;
}

function gatesOf(
  { gates = [], baseline_job_id: baseline }: CreateEvaluationRequest,
  metrics: readonly MetricName[],
  k: readonly number[],
  variants: number,
): Gate[] {
  const keys = metricKeys(metrics, k);
  return gates.map(({ metric, min, max_regression: maxRegression }, index) => {
    const at = `/gates/${index}`;
    const key = metric.includes('@') ? metric : metricKey(metric as MetricName, k.at(-1)!);
    if (!keys.includes(key))
      throw problem(
        `${at}/metric`,
        'is_in',
        `metric must be one of the metrics of this evaluation: ${keys.join(', ')}`,
      );
    if (min === undefined && maxRegression === undefined)
      throw problem(`${at}/min`, 'required', 'a gate needs min or max_regression');
    if (maxRegression !== undefined && baseline === undefined && variants < 2)
      throw problem(`${at}/max_regression`, 'baseline', 'needs baseline_job_id or a second variant to compare with');
    return { metric: key, min: min ?? null, maxRegression: maxRegression ?? null };
  });
}

export function problem(pointer: string, code: string, detail: string): Error {
  return validationFailed([{ pointer, code, detail } satisfies FieldProblem]);
}
