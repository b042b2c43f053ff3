import type { OpenAPIObject } from '@nestjs/swagger';
import { MAX_FIELD_PROBLEMS, type CatalogueEntry } from '#libs/common';
import { OPENAI_ERROR_TYPES } from '#libs/http';
import { closeRequestSchemas } from './openapi-closed-schemas.js';
import { completeOperation, WITH_RETRY_AFTER, type Operation } from './openapi-operation.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Paths that the interface specification writes with a trailing slash; both spellings are the same route. */
const WITH_SLASH = ['/api/v1/datasets', '/api/v1/documents'];

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'An error, RFC 9457.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id', 'error'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Address of an explanation of the error code.' },
    title: { type: 'string', description: 'Short name of the kind of error.' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'HTTP status.' },
    detail: { type: 'string', description: 'What happened and what to change.' },
    instance: { type: 'string', description: 'Path of the request.' },
    code: { type: 'string', description: 'Error code: the stable name of the error.', example: 'datasets.not_found' },
    request_id: { type: 'string', description: 'Identifier of the request, as in X-Request-ID.' },
    errors: {
      type: 'array',
      maxItems: MAX_FIELD_PROBLEMS,
      description: 'The first 20 problems of the request.',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into the body, or the name of a parameter or field.' },
          code: { type: 'string', description: 'Name of the rule that is broken.', example: 'max_length' },
          detail: { type: 'string', description: 'What the rule requires.' },
        },
      },
    },
    error_count: {
      type: 'integer',
      minimum: 1,
      description: 'Number of all problems of the request; present together with `errors`.',
    },
    figures: {
      type: 'object',
      description: 'Numbers of bytes that explain the error, by name: free, reserved, needed, used or allowed.',
      additionalProperties: { type: 'number', nullable: true },
      example: { free_bytes: 70000000, reserve_bytes: 65000000, needed_bytes: 25000000 },
    },
    error: {
      type: 'object',
      description: "The same error for OpenAI's clients, which show `message`.",
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string', description: 'The same as `detail`.' },
        type: {
          type: 'string',
          description: 'The kind of error.',
          enum: [...OPENAI_ERROR_TYPES],
        },
        param: {
          type: 'string',
          nullable: true,
          description: 'The first field that is wrong; null when the error is not about a field.',
          example: 'messages[0].content',
        },
        code: { type: 'string', description: 'The same as `code`.' },
      },
    },
    error_code: {
      type: 'integer',
      description: "Number of the error in Dify's interface; only in answers of `POST /integrations/dify/retrieval`.",
    },
    error_msg: {
      type: 'string',
      description: 'The same as `detail`; only in answers of `POST /integrations/dify/retrieval`.',
    },
  },
};

const PROBLEMS: Readonly<Record<string, string>> = {
  '400': 'The request cannot be read.',
  '401': 'No valid credential.',
  '403': 'Visible to the caller, but not permitted.',
  '404': 'Does not exist, or is not visible to the caller.',
  '408': 'The request arrived too slowly.',
  '409': 'Conflict with the present state.',
  '412': 'If-Match does not name the present version.',
  '413': 'The body is too large.',
  '415': 'Media type not supported.',
  '417': 'Unsupported `Expect` header; only `100-continue` is supported.',
  '422': 'The request does not match its schema.',
  '429': 'Too many requests; see Retry-After.',
  '431': 'The request line and the headers are too long.',
  '500': 'Internal error.',
  '503': 'A needed dependency is down; see Retry-After.',
  '507': 'Less storage space is free than must stay free; see `figures`.',
};

const COUNT = { type: 'integer', minimum: 0 };

const HEADERS = {
  RequestId: {
    description: 'Identifier of the request: the one that was sent, or a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  RateLimitLimit: {
    description: 'Maximum number of requests in a window; absent while limits are off.',
    schema: COUNT,
  },
  RateLimitRemaining: { description: 'Number of requests left in this window.', schema: COUNT },
  RateLimitReset: { description: 'Seconds until the next window.', schema: COUNT },
  RetryAfter: { description: 'Seconds to wait before the next try.', schema: COUNT },
  ContentDisposition: { description: 'The name of the file.', schema: { type: 'string' } },
  Location: {
    description: 'Path of the new object.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: {
    description: 'Entity tag of the answer, for `If-None-Match`, and for `If-Match` of a change.',
    required: true,
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    description: 'On an answer that repeats the first one of its `Idempotency-Key`; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
  WwwAuthenticate: { description: 'How to authenticate.', required: true, schema: { type: 'string' } },
};

const TAGS = [
  { name: 'Authentication', description: 'Sessions, the account of the caller, API keys.' },
  { name: 'Tenants', description: 'Tenants and their members.' },
  { name: 'Datasets', description: 'Collections of documents, their visibility and their categories.' },
  { name: 'Ingestion policy', description: 'How documents of a dataset are ingested.' },
  { name: 'Documents', description: 'Files, their ingestion, their text and chunks.' },
  { name: 'Retrieval', description: 'Search over datasets.' },
  { name: 'Chat', description: "Answers with citations, for OpenAI's clients too." },
  { name: 'Integrations', description: 'Interfaces of other products: OpenAI, Dify, the Model Context Protocol.' },
  { name: 'Health', description: 'State of the service, for probes and operators.' },
  { name: 'Description', description: 'Error codes and limits of the service.' },
];

/** What all operations have in common: problem bodies, headers, closed requests, tags, and the catalogue of codes. */
export function addCommonParts(document: OpenAPIObject, catalogue: readonly CatalogueEntry[]): void {
  const components = (document.components ??= {});
  components.schemas = { ...components.schemas, Problem: PROBLEM_SCHEMA as never };
  components.headers = HEADERS as never;
  components.responses = Object.fromEntries(
    Object.entries(PROBLEMS).map(([status, text]) => [`Problem${status}`, problem(status, text)]),
  ) as never;
  document.tags = TAGS;
  document.paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [WITH_SLASH.includes(path) ? `${path}/` : path, item]),
  );
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = (item as Record<string, unknown>)[method] as Operation | undefined;
      if (operation !== undefined) completeOperation(operation, method, path);
    }
  }
  closeRequestSchemas(document);
  (document as unknown as Record<string, unknown>)['x-error-codes'] = catalogue;
}

/** Refusals that are kept for an `Idempotency-Key`, as the results of its request are. */
const KEPT = ['400', '404', '409', '410', '412', '413', '415', '422'];

function problem(status: string, description: string): object {
  const headers: Record<string, object> = { 'X-Request-ID': { $ref: '#/components/headers/RequestId' } };
  if (status === '401') headers['WWW-Authenticate'] = { $ref: '#/components/headers/WwwAuthenticate' };
  if (KEPT.includes(status)) headers['Idempotency-Replayed'] = { $ref: '#/components/headers/IdempotencyReplayed' };
  if (WITH_RETRY_AFTER.includes(status)) headers['Retry-After'] = { $ref: '#/components/headers/RetryAfter' };
  return {
    description,
    headers,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}
