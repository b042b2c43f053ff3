/** Name of the policy's schema in the OpenAPI description. */
export const POLICY_COMPONENT_NAME = 'IngestionPolicy';

/** Reference to the policy's schema. */
export const POLICY_REFERENCE = { $ref: `#/components/schemas/${POLICY_COMPONENT_NAME}` } as const;

/** Header of changes that apply only to one version. */
export const POLICY_IF_MATCH = {
  name: 'If-Match',
  required: false,
  description: 'Entity tag of the policy version to change; 412 if there is a newer version.',
};

/** Answer for a version that has been removed. */
export const CLEANED_UP = { description: 'The version has been removed; the newest 50 are kept.' };

/** Examples of a policy. */
export const POLICY_EXAMPLES = {
  default: { summary: 'All defaults', value: {} },
  small: {
    summary: 'Small chunks by sentences',
    value: { chunking: { strategy: 'sentence', chunk_size: 128, chunk_overlap: 0 } },
  },
  guarded: {
    summary: 'Only some media types, of limited size',
    value: {
      parsing: { types: { 'text/plain': { charset: 'windows-1251' } } },
      governance: { allowed_types: ['application/pdf', 'text/plain'], max_bytes: 10_000_000 },
    },
  },
};

/** Path parameter that is a version's number. */
export const VERSION_PARAMETER = {
  name: 'version',
  description: 'Number of the version; 404 if there is no such version.',
  schema: { type: 'integer', minimum: 1 },
} as const;

/** Body of an import. */
export const POLICY_FILE_FORM = {
  type: 'object',
  required: ['file'] as string[],
  additionalProperties: false,
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      description:
        'The policy as JSON or YAML in UTF-8; the extension of the file name decides the format, or else the content. Maximum size: 8 MiB for the file, 64 KiB for the policy as JSON.',
    },
  },
} as const;

/** Answer of an export. */
export const EXPORTED_FILE = {
  description: 'The policy file.',
  headers: {
    'Content-Disposition': {
      description: 'Name of the file.',
      required: true,
      schema: { type: 'string' as const },
    },
  },
  content: {
    'application/json': { schema: POLICY_REFERENCE },
    'application/yaml': { schema: POLICY_REFERENCE },
  },
};
