import multipart from '@fastify/multipart';
import { RequestMethod } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { SettingsValues } from '#libs/config';
import { Metrics } from '#libs/metrics';
import { JSON_BODY_LIMIT, requestIdOf } from '#libs/http';
import { CredentialResolver, resolveCredentials } from '#libs/tenancy';
import { serveDescription } from './description/serve-description.js';
import { serveMetrics } from './serve-metrics.js';

export const API_PREFIX = 'api/v1';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The HTTP server as every process and every test uses it. */
export function makeAdapter(settings: SettingsValues): FastifyAdapter {
  const { trustProxy } = settings;
  return new FastifyAdapter({
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    trustProxy: trustProxy.includes('true') ? true : trustProxy.length === 0 ? false : [...trustProxy],
    bodyLimit: JSON_BODY_LIMIT,
    genReqId: requestIdOf,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    exposeHeadRoutes: true,
  });
}

/** Prefix, request ids, credentials, parsers, CORS, errors before any route, and the description. */
export async function configureApp(app: NestFastifyApplication, settings: SettingsValues): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  app.setGlobalPrefix(API_PREFIX, { exclude: [{ path: 'docs', method: RequestMethod.GET }] });
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('X-Request-ID', String(request.id));
  });
  serveMetrics(fastify, `/${API_PREFIX}/metrics`, settings, app.get(Metrics));
  resolveCredentials(fastify, app.get(CredentialResolver));
  await app.register(multipart, { throwFileSizeLimit: false });
  fastify.removeContentTypeParser('text/plain');
  parseMergePatch(fastify);
  enableCors(app, settings);
  serveDescription(app, settings);
  await app.init();
}

/** `application/merge-patch+json` (RFC 7396) is read like JSON. */
function parseMergePatch(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('application/merge-patch+json', { parseAs: 'string' }, (request, body, done) => {
    void fastify.getDefaultJsonParser('error', 'error')(request, body as string, done);
  });
}

function enableCors(app: NestFastifyApplication, settings: SettingsValues): void {
  const { corsOrigins } = settings;
  if (corsOrigins.length === 0) return;
  app.enableCors({
    origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
    methods: [...METHODS],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'X-API-Key',
      'X-Tenant-ID',
      'X-Request-ID',
      'Idempotency-Key',
      'If-Match',
      'Last-Event-ID',
    ],
    exposedHeaders: [
      'X-Request-ID',
      'ETag',
      'Location',
      'Retry-After',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Idempotency-Replayed',
    ],
    maxAge: 600,
  });
}
