import { applyDecorators } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CatalogueError } from '#libs/common';
import { RouteFact } from '#libs/tenancy';
import { NEVER_KEPT } from './cache-control.js';
import { httpErrors } from './http.errors.js';
import { contentTypeOf } from './multipart-headers.js';
import { sendProblem, toCatalogueError } from './problem.filter.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads a form with files. */
    takesForm?: boolean;
  }
}

/** A route that reads `multipart/form-data`, besides `others` or alone. Everywhere else such a body is 415. */
export const TakesForm = (...others: readonly string[]): MethodDecorator & ClassDecorator =>
  applyDecorators(RouteFact('takesForm', true), ApiConsumes(...others, 'multipart/form-data'));

/** Methods of which the server reads no body, whatever its type. */
const BODILESS = new Set(['GET', 'HEAD']);
const READ_CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** Answers what the router refuses before any hook runs: a path that cannot be decoded. */
export function answerRouterError(
  thrown: Error & { readonly code?: string },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header('X-Request-ID', String(request.id)).header('Cache-Control', NEVER_KEPT);
  sendProblem(reply, routerProblem(thrown, request), request);
}

/** Why a JSON body was refused: what is wrong with it, or a name that would change the prototype of what is made of it. */
export function unreadableJson(body: string): CatalogueError {
  try {
    JSON.parse(body);
  } catch (error) {
    return httpErrors.malformed_json({ reason: error instanceof SyntaxError ? error.message : 'it cannot be parsed' });
  }
  return httpErrors.malformed_json({
    reason: 'a key must not be "__proto__", or "constructor" with a key "prototype" in its value',
  });
}

function routerProblem(thrown: Error & { readonly code?: string }, request: FastifyRequest): CatalogueError {
  if (thrown.code !== 'FST_ERR_BAD_URL') return toCatalogueError(thrown, request);
  const reason = 'its path has a "%" that does not begin a character in UTF-8; write a percent sign as "%25"';
  return httpErrors.malformed_request({ reason });
}

/** HTTP/1.1 asks for the Host header; Node itself would answer without a body. */
export function refuseMissingHost(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      throw httpErrors.malformed_request({ reason: 'its Host header is missing' });
    }
  });
}

/** Refuses bodies in an encoding or a charset that no parser reads, and forms where none is read: after the credential, before the body. */
export function refuseUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', async ({ headers, is404, method, routeOptions }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (is404 || !hasBody) return;
    const encoding = headers['content-encoding']?.trim().toLowerCase();
    if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
      const accepted = { 'Accept-Encoding': 'identity' };
      throw httpErrors.content_encoding_not_supported({ encoding }, { headers: accepted });
    }
    const { charset, mediaType } = contentTypeOf(headers['content-type']);
    const isIgnored = routeOptions.config.takesForm !== true && !BODILESS.has(method);
    if (isIgnored && mediaType?.startsWith('multipart/') === true) {
      throw httpErrors.media_type_not_supported({ expected: 'application/json' });
    }
    if (charset !== undefined && !READ_CHARSETS.has(charset.toLowerCase())) {
      throw httpErrors.charset_not_supported({ charset });
    }
  });
}
