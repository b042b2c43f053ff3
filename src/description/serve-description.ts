import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import type { SettingsValues } from '#libs/config';
import { describeApi } from './openapi.js';
import { PAGE_FILES, START_SCRIPT, startScript, swaggerPage } from './swagger-page.js';

/** Where Swagger UI lives. */
export const DOCS_PATH = '/docs';
/** Where the OpenAPI description lives. */
export const DESCRIPTION_PATH = '/api/v1/openapi.json';

/**
 * Serves `/docs` and `/api/v1/openapi.json`, unless they are disabled; with `isHome`, `/` redirects to `/docs`. The description is built at
 * the first request for it.
 */
export async function serveDescription(
  app: NestFastifyApplication,
  settings: SettingsValues,
  { isHome }: { readonly isHome: boolean },
): Promise<void> {
  if (settings.docs === 'off') return;
  const fastify = app.getHttpAdapter().getInstance();
  if (isHome) fastify.get('/', (_request, reply) => reply.redirect(DOCS_PATH, 302));
  let description: OpenAPIObject | undefined;
  SwaggerModule.setup('docs', app, () => (description ??= describeApi(app)), {
    jsonDocumentUrl: DESCRIPTION_PATH.slice(1),
    raw: ['json'],
    ui: false,
  });
  await servePage(fastify);
}

/** All addresses in the page are relative, because a proxy may serve it below another path. */
async function servePage(fastify: FastifyInstance): Promise<void> {
  const script = startScript(`..${DESCRIPTION_PATH}`);
  fastify.get(DOCS_PATH, (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const [folder, root] = path.endsWith('/') ? ['./', '..'] : [`.${DOCS_PATH}/`, '.'];
    return reply.type('text/html; charset=utf-8').send(swaggerPage(folder, `${root}${DESCRIPTION_PATH}`));
  });
  fastify.get(`${DOCS_PATH}/${START_SCRIPT}`, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  );
  const served = new Set(PAGE_FILES.map((name) => `/${name}`));
  await fastify.register(fastifyStatic, {
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: `${DOCS_PATH}/`,
    allowedPath: (path) => served.has(path),
    decorateReply: false,
    index: false,
  });
}
