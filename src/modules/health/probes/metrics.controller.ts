import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { IgnoresUnknownParameters, Unlimited } from '#libs/http';
import { Metrics } from '#libs/metrics';
import { Permit } from '#libs/tenancy';

@ApiTags('Health')
@Unlimited()
@IgnoresUnknownParameters()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /**
   * Read metrics for Prometheus.
   * @remarks In the text format of Prometheus. About the whole installation: components, live workers, waiting documents by reason, length
   * and age of the queue. About this process: requests, durations of stages, calls of the vector store and the models. Needs an account
   * with `platform:tenants`, or `METRICS_TOKEN` as the bearer token; `METRICS_PORT` serves the same metrics on a separate port without a
   * credential.
   */
  @Get()
  @ApiOperation({ operationId: 'getMetrics' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'The metrics.', schema: { type: 'string' } })
  @Permit('platform:tenants', { accountOnly: true, outsider: 'forbidden' })
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.metrics.contentType);
    return this.metrics.text();
  }
}
