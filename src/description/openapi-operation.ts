import {
  ANSWER_HEADERS_EXTENSION,
  FURTHER_BODIES_EXTENSION,
  NEEDS_SPACE_EXTENSION,
  IDEMPOTENCY_EXTENSION,
  RATE_LIMIT_EXTENSION,
  UNKNOWN_PARAMETERS_EXTENSION,
  type AnswerHeader,
} from '#libs/http';

interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, unknown>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  required?: boolean;
  description?: string;
  schema?: Record<string, unknown>;
}

/** An operation as `@nestjs/swagger` makes it. */
export interface Operation extends Record<string, unknown> {
  responses: Record<string, Response>;
  parameters?: Parameter[];
  security?: unknown[];
  requestBody?: { content?: Record<string, { schema?: unknown }> };
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const SUCCESS: Readonly<Record<string, string>> = {
  '200': 'The result.',
  '201': 'The created object.',
  '202': 'Accepted; the work continues in the background.',
  '204': 'Done; no content.',
};

/** Name of the security scheme by which Swagger UI logs in. Its tokens are the same as those of `jwt`. */
export const PASSWORD_SCHEME = 'password';

/** Description of 409 when another request with the same `Idempotency-Key` is running. */
export const WITH_RETRY_AFTER: readonly string[] = ['409', '429', '503', '507'];

const TENANT_HEADER =
  'Identifier of a tenant of the caller; left out, the default tenant. With any other value lists are empty, objects are not found (404), and nothing can be created (403).';

/** Adds the parameters, headers and problem responses that all routes of a kind have, so that decorators need not repeat them. */
export function completeOperation(operation: Operation, method: Method, path: string): void {
  const authenticated = (operation.security ?? []).length > 0;
  const takesIdempotencyKey = authenticated && method === 'post' && operation[IDEMPOTENCY_EXTENSION] !== 'none';
  delete operation[IDEMPOTENCY_EXTENSION];
  operation[RATE_LIMIT_EXTENSION] ??= 'default';
  operation.security ??= [];
  if (operation.security.some((one) => 'jwt' in (one as object))) operation.security.push({ [PASSWORD_SCHEME]: [] });
  addFurtherBodies(operation);
  const parameters = (operation.parameters ??= []);
  for (const parameter of parameters) {
    if (isUuidParameter(parameter)) describeId(parameter, path);
  }
  if (authenticated) {
    parameters.push(header('X-Tenant-ID', TENANT_HEADER, { type: 'string' }));
  }
  if (takesIdempotencyKey) {
    const key = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' };
    parameters.push(
      header(
        'Idempotency-Key',
        [
          'Key that the caller chooses. For 24 hours, a request with the same key and body gets the first result again, with the header `Idempotency-Replayed`,',
          'even if the created object no longer exists; 404 if a document in the result has been purged. The repetition is authorised again: 404 if the caller',
          'no longer sees a dataset or document that the request names.',
        ].join(' '),
        key,
      ),
    );
  }
  const own = (operation[ANSWER_HEADERS_EXTENSION] ?? []) as readonly AnswerHeader[];
  delete operation[ANSWER_HEADERS_EXTENSION];
  const hasTag = parameters.some(({ name }) => name === 'If-Match' || name === 'If-None-Match');
  const names = [...own, ...(hasTag ? ['ETag'] : []), ...(takesIdempotencyKey ? ['Idempotency-Replayed'] : [])];
  describeAnswerHeaders(operation, [...new Set(names)]);
  for (const status of problemsOf(operation, {
    authenticated,
    changes: method !== 'get',
    takesIdempotencyKey,
    method,
  })) {
    operation.responses[status] ??= { $ref: `#/components/responses/Problem${status}` };
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    completeResponse(status, response, operation[RATE_LIMIT_EXTENSION] !== 'none');
  }
}

/** 304 gets the header `ETag` too: the entity tag of the copy that is up to date. */
function describeAnswerHeaders({ responses }: Operation, names: readonly string[]): void {
  for (const [status, response] of Object.entries(responses)) {
    const present = names.filter((name) => Number(status) < 300 || (status === '304' && name === 'ETag'));
    for (const name of present) {
      response.headers = { [name]: { $ref: `#/components/headers/${name.replaceAll('-', '')}` }, ...response.headers };
    }
  }
}

/** Further media types come after JSON, because client generators that support only one take the first. */
function addFurtherBodies(operation: Operation): void {
  const further = operation[FURTHER_BODIES_EXTENSION] as Readonly<Record<string, object>> | undefined;
  delete operation[FURTHER_BODIES_EXTENSION];
  for (const [type, schema] of Object.entries(further ?? {})) {
    ((operation.requestBody ??= {}).content ??= {})[type] = { schema };
  }
}

function problemsOf(
  operation: Operation,
  facts: { authenticated: boolean; changes: boolean; takesIdempotencyKey: boolean; method: Method },
): string[] {
  const parameters = operation.parameters ?? [];
  const refusesParameters =
    operation[UNKNOWN_PARAMETERS_EXTENSION] !== 'ignored' || parameters.some(({ in: place }) => place === 'query');
  // Answered before a route is found: requests that arrive too slowly, unknown expectations, headers that are too long.
  const statuses = ['400', '408', '417', '431', '500', '503'];
  // Wherever a credential is required, it can be one of too many refused ones.
  if (operation[RATE_LIMIT_EXTENSION] !== 'none' || facts.authenticated) statuses.push('429');
  if (facts.authenticated) statuses.push('401', '403', '404');
  // A body may be sent even to routes that read none.
  if (facts.changes) statuses.push('413', '415', '422');
  if (facts.takesIdempotencyKey || refusesParameters) statuses.push('422');
  if (facts.takesIdempotencyKey || (facts.authenticated && facts.changes && facts.method !== 'post'))
    statuses.push('409');
  if (parameters.some(({ name }) => name === 'If-Match')) statuses.push('412');
  if (operation[NEEDS_SPACE_EXTENSION] === true) statuses.push('507');
  return statuses;
}

/** Every id is a UUID, unless its route gives a maximum length. */
function isUuidParameter({ in: place, name, schema }: Parameter): boolean {
  return place === 'path' && /(^|_)id$/.test(name) && schema?.['maxLength'] === undefined;
}

/** The noun before the parameter in the path says what it identifies: `/datasets/{id}`, `/members/{account_id}`. */
function describeId(parameter: Parameter, path: string): void {
  const before = new RegExp(`/([a-z-]+)/\\{${parameter.name}\\}`).exec(path)?.[1] ?? '';
  const own = /^(.+)_id$/.exec(parameter.name)?.[1];
  const noun = own ?? before.replace(/ies$/, 'y').replace(/s$/, '');
  const words = noun.replaceAll(/[-_]/g, ' ').replace(/^api /, 'API ');
  parameter.description ??= `Identifier of the ${words}; 404 unless the caller can see it.`;
  parameter.schema = { ...parameter.schema, type: 'string', format: 'uuid' };
}

function completeResponse(status: string, response: Response, limited: boolean): void {
  if (response.$ref !== undefined) return;
  if (response.description === undefined || response.description === '') {
    response.description = SUCCESS[status] ?? 'See the description of the operation.';
  }
  response.headers = { 'X-Request-ID': { $ref: '#/components/headers/RequestId' }, ...response.headers };
  if (Number(status) >= 400) {
    response.content ??= { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
    if (status === '401') response.headers['WWW-Authenticate'] = { $ref: '#/components/headers/WwwAuthenticate' };
    if (WITH_RETRY_AFTER.includes(status))
      response.headers['Retry-After'] = { $ref: '#/components/headers/RetryAfter' };
  } else if (limited) {
    for (const name of ['Limit', 'Remaining', 'Reset']) {
      response.headers[`RateLimit-${name}`] = { $ref: `#/components/headers/RateLimit${name}` };
    }
  }
}

function header(name: string, description: string, schema: Record<string, unknown>): Parameter {
  return { name, in: 'header', required: false, description, schema };
}
