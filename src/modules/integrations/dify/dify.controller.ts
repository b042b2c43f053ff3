import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { CatalogueError } from '#libs/common';
import { callerSignal, IgnoresUnknownParameters, ProblemMembers, RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, NO_BEARER, Permit, type RequestContext } from '#libs/tenancy';
import { DifyService } from './dify.service.js';
import { DifyRetrievalRequest, DifyRetrievalResponse } from './dify.dto.js';

/** Error numbers of Dify's interface for external knowledge. */
const NO_AUTHORIZATION = 1001;
const NOT_AUTHORIZED = 1002;
const NO_KNOWLEDGE = 2001;

/** An error in Dify's form; an error for which Dify has no number gets its HTTP status as the number. */
export function toDifyError({ status, code, message, facts }: CatalogueError): {
  error_code: number;
  error_msg: string;
} {
  const numbers: Readonly<Record<number, number>> = { 401: NOT_AUTHORIZED, 403: NOT_AUTHORIZED, 404: NO_KNOWLEDGE };
  const isNoBearer = code === 'auth.credential_missing' || facts['kind'] === NO_BEARER;
  const error_code = isNoBearer ? NO_AUTHORIZATION : (numbers[status] ?? status);
  return { error_code, error_msg: message };
}

@ApiTags('Integrations')
@IgnoresUnknownParameters()
@Controller('integrations/dify')
export class DifyController {
  constructor(private readonly dify: DifyService) {}

  /**
   * Search as Dify's external knowledge.
   * @remarks In Dify, add an external knowledge API with the endpoint `{base_url}/api/v1/integrations/dify` and an API key of this service, then a
   * knowledge base with the id of a dataset as its external knowledge id. Error bodies contain Dify's `error_code` and `error_msg` besides the
   * members of every problem: 1001 no credential or a header other than `Bearer <key>`, 1002 credential or permission refused, 2001 no such
   * dataset, otherwise the HTTP status.
   */
  @Post('retrieval')
  @HttpCode(200)
  @Permit('retrieval:search', { outsider: 'not_found' })
  @RateLimit('search')
  @WithoutIdempotency()
  @ProblemMembers(toDifyError)
  @ApiOperation({ operationId: 'retrieveForDify' })
  @ApiExtension('x-unknown-fields', 'ignored')
  retrieve(
    @Ctx() ctx: RequestContext,
    @Body() body: DifyRetrievalRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DifyRetrievalResponse> {
    return this.dify.retrieve(ctx, body, callerSignal(reply));
  }
}
