import type { RateLimitClass } from '#libs/config';
import type { Permission, RequestContext } from '#libs/tenancy';

/** A JSON Schema of an object. */
export interface ArgumentsSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** A route of the service as a tool: it needs the same permission and counts against the same limit. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses among the tools. */
  readonly description: string;
  readonly permission: Permission;
  readonly rateLimit: RateLimitClass;
  /** As how many requests of its class it counts; default 1. */
  readonly cost?: number;
  /** Whether a caller without the permission gets the answer of a tenant that holds nothing, as on the route. */
  readonly emptyWithoutPermission?: boolean;
  readonly inputSchema: ArgumentsSchema;
  /** The class whose rules the arguments have to keep. */
  readonly argumentsType: new () => object;
  /** @param given an instance of `argumentsType` that keeps its rules */
  run(ctx: RequestContext, given: object, signal: AbortSignal): Promise<object>;
}

/** Makes a tool whose `run` takes instances of its `argumentsType`. */
export function defineTool<Arguments extends object>(
  tool: Omit<McpTool, 'run' | 'argumentsType'> & {
    readonly argumentsType: new () => Arguments;
    readonly run: (ctx: RequestContext, given: Arguments, signal: AbortSignal) => Promise<object>;
  },
): McpTool {
  return { ...tool, run: (ctx, given, signal) => tool.run(ctx, given as Arguments, signal) };
}
