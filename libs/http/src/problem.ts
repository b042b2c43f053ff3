import type { CatalogueError, ErrorFigures, FieldProblem } from '#libs/common';

/** An error body, RFC 9457 `application/problem+json`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors?: readonly FieldProblem[];
  readonly error_count?: number;
  readonly figures?: ErrorFigures;
  readonly error: OpenAiError;
}

/** The same error in the shape of OpenAI's interface, whose clients show `message` and nothing else of a body. */
export interface OpenAiError {
  readonly message: string;
  readonly type: OpenAiErrorType;
  /** The first field that is wrong, as `messages[0].content`; null when it is not about a field. */
  readonly param: string | null;
  readonly code: string;
}

/** What `error.type` can be. */
export const OPENAI_ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'rate_limit_error',
  'server_error',
] as const;
type OpenAiErrorType = (typeof OPENAI_ERROR_TYPES)[number];

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The problem body of an error for one request; `instance` is the path without its query. */
export function toProblem(error: CatalogueError, instance: string, requestId: string): Problem {
  return {
    type: `/api/v1/errors#${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.message,
    instance,
    code: error.code,
    request_id: requestId,
    ...(error.errors === undefined
      ? {}
      : { errors: error.errors, error_count: error.errorCount ?? error.errors.length }),
    ...(error.figures === undefined ? {} : { figures: error.figures }),
    error: toOpenAiError(error),
  };
}

function toOpenAiError({ message, status, code, errors }: CatalogueError): OpenAiError {
  const pointer = errors?.[0]?.pointer ?? '';
  return { message, type: openAiTypeOf(status), param: pointer === '' ? null : toParam(pointer), code };
}

function openAiTypeOf(status: number): OpenAiErrorType {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** A JSON pointer as OpenAI names fields: `/messages/0/content` is `messages[0].content`. */
function toParam(pointer: string): string {
  const names = pointer.replace(/^\//, '').split('/');
  const path = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${unescaped(name)}`)).join('');
  return path.replace(/^\./, '');
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
