import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Unlimited } from '#libs/http';
import { Metrics } from '#libs/metrics';
import { Permit } from '#libs/tenancy';

@ApiTags('Health')
@Unlimited()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /**
   * Metrics for Prometheus.
   * @remarks Components, live workers, what waits by reason, queue depth and age, of the installation; requests, stage durations, calls to the vector store
   * and the models, of this process; in the text format of Prometheus. For an account with `platform:tenants`, or with `METRICS_TOKEN` as the bearer
   * token; `METRICS_PORT` serves the same without a credential on a port of its own.
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
