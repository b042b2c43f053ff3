import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional, IsString, MaxLength, ValidateBy, ValidateIf } from 'class-validator';
import { Answer, Choice, TolerateUnknownFields } from '#libs/http';

const ID: { oneOf: object[] } = { oneOf: [{ type: 'string', maxLength: 256 }, { type: 'integer' }] };

const isId = (value: unknown): boolean =>
  (typeof value === 'string' && value.length <= 256) || Number.isSafeInteger(value);

/** One message of the Model Context Protocol: a request with an id, a notification without one, or a response. */
@TolerateUnknownFields()
export class JsonRpcMessage {
  /** Always `2.0`. */
  @Choice(['2.0'])
  jsonrpc!: '2.0';

  /** Identifier of the request, repeated in its response. A request without an id is a notification. */
  @ApiPropertyOptional({ ...ID, example: 1 })
  @ValidateIf((_, value) => value !== undefined)
  @ValidateBy({
    name: 'isId',
    validator: { validate: isId, defaultMessage: () => 'id must be a text of at most 256 characters or an integer' },
  })
  id?: string | number;

  /** Method: `initialize`, `ping`, `tools/list` or `tools/call`; omitted in a response. */
  @ApiPropertyOptional({ type: String, maxLength: 256, example: 'tools/list' })
  @ValidateIf(({ result, error }: JsonRpcMessage) => result === undefined && error === undefined)
  @IsString()
  @MaxLength(256)
  method?: string;

  /** Parameters of the method; for `tools/call`: `{"name": …, "arguments": {…}}`. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  params?: Record<string, unknown>;

  /** Result of the method; only in a response. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  result?: Record<string, unknown>;

  /** Error of the method; only in a response. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  error?: Record<string, unknown>;
}

/** The response to a request: `result` or `error`. */
export class JsonRpcResponse {
  /** Always `2.0`. */
  @Answer.Choice(['2.0'])
  jsonrpc!: '2.0';

  /** Identifier of the request. */
  @ApiProperty(ID)
  id!: string | number;

  /** Result of the method. A tool that fails gives `isError: true` and the problem as its content. */
  @Answer.Json({ optional: true })
  result?: Record<string, unknown>;

  /** Why the message could not be handled, for example an unknown method or tool. */
  @ApiPropertyOptional({
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'integer', description: 'Code of the error, as JSON-RPC 2.0 and MCP define them.' },
      message: { type: 'string', description: 'Why the message could not be handled, in a sentence.' },
    },
    additionalProperties: true,
  })
  error?: Record<string, unknown>;
}
