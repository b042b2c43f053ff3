import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { listCatalogueEntries } from '#libs/common';
import { INGESTION_POLICY_COMPONENT, POLICY_COMPONENT_NAME } from '../modules/ingestion-policy/index.js';
import { operationIdOf } from '../app/routes-check.js';
import { serviceVersion } from '../app/service-version.js';
import { addCommonParts } from './openapi-common-parts.js';
import { nameEnumValues } from './openapi-enum-names.js';
import { PASSWORD_SCHEME } from './openapi-operation.js';
import { moveDefaults } from './openapi-defaults.js';
import { toOpenApi31 } from './openapi-nullable.js';

const LOGIN_PATH = '/api/v1/auth/login';

const ABOUT = `Multi-tenant knowledge-base service with retrieval-augmented question answering.

**First steps**: press *Authorize* and enter an e-mail address and password (or an access token, or an API key), create a dataset, copy
its id, upload a document, copy its id, poll its status until \`completed\`, search, ask.

**Credentials**: \`Authorization: Bearer <access token>\`, or \`X-API-Key: <key>\` (a bearer token that begins with \`kb_\` is an API key too).
\`X-Tenant-ID\` selects one of the caller's tenants and is not a credential of its own.

**Errors** are RFC 9457 problems (\`application/problem+json\`) with a stable \`code\`; \`GET /api/v1/errors\` lists them. The field
\`error\` says the same in OpenAI's shape.

**Text** is well-formed Unicode without U+0000; anything else is 422.

**Offsets** are UTF-16 code units of a document's canonical text.`;

/** The OpenAPI 3.1 description of the built application. */
export function describeApi(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Knowledge-base service')
    .setDescription(ABOUT)
    .setVersion(serviceVersion())
    .addServer('/', 'This service')
    .addOAuth2(
      {
        type: 'oauth2',
        description: 'Log in: `username` is the e-mail address.',
        flows: { password: { tokenUrl: LOGIN_PATH, scopes: {} } },
      },
      PASSWORD_SCHEME,
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token, or an API key.' },
      'jwt',
    )
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' }, 'api_key')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: operationIdOf,
  });
  // A policy is described by the schema that it is validated with, not by a class.
  const schemas = (document.components ??= {}).schemas ?? {};
  document.components.schemas = {
    ...schemas,
    [POLICY_COMPONENT_NAME]: structuredClone(INGESTION_POLICY_COMPONENT) as never,
  };
  addCommonParts(document, listCatalogueEntries());
  return nameEnumValues(moveDefaults(toOpenApi31(document)));
}
