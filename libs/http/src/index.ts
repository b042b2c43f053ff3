export { boundAnonymousConnections } from './anonymous-connections.js';
export {
  DescribeFurtherBodies,
  FIELD_BYTES,
  FIELDS_BYTES,
  FURTHER_BODIES_EXTENSION,
  IMPORT_BODY_BYTES,
  ImportBody,
  SMALL_BODY_BYTES,
} from './body/body-size.js';
export { readJsonBodies } from './body/json-bodies.js';
export { JsonScanner, type JsonBounds } from './body/json-scanner.js';
export { readBody } from './body/read-body.js';
export { drainBodyAfterAnswer } from './body/drain-body.js';
export { runInThread, ThreadEnded } from './body/run-in-thread.js';
export { ANSWER_HEADERS_EXTENSION, AnswerHeaders, type AnswerHeader } from './answer-headers.js';
export { refuseBrokenQueries, requireSoundEscapes, TakesForeignQuery } from './broken-escapes.js';
export { forbidCaching, NEVER_KEPT } from './cache-control.js';
export { callerSignal } from './caller-signal.js';
export { answerClientError, answerUnusualRequests } from './client-errors.js';
export { answerRouterError, refuseMissingHost, refuseUnreadBodies, TakesForm } from './early-refusals.js';
export { prefersJson } from './accept.js';
export type { HttpOnlyCookie } from './cookies/cookie.js';
export { FromPage, isOwnPage, type PageExchange } from './cookies/page-exchange.js';
export { Drain } from './drain/drain.js';
export { answerNotModified, DescribeEntityTag, etagOf, requireMatch } from './etag.js';
export { DatasetSight } from './dataset-sight.port.js';
export { DocumentSight } from './document-sight.port.js';
export { httpErrors } from './http.errors.js';
export { Answer } from './fields/answer.js';
export { Choice } from './fields/choice.js';
export { describeField, field, IfPresent, type DescribedOptions, type FieldOptions } from './fields/field.js';
export { Choices, Json, Nested, NestedList, Uuids } from './fields/list.js';
export { Decimal, Flag, Integer } from './fields/number.js';
export { PageOf, type Page } from './fields/page-of.js';
export { QueryFlag, QueryInteger, QueryList } from './fields/query.js';
export { Instant, Text, TextOf, Uuid } from './fields/text.js';
export { HttpModule } from './http.module.js';
export { NEEDS_SPACE_EXTENSION, NeedsSpace } from './needs-space.js';
export { IDEMPOTENCY_EXTENSION, ShownOnce, WithoutIdempotency } from './idempotency.interceptor.js';
export { hashRequest, IdempotencyService, replayedError, type IdempotentOutcome } from './idempotency.service.js';
export type { KeptResponse } from './kept-response.js';
export { ListQueryDto } from './list-query.dto.js';
export type { Pace } from './body/paced-reader.js';
export { MalformedMultipart, readMultipart, TooManyParts, type MultipartPart } from './multipart-reader.js';
export { ProblemMembers, sendProblem, toCatalogueError } from './problem.filter.js';
export { OPENAI_ERROR_TYPES, PROBLEM_MEDIA_TYPE, toProblem, type Problem } from './problem.js';
export { IgnoresUnknownParameters, UNKNOWN_PARAMETERS_EXTENSION } from './query-parameters.js';
export { RATE_LIMIT_EXTENSION, RATE_LIMIT_WINDOW_SECONDS, RateLimit, RequestCounter, Unlimited } from './rate-limit.js';
export { AsSent } from './request-fields.js';
export { requestIdOf } from './request-id.js';
export { refuseOtherMethods } from './route-table.js';
export { setSecurityHeaders } from './security-headers.js';
export { LongAnswers, type LongAnswer } from './streams/long-answers.js';
export {
  formatSseEvent,
  sendEvents,
  SSE_EVENT_SCHEMA,
  SseWriter,
  type SseEvent,
  type SseWriterOptions,
} from './streams/sse-writer.js';
export {
  brokenText,
  findBrokenText,
  JSON_DEPTH_MAX,
  OptionalBody,
  RequestValidationPipe,
  TolerateUnknownFields,
  validationFailed,
} from './validation.js';
