import { ApiExtension } from '@nestjs/swagger';

/** Headers of a successful answer that a route describes by name. */
export type AnswerHeader = 'Content-Disposition' | 'ETag' | 'Location';

/** Extension of an operation in the description: headers of its successful answer. */
export const ANSWER_HEADERS_EXTENSION = 'x-answer-headers';

/** Describes headers that the successful answer of a route has. A route with `If-Match` or `If-None-Match` has an `ETag` anyway. */
export const AnswerHeaders = (...names: readonly AnswerHeader[]): MethodDecorator =>
  ApiExtension(ANSWER_HEADERS_EXTENSION, [...names]);
