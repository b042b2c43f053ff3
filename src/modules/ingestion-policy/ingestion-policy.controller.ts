import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { etagOf } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { IngestionPolicyVersion } from './dto/ingestion-policy.dto.js';
import { IngestionPolicies } from './ingestion-policies.service.js';

@ApiTags('Ingestion policy')
@Controller('datasets/:id/ingestion-policy')
export class IngestionPolicyController {
  constructor(private readonly policies: IngestionPolicies) {}

  /**
   * Read the ingestion policy.
   * @remarks The ingestion policy in force. Documents keep the version that they were ingested with. `ETag` is the version.
   */
  @Get()
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getIngestionPolicy' })
  async read(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IngestionPolicyVersion> {
    const version = await this.policies.read(ctx, id);
    void reply.header('ETag', etagOf(version.version));
    return version;
  }
}
