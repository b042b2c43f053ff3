import { getSchemaPath } from '@nestjs/swagger';
import { SSE_EVENT_SCHEMA } from '#libs/http';
import { MOST_SAMPLES, PrecheckEventList } from '../dto/precheck.dto.js';

/** The form of sample files, in place of a JSON body. */
export const SAMPLES_FORM = {
  type: 'object',
  required: ['files'],
  properties: {
    files: {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      minItems: 1,
      maxItems: MOST_SAMPLES,
      description: 'Sample files; they are not kept.',
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
