import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LongAnswers, SSE_EVENT_SCHEMA, SseWriter, prefersJson } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { CaseResultPage, ListResultsQuery } from '../records/case-result.dto.js';
import { EvaluationEventList, ListEventsQuery } from '../records/job.dto.js';
import { eventsAfter, followEvents } from '../records/evaluation-stream.js';
import { EvaluationJobsService } from '../jobs/evaluation-jobs.service.js';

const EVENTS = {
  description: 'The events; with `Accept: application/json`, a list of the events so far.',
  content: {
    'text/event-stream': { schema: SSE_EVENT_SCHEMA },
    'application/json': { schema: { $ref: '#/components/schemas/EvaluationEventList' } },
  },
};
const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  required: false,
  description: 'Number of the last event that was received; the stream continues after it.',
};

@ApiTags('Evaluations')
@ApiExtraModels(EvaluationEventList)
@Controller('evaluations/jobs/:job_id')
export class EvaluationOutcomesController {
  constructor(
    private readonly jobs: EvaluationJobsService,
    private readonly answers: LongAnswers,
  ) {}

  /**
   * List results of an evaluation.
   * @remarks One result for each case and variant, with every metric, what was found, and for a miss the cause and a request that explains it
   * over the current content. Results are available while the evaluation runs. Text of documents is not kept.
   */
  @Get('results')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'listEvaluationResults' })
  results(
    @Ctx() ctx: RequestContext,
    @Param('job_id') id: string,
    @Query() query: ListResultsQuery,
  ): Promise<CaseResultPage> {
    return this.jobs.listResults(ctx, id, query);
  }

  /**
   * Follow an evaluation.
   * @remarks Server-sent events `evaluation.started`, `evaluation.progress`, then `evaluation.completed`, `.failed` or `.cancelled`, after which
   * the stream ends. `Last-Event-ID` or `after` continues after an event; a comment is sent every 15 seconds.
   */
  @Get('events')
  @Permit('datasets:read')
  @ApiHeader(LAST_EVENT_ID)
  @ApiOperation({ operationId: 'followEvaluation' })
  @ApiOkResponse(EVENTS)
  async events(
    @Ctx() ctx: RequestContext,
    @Param('job_id') id: string,
    @Query() query: ListEventsQuery,
    @Headers() headers: Readonly<Record<string, string | undefined>>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EvaluationEventList | void> {
    const after = eventsAfter(query, headers['last-event-id']);
    const first = await this.jobs.listEvents(ctx, id, after);
    if (prefersJson(headers['accept'])) return { items: first.items };
    const answer = await this.answers.openStream(request, reply, (now) => this.jobs.requireSettled(now, id));
    const writer = new SseWriter(reply, answer, { isResumable: true });
    await followEvents(writer, after, (from) => this.jobs.listEvents(answer.ctx, id, from));
  }
}
