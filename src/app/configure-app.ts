import { maxHeaderSize } from 'node:http';
import multipart from '@fastify/multipart';
import { NotFoundException, RequestMethod } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { SettingsValues } from '#libs/config';
import { Metrics } from '#libs/metrics';
import {
  answerClientError,
  answerNotModified,
  answerRouterError,
  answerUnusualRequests,
  boundAnonymousConnections,
  Drain,
  forbidCaching,
  readJsonBodies,
  drainBodyAfterAnswer,
  refuseBrokenQueries,
  refuseMissingHost,
  refuseOtherMethods,
  refuseUnreadBodies,
  requestIdOf,
  setSecurityHeaders,
} from '#libs/http';
import { CredentialResolver, resolveCredentials } from '#libs/tenancy';
import { DESCRIPTION_PATH, DOCS_PATH, serveDescription } from '../description/serve-description.js';
import { CONSOLE_PATH, serveConsole } from '../console/serve-console.js';
import { readCsvCaseSets } from './read-csv-case-sets.js';
import { readPasswordForms } from './read-password-forms.js';
import { refuseUnsoundRoutes } from './routes-check.js';
import { logRequests } from './request-log.js';
import { serveMetrics } from './serve-metrics.js';

export const API_PREFIX = 'api/v1';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The HTTP server as every process and every test uses it. */
export function makeAdapter(settings: SettingsValues): FastifyAdapter {
  const { trustProxy } = settings;
  return new FastifyAdapter({
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    trustProxy: trustProxy.includes('true') ? true : trustProxy.length === 0 ? false : [...trustProxy],
    bodyLimit: settings.maxJsonBytes,
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
  refuseUnsoundRoutes(app);
  const fastify = app.getHttpAdapter().getInstance();
  app.setGlobalPrefix(API_PREFIX, { exclude: [{ path: 'docs', method: RequestMethod.GET }] });
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('X-Request-ID', String(request.id));
  });
  logRequests(fastify, settings);
  await setSecurityHeaders(fastify, DOCS_PATH);
  answerUnusualRequests(fastify.server);
  app.get(Drain).watch(fastify);
  refuseMissingHost(fastify);
  refuseOtherMethods(fastify);
  refuseBrokenQueries(fastify, `/${API_PREFIX}/`);
  refuseUnreadBodies(fastify);
  answerNotModified(fastify);
  forbidCaching(fastify, [DOCS_PATH, DESCRIPTION_PATH, CONSOLE_PATH]);
  serveMetrics(fastify, `/${API_PREFIX}/metrics`, settings, app.get(Metrics));
  resolveCredentials(fastify, app.get(CredentialResolver));
  boundAnonymousConnections(fastify, settings.maxAnonymousConnections, settings.trustProxy);
  const isConsoleServed = await serveConsole(fastify, settings);
  await app.register(multipart, { throwFileSizeLimit: false });
  readBodies(fastify, settings);
  readPasswordForms(fastify, `/${API_PREFIX}/auth/login`, settings.jsonBodyTimeoutSeconds);
  readCsvCaseSets(fastify, `/${API_PREFIX}/evaluations/case-sets`, settings.jsonBodyTimeoutSeconds);
  enableCors(app, settings);
  await serveDescription(app, settings, { isHome: !isConsoleServed });
  await app.init();
}

/** Bodies are read within their bounds, and only where there is a route. */
function readBodies(fastify: FastifyInstance, settings: SettingsValues): void {
  fastify.addHook('onRequest', async (request) => {
    if (request.is404) throw new NotFoundException();
  });
  const sizes = { json: settings.maxJsonBytes, smallUnder: `/${API_PREFIX}/auth/` };
  drainBodyAfterAnswer(fastify, sizes);
  readJsonBodies(fastify, {
    ...sizes,
    values: settings.maxJsonValues,
    seconds: settings.jsonBodyTimeoutSeconds,
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
      'If-None-Match',
      'Last-Event-ID',
      'Range',
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
      'Content-Disposition',
      'Content-Range',
    ],
    maxAge: 600,
  });
}
