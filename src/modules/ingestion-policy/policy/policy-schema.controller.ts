import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permit } from '#libs/tenancy';
import { INGESTION_POLICY_SCHEMA } from '../schema/policy-schema.js';

const MEDIA_TYPE = 'application/schema+json';

@ApiTags('Ingestion policy')
@Controller('schemas')
export class PolicySchemaController {
  /**
   * Read the schema of ingestion policies.
   * @remarks JSON Schema, draft 2020-12. Rules that a schema cannot express are in the descriptions of the fields.
   */
  @Get('ingestion-policy')
  @Permit(null)
  @Header('Content-Type', MEDIA_TYPE)
  @ApiOperation({ operationId: 'getIngestionPolicySchema' })
  @ApiOkResponse({
    description: 'The schema.',
    content: { [MEDIA_TYPE]: { schema: { type: 'object', additionalProperties: true } } },
  })
  read(): object {
    return INGESTION_POLICY_SCHEMA;
  }
}
