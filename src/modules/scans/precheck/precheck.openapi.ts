import { getSchemaPath } from '@nestjs/swagger';
import { SSE_EVENT_SCHEMA } from '#libs/http';
import { MOST_DOCUMENTS, MOST_SAMPLES, PrecheckEventList } from './precheck.dto.js';

/** The two forms of the body in one schema, because client generators support only one schema per request. */
export const PRECHECK_BODY = {
  required: false,
  schema: {
    type: 'object',
    properties: {
      document_ids: {
        type: 'array',
        items: { type: 'string', format: 'uuid' },
        minItems: 1,
        maxItems: MOST_DOCUMENTS,
        description:
          'JSON only: identifiers of documents of the dataset; if left out, the documents that wait for their ingestion.',
      },
      files: {
        type: 'array',
        items: { type: 'string', format: 'binary' },
        minItems: 1,
        maxItems: MOST_SAMPLES,
        description: 'Form only: sample files; they are not kept.',
      },
    },
  },
};

/** Events as a stream, or as a list. */
export const PRECHECK_EVENTS = {
  description: 'Events.',
  content: {
    'text/event-stream': { schema: SSE_EVENT_SCHEMA },
    'application/json': { schema: { $ref: getSchemaPath(PrecheckEventList) } },
  },
};
