import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSpace, ImportBody } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { CreateEvaluationRequest } from '../records/create-job.dto.js';
import { EvaluationJob, EvaluationJobPage, ListJobsQuery, MetricList } from '../records/job.dto.js';
import { EvaluationJobsService } from './evaluation-jobs.service.js';
import { kindOfMetric, METRIC_NAMES, METRICS } from '../scoring/metric-catalogue.js';
import { MetricFigureDto } from '../records/job-summary.dto.js';

const EXAMPLE = {
  name: 'Ranking of contracts, nightly',
  dataset_ids: ['01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10'],
  cases: [
    {
      query: 'How long is the notice period?',
      relevant: [{ text: 'three months to the end of a quarter' }],
      tags: ['contracts'],
    },
  ],
  variants: [
    { name: 'words', retrieval: { search_method: 'keyword' } },
    { name: 'both', retrieval: { search_method: 'hybrid' } },
  ],
  metrics: ['hit_rate', 'ndcg'],
  k: [5, 10],
  gates: [{ metric: 'ndcg@10', min: 0.5, max_regression: 0.02 }],
};

@ApiTags('Evaluations')
@ApiExtraModels(MetricFigureDto)
@Controller('evaluations')
export class EvaluationJobsController {
  constructor(private readonly jobs: EvaluationJobsService) {}

  /**
   * Start an evaluation.
   * @remarks Searches every case under every variant and, where a variant has `chat`, asks the case as a chat. It runs with the permissions that
   * the caller has while it runs, and with lower priority than the searches and chats of people. Configuration and cases are fixed when it
   * starts; documents that change meanwhile are named. The outcome is results per case, 95 % intervals, paired comparisons, gates and misses by
   * cause. The evaluation is visible only to those who see all of its datasets, including those of its case set and baseline.
   */
  @Post('jobs')
  @NeedsSpace()
  @HttpCode(202)
  @Permit('evaluations:run', { outsider: 'not_found' })
  @ImportBody()
  @ApiOperation({ operationId: 'startEvaluation' })
  @ApiBody({
    type: CreateEvaluationRequest,
    examples: { ranking: { summary: 'Two ways of searching', value: EXAMPLE } },
  })
  start(@Ctx() ctx: RequestContext, @Body() request: CreateEvaluationRequest): Promise<EvaluationJob> {
    return this.jobs.create(ctx, request);
  }

  /**
   * List evaluations.
   * @remarks Lists those whose datasets are all visible to the caller.
   */
  @Get('jobs')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'listEvaluations' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListJobsQuery): Promise<EvaluationJobPage> {
    return this.jobs.list(ctx, query);
  }

  /**
   * Read an evaluation.
   * @remarks Returns the progress, and the figures once it is completed.
   */
  @Get('jobs/:job_id')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getEvaluation' })
  read(@Ctx() ctx: RequestContext, @Param('job_id') id: string): Promise<EvaluationJob> {
    return this.jobs.read(ctx, id);
  }

  /**
   * Cancel an evaluation.
   * @remarks `pending` or `running` → `cancelled`, at once: no further result is kept. Cancelling again changes nothing; an evaluation that is
   * completed or failed is 409.
   */
  @Post('jobs/:job_id/cancel')
  @HttpCode(200)
  @Permit('evaluations:run', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'cancelEvaluation' })
  cancel(@Ctx() ctx: RequestContext, @Param('job_id') id: string): Promise<EvaluationJob> {
    return this.jobs.cancel(ctx, id);
  }

  /**
   * List metrics.
   * @remarks Returns what each metric measures, how it is computed and where its definition comes from.
   */
  @Get('metrics')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'listEvaluationMetrics' })
  metrics(): MetricList {
    const items = METRIC_NAMES.map((name) => {
      const { definition, formula, source } = METRICS[name];
      return { name, kind: kindOfMetric(name), definition, formula, source, range: [0, 1] };
    });
    return { items };
  }
}
