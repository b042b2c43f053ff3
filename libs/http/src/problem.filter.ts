import { Catch, HttpException, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catalogueErrorOf, MessageThrottle, storageLowOf, type CatalogueError } from '#libs/common';
import { databaseErrors } from '#libs/database';
import { PinoLogger } from 'nestjs-pino';
import { RouteFact } from '#libs/tenancy';
import { httpErrors } from './http.errors.js';
import { PROBLEM_MEDIA_TYPE, toProblem } from './problem.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Further members of the route's problem bodies; none may have the name of one that every problem has. */
    problemMembers?: (error: CatalogueError) => Readonly<Record<string, unknown>>;
  }
}

/**
 * Adds members to the problem bodies of a route, for clients with an error format of their own; also to errors that occur before its handler
 * runs.
 */
export const ProblemMembers = (
  membersOf: (error: CatalogueError) => Readonly<Record<string, unknown>>,
): MethodDecorator & ClassDecorator => RouteFact('problemMembers', membersOf);

/** Turns everything that a route throws into a problem body; an error that is not in the catalogue is logged and shown as an internal error. */
@Injectable()
@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** By the code of the error. */
  private readonly outages = new Map<string, MessageThrottle>();

  constructor(private readonly logger: PinoLogger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = toCatalogueError(thrown, request);
    if (hasLeft(reply) && isEndedByLeaving(thrown)) {
      this.logger.debug({ code: error.code, requestId: String(request.id) }, 'request.abandoned');
      void reply.status(CLIENT_LEFT).send();
      return;
    }
    if (error.status >= 500) this.log(thrown, error, String(request.id));
    sendProblem(reply, error, request);
  }

  /** A fault of the service each time; an outage, which every request meets and strangers can ask for, now and then. */
  private log(thrown: unknown, { code, status }: CatalogueError, requestId: string): void {
    const facts = { err: thrown, code, requestId };
    if (status === INTERNAL) return this.logger.error(facts, 'request.failed');
    const outage = this.outages.get(code) ?? new MessageThrottle(QUIET_MS);
    this.outages.set(code, outage);
    outage.pass((omitted) => this.logger.error({ ...facts, omitted }, 'request.failed'));
  }
}

const INTERNAL = 500;
/** Between two lines of one kind of outage. */
const QUIET_MS = 60_000;

const UNAVAILABLE = 503;
/** When to come back where the error does not say: every 503 says it. */
const UNAVAILABLE_SECONDS = 60;
/** The status under which a request is counted whose caller did not wait for the answer; no one is sent it. */
const CLIENT_LEFT = 499;
/** Errors that caused each other, at most. */
const CAUSES = 5;

function hasLeft({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableFinished;
}

/** True for what work that is told to stop throws, and for refusals that no one waits for; a fault of the service stays one. */
function isEndedByLeaving(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < CAUSES && error instanceof Error; depth += 1) {
    if (error.name === 'AbortError') return true;
    error = error.cause;
  }
  return catalogueErrorOf(thrown) !== undefined;
}

/** Writes the problem body; a reply that has begun is cut off instead. */
export function sendProblem(reply: FastifyReply, error: CatalogueError, request: FastifyRequest): void {
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  for (const [name, value] of Object.entries(error.headers)) void reply.header(name, value);
  const retryAfter = error.retryAfter ?? (error.status === UNAVAILABLE ? UNAVAILABLE_SECONDS : undefined);
  if (retryAfter !== undefined) void reply.header('Retry-After', String(Math.ceil(retryAfter)));
  void reply
    .status(error.status)
    .header('Content-Type', PROBLEM_MEDIA_TYPE)
    .send(
      JSON.stringify({ ...toProblem(error, pathOf(request), String(request.id)), ...furtherMembers(error, request) }),
    );
}

/** What clients of the route look for in an error, beside what every problem has. */
function furtherMembers(error: CatalogueError, request: FastifyRequest): object {
  // A path that cannot be decoded has no route.
  const { routeOptions } = request as { readonly routeOptions?: FastifyRequest['routeOptions'] };
  return routeOptions?.config.problemMembers?.(error) ?? {};
}

type CodedError = Error & { code?: string; statusCode?: number; limit?: number };

/** The catalogue entry for anything that can be thrown. */
export function toCatalogueError(thrown: unknown, request: FastifyRequest): CatalogueError {
  const known = catalogueErrorOf(thrown);
  if (known !== undefined) return known;
  // Where there is no route, a body or a header that cannot be read is not what is wrong.
  if (request.is404) return unknownRoute(request);
  if (thrown instanceof HttpException) return fromHttpException(thrown, request);
  if (!(thrown instanceof Error)) return httpErrors.internal({});
  return (
    fromServerError(thrown, request) ?? storageLowOf(thrown) ?? fromDatabaseError(thrown) ?? httpErrors.internal({})
  );
}

function fromHttpException(exception: HttpException, request: FastifyRequest): CatalogueError {
  const status = exception.getStatus();
  if (status === 404) return unknownRoute(request);
  if (exception.cause instanceof Error) {
    const inner = fromServerError(exception.cause, request);
    if (inner) return inner;
  }
  if (status === 415) return httpErrors.media_type_not_supported({ expected: 'application/json' });
  if (status < 500) return httpErrors.malformed_request({ reason: exception.message });
  return httpErrors.internal({});
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url;
}

function unknownRoute(request: FastifyRequest): CatalogueError {
  return httpErrors.route_not_found({ method: request.method, path: pathOf(request) });
}

/** Errors of the HTTP server itself: bodies that cannot be read. */
function fromServerError(error: CodedError, request: FastifyRequest): CatalogueError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return httpErrors.malformed_json({ reason: error.message });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return httpErrors.body_too_large({ limit: request.server.initialConfig.bodyLimit ?? 0 });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return httpErrors.media_type_not_supported({ expected: 'application/json' });
    default:
      break;
  }
  if (error instanceof SyntaxError && error.statusCode === 400)
    return httpErrors.malformed_json({ reason: error.message });
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return httpErrors.malformed_request({ reason: error.message });
  }
  return undefined;
}

/** SQLSTATE: connections, a server that stops, lacks resources or gave a statement up, transactions that lost against others. */
const CONNECTION_STATES = /^(?:(?:08|57|53|40)[0-9A-Z]{3}|55P03)$/;
const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);

/** A database that is gone, starting, stopping or overloaded is 503, not 500. */
function fromDatabaseError(error: CodedError): CatalogueError | undefined {
  const code = error.code ?? '';
  const gone =
    /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed/.test(
      error.message,
    );
  if (gone || CONNECTION_STATES.test(code) || CONNECTION_CODES.has(code)) {
    return databaseErrors.unavailable({}, { retryAfter: 5, cause: error });
  }
  return undefined;
}
