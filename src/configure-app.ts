import { maxHeaderSize } from 'node:http';
import multipart from '@fastify/multipart';
import { RequestMethod } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { SettingsValues } from '#libs/config';
import { Metrics } from '#libs/metrics';
import {
  answerClientError,
  answerRouterError,
  answerUnusualRequests,
  JSON_BODY_LIMIT,
  refuseMissingHost,
  refuseOtherMethods,
  refuseUnreadBodies,
  refuseWhileStopping,
  requestIdOf,
  setSecurityHeaders,
  unreadableJson,
} from '#libs/http';
import { CredentialResolver, resolveCredentials } from '#libs/tenancy';
import { DOCS_PATH, serveDescription } from './description/serve-description.js';
import { readPasswordForms } from './modules/accounts/index.js';
import { serveMetrics } from './serve-metrics.js';

export const API_PREFIX = 'api/v1';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The HTTP server as every process and every test uses it. */
export function makeAdapter(settings: SettingsValues): FastifyAdapter {
  const { trustProxy } = settings;
  return new FastifyAdapter({
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    trustProxy: trustProxy.includes('true') ? true : trustProxy.length === 0 ? false : [...trustProxy],
    bodyLimit: JSON_BODY_LIMIT,
    genReqId: requestIdOf,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    http: { requireHostHeader: false },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerRouterError,
  });
}

/** Prefix, request ids, credentials, parsers, CORS, errors before any route, and the description. */
export async function configureApp(app: NestFastifyApplication, settings: SettingsValues): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  app.setGlobalPrefix(API_PREFIX, { exclude: [{ path: 'docs', method: RequestMethod.GET }] });
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('X-Request-ID', String(request.id));
  });
  await setSecurityHeaders(fastify, DOCS_PATH);
  answerUnusualRequests(fastify.server);
  refuseWhileStopping(fastify);
  refuseMissingHost(fastify);
  refuseOtherMethods(fastify);
  refuseUnreadBodies(fastify);
  serveMetrics(fastify, `/${API_PREFIX}/metrics`, settings, app.get(Metrics));
  resolveCredentials(fastify, app.get(CredentialResolver));
  await app.register(multipart, { throwFileSizeLimit: false });
  fastify.removeContentTypeParser('text/plain');
  parseJsonBodies(fastify);
  readPasswordForms(fastify, `/${API_PREFIX}/auth/login`);
  enableCors(app, settings);
  serveDescription(app, settings);
  await app.init();
}

/** `application/merge-patch+json` (RFC 7396) is read like JSON. An empty body is none: many clients send the type with every request. */
function parseJsonBodies(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  const types = ['application/json', 'application/merge-patch+json'];
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser(types, { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else
      void parse(request, body as string, (error, value) => {
        done(error === null ? null : unreadableJson(body as string), value);
      });
  });
}

function enableCors(app: NestFastifyApplication, settings: SettingsValues): void {
  const { corsOrigins } = settings;
  if (corsOrigins.length === 0) return;
  app.enableCors({
    origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
    methods: [...METHODS],
    strictPreflight: false,
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
