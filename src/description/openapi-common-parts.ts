import type { OpenAPIObject } from '@nestjs/swagger';
import type { CatalogueEntry } from '#libs/common';

type Operation = Record<string, unknown> & {
  responses: Record<string, unknown>;
  parameters?: Record<string, unknown>[];
  security?: unknown[];
  requestBody?: { content?: Record<string, unknown> };
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'An error, RFC 9457.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', description: 'Where the code is explained.' },
    title: { type: 'string', description: 'The kind of error in short.' },
    status: { type: 'integer', description: 'HTTP status.' },
    detail: { type: 'string', description: 'What happened and what to change.' },
    instance: { type: 'string', description: 'Path of the request.' },
    code: { type: 'string', description: 'Stable code.', example: 'datasets.not_found' },
    request_id: { type: 'string', description: 'Id of the request, as in X-Request-ID.' },
    errors: {
      type: 'array',
      description: 'Every problem of the request, where it has several.',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into the body, or the name of a parameter or field.' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
};

const COMMON_RESPONSES: Readonly<Record<string, string>> = {
  '400': 'The request cannot be read.',
  '401': 'No valid credential.',
  '403': 'Visible but not permitted.',
  '404': 'Absent or not visible.',
  '405': 'Not possible with this method.',
  '406': 'No representation that the caller accepts.',
  '409': 'Conflict with the present state.',
  '412': 'If-Match does not name the present version.',
  '413': 'Too large.',
  '415': 'Media type not supported.',
  '422': 'The request does not match its schema.',
  '429': 'Too many requests; see Retry-After.',
  '500': 'Internal error.',
  '503': 'A needed dependency is down; see Retry-After.',
};

/** Problem bodies on every operation, the headers that all of them take, and the catalogue of codes. */
export function addCommonParts(document: OpenAPIObject, catalogue: readonly CatalogueEntry[]): void {
  const components = (document.components ??= {});
  components.schemas = { ...components.schemas, Problem: PROBLEM_SCHEMA as never };
  components.responses = Object.fromEntries(
    Object.entries(COMMON_RESPONSES).map(([status, description]) => [
      `Problem${status}`,
      { description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
    ]),
  );
  for (const item of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = (item as Record<string, unknown>)[method] as Operation | undefined;
      if (operation !== undefined) completeOperation(operation, method);
    }
  }
  (document as unknown as Record<string, unknown>)['x-error-codes'] = catalogue;
}

function completeOperation(operation: Operation, method: (typeof METHODS)[number]): void {
  const authenticated = (operation.security ?? []).length > 0;
  const hasBody = operation.requestBody !== undefined;
  const hasParameters = (operation.parameters ?? []).length > 0;
  const statuses = ['400', '405', '429', '500', '503'];
  if (authenticated) statuses.push('401', '403', '404');
  if (hasBody) statuses.push('413', '415');
  if (hasBody || hasParameters) statuses.push('404', '422');
  if (method !== 'get') statuses.push('401', '409', '412', '422');
  for (const status of statuses) {
    operation.responses[status] ??= { $ref: `#/components/responses/Problem${status}` };
  }
  if (!authenticated) return;
  const parameters = (operation.parameters ??= []);
  parameters.push(header('X-Tenant-ID', "Selects one of the caller's tenants.", { type: 'string', format: 'uuid' }));
  if (method === 'post') {
    const schema = { type: 'string', minLength: 1, maxLength: 255 };
    parameters.push(header('Idempotency-Key', 'The same key and body answer the first result for 24 hours.', schema));
  }
}

function header(name: string, description: string, schema: object): Record<string, unknown> {
  return { name, in: 'header', required: false, description, schema };
}
