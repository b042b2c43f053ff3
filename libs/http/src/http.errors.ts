import { maxHeaderSize } from 'node:http';
import { defineErrors } from '#libs/common';

export const httpErrors = defineErrors('http', {
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    detail: (f: { reason: string }) => `The body is not valid JSON: ${f.reason}. Send a JSON document in UTF-8.`,
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    detail: (f: { reason: string }) => `The request cannot be read: ${f.reason}.`,
  },
  headers_too_long: {
    status: 431,
    title: 'Headers too long',
    detail: () =>
      `The request line and the headers together are longer than ${maxHeaderSize} bytes. Send fewer or shorter headers and a shorter path.`,
  },
  request_timeout: {
    status: 408,
    title: 'Request came too slowly',
    detail: () => 'The request did not arrive completely in time. Send it again, without pauses.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation not supported',
    detail: () => 'The only supported expectation is "100-continue". Omit the Expect header.',
  },
  shutting_down: {
    status: 503,
    title: 'Service is stopping',
    detail: () => 'This process is stopping and accepts no more requests. Try again after the time in Retry-After.',
  },
  stream_passed_on: {
    status: 503,
    title: 'Stream continues at another process',
    detail: () =>
      'This process is stopping. Nothing is lost: send the request again with the id of the last event as Last-Event-ID.',
  },
  stream_cut_off: {
    status: 503,
    title: 'Stream cut off',
    detail: () =>
      'This process is stopping, and the stream cannot be resumed. Send the request again without Last-Event-ID.',
  },
  route_not_found: {
    status: 404,
    title: 'Route not found',
    detail: (f: { method: string; path: string }) =>
      `There is no ${f.method} ${f.path}. The routes are listed at /docs and /api/v1/openapi.json.`,
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: (f: { method: string; path: string; allowed: string }) =>
      `${f.method} is not possible on ${f.path}; possible: ${f.allowed}.`,
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    detail: (f: { limit: number }) => `The body is larger than the ${f.limit} bytes that this route accepts.`,
  },
  nested_too_deeply: {
    status: 400,
    title: 'Nested too deeply',
    detail: (f: { limit: number }) => `The body is nested deeper than ${f.limit} levels. Send a flatter one.`,
  },
  too_many_values: {
    status: 413,
    title: 'Too many values',
    detail: (f: { limit: number }) =>
      `The body contains more than ${f.limit} values (objects, lists, texts, numbers). Send it in several requests.`,
  },
  parsing_failed: {
    status: 413,
    title: 'Too much to parse',
    detail: (f: { reason: string }) => `The body cannot be parsed: ${f.reason}. Send a smaller or simpler one.`,
  },
  body_too_slow: {
    status: 408,
    title: 'Body too slow',
    detail: (f: { seconds: number }) => `The body did not arrive within ${f.seconds} seconds. Send the request again.`,
  },
  upload_too_slow: {
    status: 408,
    title: 'Upload too slow',
    detail: (f: { bytes: number; seconds: number }) =>
      `Less than ${f.bytes} bytes of the upload arrived in ${f.seconds} seconds. Nothing was stored; send it again.`,
  },
  body_cut_off: {
    status: 400,
    title: 'Body cut off',
    detail: () => 'The connection ended before the whole body had arrived. Send the request again.',
  },
  media_type_not_supported: {
    status: 415,
    title: 'Media type not supported',
    detail: (f: { expected: string }) => `This route accepts ${f.expected}. Set the Content-Type header accordingly.`,
  },
  content_encoding_not_supported: {
    status: 415,
    title: 'Content-Encoding not supported',
    detail: (f: { encoding: string }) =>
      `The Content-Encoding "${f.encoding}" is not supported. Send the body unencoded, without this header.`,
  },
  charset_not_supported: {
    status: 415,
    title: 'Charset not supported',
    detail: (f: { charset: string }) =>
      `The charset "${f.charset}" is not supported. Send the body in UTF-8 and name no other charset in Content-Type.`,
  },
  validation_failed: {
    status: 422,
    title: 'Request does not match its schema',
    detail: (f: { summary: string }) => f.summary,
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    detail: (f: { current: string }) =>
      `If-Match does not name the current version, which is ${f.current}. Read the resource again and repeat the change.`,
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    detail: (f: { limit: number; window: number; routes: string; whose: string }) =>
      `More than ${f.limit} requests in ${f.window} seconds by ${f.whose} to the routes of class "${f.routes}". Wait for the time in Retry-After.`,
  },
  too_many_streams: {
    status: 429,
    title: 'Too many open streams',
    detail: (f: { limit: number; whose: string }) =>
      `More than ${f.limit} streams of ${f.whose} would be open at once. Close one, or wait for the time in Retry-After.`,
  },
  idempotency_key_invalid: {
    status: 422,
    title: 'Idempotency-Key not valid',
    detail: () => 'Idempotency-Key must have 1 to 255 printable ASCII characters.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key used for another request',
    detail: () => 'This Idempotency-Key was used with another body. Use a new key for another request.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request still running',
    detail: () =>
      'The first request with this Idempotency-Key is still running. Send the request again in a moment to get its result.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    detail: () => 'The service failed to handle this request. Report the request_id to the operator of the service.',
  },
});
