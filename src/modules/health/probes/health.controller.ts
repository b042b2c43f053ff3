import { Controller, Get, Optional, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ChatModel, Embedder, KnownTrust, Reranker } from '#libs/ai';
import { IgnoresUnknownParameters, Unlimited } from '#libs/http';
import { DocumentParser } from '#libs/parsing';
import { Permit, Public } from '#libs/tenancy';
import { HealthDetailsDto, LivenessDto, ReadinessDto } from './health.dto.js';
import { HealthChecksService } from './health-checks.service.js';

@ApiTags('Health')
@Unlimited()
@Controller('health')
export class HealthController {
  constructor(
    private readonly checks: HealthChecksService,
    private readonly embedder: Embedder,
    private readonly reranker: Reranker,
    private readonly chatModel: ChatModel,
    @Optional() private readonly parser?: DocumentParser,
    @Optional() private readonly known?: KnownTrust,
  ) {}

  /**
   * Check liveness.
   * @remarks The process answers. No dependency is checked.
   */
  @Get('/')
  @IgnoresUnknownParameters()
  @Public()
  @ApiOperation({ operationId: 'getLiveness' })
  liveness(): LivenessDto {
    return { ok: true, status: 'ok' };
  }

  /**
   * Check readiness.
   * @remarks 200 if every dependency that requests need answers, otherwise 503. The answer does not say which dependency failed.
   */
  @Get('ready')
  @IgnoresUnknownParameters()
  @Public()
  @ApiOperation({ operationId: 'getReadiness' })
  @ApiOkResponse({ type: ReadinessDto, description: 'Requests can be served.' })
  @ApiResponse({ status: 503, type: ReadinessDto, description: 'A required dependency is unavailable.' })
  async readiness(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessDto> {
    const ok = await this.checks.isReady();
    if (!ok) void reply.status(503).header('Retry-After', '5');
    return { ok, status: ok ? 'ready' : 'unready' };
  }

  /**
   * Read health in detail.
   * @remarks Every dependency with its state. Only for accounts with `tenant:observability`, not for API keys.
   */
  @Get('details')
  @ApiOperation({ operationId: 'getHealthDetails' })
  @Permit('tenant:observability', { accountOnly: true, outsider: 'forbidden' })
  async details(): Promise<HealthDetailsDto> {
    const components = await this.checks.details();
    const states = Object.values(components).map((component) => component.status);
    const status = states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'up';
    const isolation = await this.parser?.describeIsolation();
    return { status, components, models: await this.models(), parser_isolation: isolation?.kind ?? null };
  }

  private async models(): Promise<HealthDetailsDto['models']> {
    const [embedding, rerank, chat] = [this.embedder.descriptor, this.reranker.descriptor, this.chatModel.descriptor];
    const found = (await this.known?.trusted(this.embedder)) ?? null;
    const trust = found?.map((one) => ({ language: one.language, trust: Math.round(one.trust * 100) / 100 })) ?? null;
    return {
      embedding: {
        provider: embedding.provider,
        model: embedding.model,
        kind: embedding.kind,
        trust,
        instead_of: embedding.insteadOf ?? null,
        advice: embedding.advice ?? null,
      },
      rerank: { provider: rerank.provider, model: rerank.model, kind: rerank.kind },
      chat: { provider: chat.provider, model: chat.model, kind: chat.kind },
    };
  }
}
