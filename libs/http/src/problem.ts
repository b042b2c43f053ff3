import type { CatalogueError, FieldProblem } from '#libs/common';

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
}

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
  };
}
