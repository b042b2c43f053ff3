import type { RateLimitClass } from '#libs/config';
import type { Permission, RequestContext } from '#libs/tenancy';

/** A JSON Schema of an object. */
export interface ArgumentsSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** A route of the service as a tool. It needs the same permission and counts against the same rate limit. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  /** Description for the model that chooses a tool. */
  readonly description: string;
  readonly permission: Permission;
  readonly rateLimit: RateLimitClass;
  /** Number of requests as which a call counts against the rate limit; default 1. */
  readonly cost?: number;
  /** Whether a caller without the permission gets the answer of an empty tenant, as on the route. */
  readonly emptyWithoutPermission?: boolean;
  readonly inputSchema: ArgumentsSchema;
  /** The class that validates the arguments. */
  readonly argumentsType: new () => object;
  /** @param given a valid instance of `argumentsType` */
  run(ctx: RequestContext, given: object, signal: AbortSignal): Promise<object>;
}

/** Defines a tool whose `run` gets instances of its `argumentsType`. */
export function defineTool<Arguments extends object>(
  tool: Omit<McpTool, 'run' | 'argumentsType'> & {
    readonly argumentsType: new () => Arguments;
    readonly run: (ctx: RequestContext, given: Arguments, signal: AbortSignal) => Promise<object>;
  },
): McpTool {
  return { ...tool, run: (ctx, given, signal) => tool.run(ctx, given as Arguments, signal) };
}
