import { DEFAULT_MIN_SCORE, ENTITY_TYPES } from '#libs/detectors';
import { DEFAULT_POLICY, DETECTOR_ACTIONS } from './ingestion-policy.entity.js';
import { section } from './policy-section.js';

const { governance } = DEFAULT_POLICY;

const MOST_BYTES = 2 ** 40;
const MEDIA_TYPE = {
  type: 'string',
  pattern: '^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$',
  description: 'A media type in lower case, without parameters.',
} as const;

const DETECTOR = {
  type: 'object',
  description: 'What to do where one kind of sensitive content is found.',
  additionalProperties: false,
  required: ['entity_type', 'action'],
  properties: {
    entity_type: {
      type: 'string',
      enum: [...ENTITY_TYPES],
      description:
        'Kind of content; each once. Numbers of persons are named by country and number: `us_ssn`, `uk_nino`, `de_steuer_id`, `fr_nir`, `es_dni`, `es_nie`, `it_codice_fiscale`, `nl_bsn`, `pl_pesel`, `br_cpf`, `in_aadhaar`.',
    },
    action: {
      type: 'string',
      enum: [...DETECTOR_ACTIONS],
      description:
        'What to do with it, from the mildest on. `allow`: it is recorded. `mask`: hidden wherever the document is kept or shown, but in its original file. `quarantine`: nobody finds the document until somebody releases it. `reject`: its first ingestion fails with REJECTED_BY_POLICY and the file is removed after a day; a later one is quarantined.',
    },
    min_score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: DEFAULT_MIN_SCORE,
      description: 'Findings that are less certain are passed over.',
    },
  },
} as const;

/** What a policy says about what may be ingested. */
export const GOVERNANCE = section('What may be ingested.', {
  detectors: {
    type: 'array',
    maxItems: ENTITY_TYPES.length,
    items: DETECTOR,
    default: [],
    description:
      'What is looked for in text, name, title, metadata and tags before anything of a document is kept, embedded or sent to a model. Empty: nothing. Fewer or weaker ones than before need `governance:write`.',
  },
  allowed_types: {
    type: ['array', 'null'],
    minItems: 1,
    maxItems: 64,
    items: MEDIA_TYPE,
    default: governance.allowed_types,
    description:
      'Media types that may be uploaded, as they are recognised from the content; null: all that can be parsed.',
  },
  max_bytes: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MOST_BYTES,
    default: governance.max_bytes,
    description: "Largest file that may be uploaded, in bytes; null, or more than it: the installation's limit.",
  },
  on_prompt_injection: {
    type: 'string',
    enum: ['allow', 'quarantine', 'reject'],
    default: governance.on_prompt_injection,
    description:
      'What to do with a document that tries to instruct the model: short for a detector `prompt_injection`. The stricter of both counts. `allow`: nothing.',
  },
});
