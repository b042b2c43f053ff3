import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newId, type CatalogueError } from '#libs/common';
import { NEVER_KEPT } from './cache-control.js';
import { httpErrors } from './http.errors.js';
import { PROBLEM_MEDIA_TYPE, toProblem } from './problem.js';
import { requestIdOf } from './request-id.js';

/** What Node's HTTP parser reports of a connection whose request it could not read. */
type ParserError = Error & { readonly code?: string; readonly reason?: string };

/** The request is unreadable, so its path is not known. */
const UNKNOWN_PATH = '/';

/** The problem for what Node's HTTP parser refuses before there is a request. */
export function clientProblem(error: ParserError): CatalogueError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return httpErrors.headers_too_long({});
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return httpErrors.malformed_request({ reason: 'the extensions of its chunks are too long' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return httpErrors.request_timeout({});
    default:
      return httpErrors.malformed_request({ reason: error.reason ?? 'it is not HTTP/1.1' });
  }
}

/** Answers a connection whose request could not be read, and closes it. A connection with an answer under way is cut off. */
export function answerClientError(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const answering = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
  if (!socket.writable || answering?.headersSent === true) socket.destroy(error);
  else endWithProblem(socket, clientProblem(error), newId());
}

/** Expectations other than `100-continue`, and CONNECT: Node would answer without a body, or not at all. */
export function answerUnusualRequests(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const id = requestIdOf(request);
    const error = httpErrors.expectation_failed({});
    const body = JSON.stringify(toProblem(error, request.url?.split('?', 1)[0] ?? UNKNOWN_PATH, id));
    response
      .writeHead(error.status, {
        'Content-Type': PROBLEM_MEDIA_TYPE,
        'Cache-Control': NEVER_KEPT,
        'Content-Length': Buffer.byteLength(body),
        'X-Request-ID': id,
        Connection: 'close',
      })
      .end(body);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const error = httpErrors.malformed_request({ reason: 'CONNECT is for proxies, and this service is not a proxy' });
    endWithProblem(socket, error, requestIdOf(request));
  });
}

function endWithProblem(socket: Socket, error: CatalogueError, requestId: string): void {
  const body = JSON.stringify(toProblem(error, UNKNOWN_PATH, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? error.title}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
    `Cache-Control: ${NEVER_KEPT}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
