import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { SettingsValues } from '#libs/config';
import { describeApi } from './openapi.js';
import { drawTagByTag } from './swagger-page.js';

/** Where Swagger UI lives. */
export const DOCS_PATH = '/docs';
/** Where the OpenAPI description lives. */
export const DESCRIPTION_PATH = '/api/v1/openapi.json';

/** `/docs` and `/api/v1/openapi.json`, unless they are switched off; `/` leads there. The description is made at the first request for it. */
export function serveDescription(app: NestFastifyApplication, settings: SettingsValues): void {
  if (settings.docs === 'off') return;
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get('/', (_request, reply) => reply.redirect(DOCS_PATH, 302));
  let description: OpenAPIObject | undefined;
  SwaggerModule.setup('docs', app, () => (description ??= describeApi(app)), {
    jsonDocumentUrl: DESCRIPTION_PATH.slice(1),
    raw: ['json'],
    customSiteTitle: 'Knowledge-base service',
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      filter: true,
      plugins: [drawTagByTag],
    },
  });
}
