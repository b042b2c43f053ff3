import type { ApiClient } from '../support/api-client.js';

export type Schema = Readonly<Record<string, unknown>>;

interface Content {
  readonly schema: Schema;
}

export interface DescribedResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** One operation of an OpenAPI document. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-permission'?: string;
}

export interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
    readonly headers: Readonly<Record<string, Schema>>;
  };
}

/** What the description says about who may use an operation. */
export interface Operation {
  /** `GET /datasets/{id}`, without the prefix. */
  readonly name: string;
  readonly method: string;
  /** Path template without the prefix. */
  readonly path: string;
  readonly isPublic: boolean;
  /** API keys are refused. */
  readonly accountOnly: boolean;
  /** `any`: every valid credential will do. */
  readonly permission: string;
  readonly described: DescribedOperation;
}

const PREFIX = '/api/v1';

/** The description as the running service gives it. */
export function readDescription(client: ApiClient): Promise<Description> {
  return client.get<Description>('/openapi.json');
}

/** Every operation, in the order of the description. */
export function operationsOf(description: Description): Operation[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => {
      const short = path.slice(PREFIX.length);
      const schemes = described.security.flatMap((entry) => Object.keys(entry));
      return {
        name: `${method.toUpperCase()} ${short}`,
        method: method.toUpperCase(),
        path: short,
        isPublic: schemes.length === 0,
        accountOnly: schemes.length > 0 && !schemes.includes('api_key'),
        permission: described['x-permission'] ?? 'any',
        described,
      };
    }),
  );
}

/** Refers to a response of the components, or is the response itself. */
export function resolveResponse(description: Description, response: DescribedResponse): DescribedResponse {
  if (response.$ref === undefined) return response;
  const name = response.$ref.slice('#/components/responses/'.length);
  const found = description.components.responses[name];
  if (found === undefined) throw new Error(`The description has no ${response.$ref}.`);
  return found;
}
