import { isIP } from 'node:net';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiBody,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '#libs/config';
import {
  httpErrors,
  IgnoresUnknownParameters,
  LongAnswers,
  RequestCounter,
  Unlimited,
  WithoutIdempotency,
} from '#libs/http';
import { Permit } from '#libs/tenancy';
import { JsonRpcMessage, JsonRpcResponse } from './json-rpc.dto.js';
import { integrationErrors } from '../integrations.errors.js';
import { MCP_VERSIONS, McpService } from './mcp.service.js';

/** Scheme and host of a request; behind a trusted proxy, those that the browser used. */
interface Arrival {
  readonly protocol: string;
  /** Host name or address with its port, as in the header `Host`. */
  readonly host: string;
}

/**
 * Exactly one of the three. Written with conditions, which client generators ignore; of `oneOf` they would make types that do not compile.
 */
const ONE_OF_METHOD_RESULT_ERROR: object = {
  if: { required: ['method'], properties: { result: false, error: false } },
  else: { properties: { method: false }, oneOf: [{ required: ['result'] }, { required: ['error'] }] },
};

@ApiTags('Integrations')
@IgnoresUnknownParameters()
@Controller('mcp')
export class McpController {
  constructor(
    private readonly mcp: McpService,
    private readonly counter: RequestCounter,
    private readonly settings: Settings,
    private readonly answers: LongAnswers,
  ) {}

  /**
   * Serve the Model Context Protocol.
   * @remarks Streamable HTTP without sessions, for agents: one JSON-RPC message in each request, answered as JSON. Clients use
   * `{base_url}/api/v1/mcp` as the address and send an API key as `Authorization: Bearer kb_…`. Tools: `list_datasets`, `search`, `answer`,
   * `explain_miss`, `read_document`. Each tool needs the permission of the API route that it corresponds to, and counts against the rate
   * limit of that route. A tool that is refused or fails answers with `isError: true` and the problem as its content; too many calls are
   * 429. There is no stream to open with GET and no session to end with DELETE (405). Pages in browsers may use it only from the origins of
   * `CORS_ORIGINS` and from the service's own: the origin of `PUBLIC_URL`, and the address of the request where that is `localhost` or an
   * IP address.
   */
  @Post()
  @HttpCode(200)
  @Permit(null)
  @Unlimited()
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'handleMcpMessage' })
  @ApiExtension('x-unknown-fields', 'ignored')
  @ApiHeader({
    name: 'MCP-Protocol-Version',
    required: false,
    description: 'Version of the protocol that `initialize` agreed on.',
    schema: { type: 'string', enum: [...MCP_VERSIONS] },
  })
  @ApiBody({
    schema: { allOf: [{ $ref: getSchemaPath(JsonRpcMessage) }], ...ONE_OF_METHOD_RESULT_ERROR },
    examples: {
      tools: { summary: 'List the tools', value: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
      call: {
        summary: 'Call one',
        value: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_datasets', arguments: {} } },
      },
    },
  })
  @ApiExtraModels(JsonRpcMessage, JsonRpcResponse)
  @ApiOkResponse({ description: 'The response to a request.', type: JsonRpcResponse })
  @ApiBadRequestResponse({
    description: 'The body is not JSON, or not a JSON-RPC 2.0 message: a problem, or a JSON-RPC error.',
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      'application/json': { schema: { type: 'object', additionalProperties: true } },
    },
  })
  @ApiAcceptedResponse({ description: 'A notification or a response was accepted; the response has no body.' })
  async handle(
    @Body() message: JsonRpcMessage,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.refuseForeignPage(request);
    refuseUnknownVersion(request.headers['mcp-protocol-version']);
    const called = this.mcp.findCalled(message);
    await this.counter.count(called?.rateLimit ?? 'default', request, reply, called?.cost);
    const { status, body } = await this.mcp.handle(this.answers.watchOver(request, reply), message, request);
    if (body === null) await reply.status(status).send();
    else await reply.status(status).header('Content-Type', 'application/json; charset=utf-8').send(body);
  }

  /** Keeps web pages from using the server without the knowledge of the person who has them open (DNS rebinding included). */
  private refuseForeignPage(request: FastifyRequest): void {
    const { origin } = request.headers;
    const { corsOrigins, publicUrl } = this.settings.values;
    if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return;
    if (isOwnPage(origin, request, publicUrl)) return;
    throw integrationErrors.origin_not_allowed({ origin });
  }
}

function refuseUnknownVersion(version: string | string[] | undefined): void {
  if (version === undefined || MCP_VERSIONS.includes(String(version))) return;
  const reason = `its MCP-Protocol-Version is not one of ${MCP_VERSIONS.join(', ')}`;
  throw httpErrors.malformed_request({ reason });
}

/**
 * Whether `origin` is this service's own, as for Swagger UI. `PUBLIC_URL` is trusted. The host of the request is trusted only if it is
 * `localhost` or an IP address: with DNS rebinding, a foreign page can make its own host name lead here and send it as origin and host, but
 * it can send neither of these two.
 */
export function isOwnPage(origin: string, { protocol, host }: Arrival, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  if (origin !== `${protocol}://${host}` || !URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0;
}
