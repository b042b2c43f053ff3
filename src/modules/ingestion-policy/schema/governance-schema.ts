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
  description: 'Action for one kind of sensitive content.',
  additionalProperties: false,
  required: ['entity_type', 'action'],
  properties: {
    entity_type: {
      type: 'string',
      enum: [...ENTITY_TYPES],
      description:
        'Kind of content; each kind at most once. Identity numbers of persons are named by country and number: `us_ssn`, `uk_nino`, `de_steuer_id`, `fr_nir`, `es_dni`, `es_nie`, `it_codice_fiscale`, `nl_bsn`, `pl_pesel`, `br_cpf`, `in_aadhaar`.',
    },
    action: {
      type: 'string',
      enum: [...DETECTOR_ACTIONS],
      description:
        'Action when the content is found, mildest first. `allow`: the finding is recorded. `mask`: the content is hidden wherever the document is kept or shown, except in its original. `quarantine`: the document is not found until it is released. `reject`: the first ingestion of the document fails with REJECTED_BY_POLICY, and the original is removed after a day; a later ingestion quarantines the document.',
    },
    min_score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: DEFAULT_MIN_SCORE,
      description: 'Minimum certainty of a finding, 0 to 1; findings with less are ignored.',
    },
  },
} as const;

/** Schema of the section `governance`. */
export const GOVERNANCE = section('Rules for what may be ingested.', {
  detectors: {
    type: 'array',
    maxItems: ENTITY_TYPES.length,
    items: DETECTOR,
    default: [],
    description:
      'Kinds of sensitive content that detectors search for in text, name, title, metadata and tags before anything of a document is stored, embedded or sent to a model. Empty: none. Removing or weakening a detector needs `governance:write`.',
  },
  allowed_types: {
    type: ['array', 'null'],
    minItems: 1,
    maxItems: 64,
    items: MEDIA_TYPE,
    default: governance.allowed_types,
    description: 'Media types that may be uploaded, as detected from the content; null: all types that can be parsed.',
  },
  max_bytes: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MOST_BYTES,
    default: governance.max_bytes,
    description:
      "Maximum size of an uploaded file in bytes. null, or a value above the installation's limit: that limit.",
  },
  on_prompt_injection: {
    type: 'string',
    enum: ['allow', 'quarantine', 'reject'],
    default: governance.on_prompt_injection,
    description:
      'Action for a document that tries to instruct the model; the same as a detector for `prompt_injection`. If both are given, the stricter applies. `allow`: no action.',
  },
});
