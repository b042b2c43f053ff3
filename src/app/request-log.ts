import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import type { SettingsValues } from '#libs/config';
import type { ContextRequest, Principal } from '#libs/tenancy';
import { logOptions } from './log-options.js';

const NO_ROUTE = 'none';

/** With `LOG_REQUESTS=on` one line for each answered request: who asked which route, and what it came to. Never a query or a body. */
export function logRequests(fastify: FastifyInstance, settings: SettingsValues): void {
  if (settings.logRequests === 'off') return;
  const logger = pino({ ...logOptions(settings), level: 'info' });
  const sentBefore = new WeakMap<FastifyRequest, number>();
  fastify.addHook('onRequest', async (request) => {
    sentBefore.set(request, request.raw.socket.bytesWritten ?? 0);
  });
  fastify.addHook('onResponse', async (request: ContextRequest, reply) => {
    const { method, routeOptions, kbContext } = request;
    logger.info(
      {
        method,
        route: routeOptions.url ?? NO_ROUTE,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        bytes: bytesOf(request, reply, sentBefore.get(request) ?? 0),
        complete: reply.raw.writableFinished,
        requestId: String(request.id),
        tenantId: kbContext?.tenantId ?? null,
        principal: kbContext === undefined ? null : nameOf(kbContext.principal),
        address: request.ip,
      },
      'request.completed',
    );
  });
}

/** Length of the body where it was known, else what the connection has sent since the request began, headers included. */
function bytesOf(request: FastifyRequest, reply: FastifyReply, before: number): number {
  if (request.method === 'HEAD') return 0;
  const length = Number(reply.getHeader('content-length') ?? Number.NaN);
  return Number.isNaN(length) ? Math.max(0, (request.raw.socket.bytesWritten ?? 0) - before) : length;
}

function nameOf(principal: Principal): string {
  if (principal.kind === 'api_key') return `api_key:${principal.keyId}`;
  return principal.kind === 'account' ? `account:${principal.accountId}` : 'system';
}
