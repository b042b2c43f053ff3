import { defineErrors } from '#libs/common';

/** Errors of the models. */
export const aiErrors = defineErrors('ai', {
  provider_not_available: {
    status: 503,
    title: 'Model provider not available',
    detail: (facts: { settings: readonly string[]; available: readonly string[] }) =>
      `Not available in this version yet: ${facts.settings.join(', ')}. Use ${facts.available.join(' or ')}.`,
  },
  provider_unavailable: {
    status: 503,
    title: 'Model does not answer',
    detail: (facts: { provider: string; model: string }) =>
      `The model ${facts.model} of ${facts.provider} does not answer at present. Try again later.`,
  },
  provider_rejected: {
    status: 503,
    title: 'Model refuses the request',
    detail: (facts: { provider: string; model: string; words: string }) =>
      `The model ${facts.model} of ${facts.provider} refuses the request` +
      `${facts.words === '' ? '' : ` ("${facts.words}")`}. Trying again will not help: settings or input must change.`,
  },
  embedding_dimensions_unknown: {
    status: 503,
    title: 'Length of vectors unknown',
    detail: (facts: { provider: string; model: string; words: string }) =>
      `The embedding model ${facts.model} of ${facts.provider} was asked for the length of its vectors and gave no usable answer` +
      `${facts.words === '' ? '' : ` (${facts.words})`}. Set EMBEDDING_DIMENSIONS to that length, and the service starts without asking, ` +
      'or see to it that the provider answers.',
  },
  same_embedding_space: {
    status: 503,
    title: 'Two embedding models make the same vectors',
    detail: (facts: { first: string; second: string }) =>
      `The embedding models ${facts.first} and ${facts.second} have the same provider, name and length of vectors, so that their vectors ` +
      'could not be told apart. Take one of them out of MODELS_FILE, or give it other dimensions.',
  },
  local_runtime_missing: {
    status: 503,
    title: 'Runtime of local models missing',
    detail: (facts: { package: string; reason: string }) =>
      `A local model needs the optional package ${facts.package}, which cannot be loaded (${facts.reason}). ` +
      `Install it with "ONNXRUNTIME_NODE_INSTALL=skip npm install ${facts.package}" (without "skip" it fetches files for graphics cards) ` +
      'on a platform that it supports, or choose another provider.',
  },
  local_model_unusable: {
    status: 503,
    title: 'Local model unusable',
    detail: (facts: { path: string; problems: readonly string[]; setting?: string }) =>
      `${facts.setting === undefined ? '' : `${facts.setting}: `}What lies at ${facts.path} is no model that can be used: ${facts.problems.join('; ')}.`,
  },
  builtin_meaning_unusable: {
    status: 503,
    title: 'Built-in model of meaning unusable',
    detail: (facts: { reason: string }) =>
      `The built-in embedding model meaning-v1 cannot be used: ${facts.reason}. "npm ci" brings what it needs; EMBEDDING_MODEL=hashing-v1 does without.`,
  },
  batch_too_large: {
    status: 422,
    title: 'Batch too large',
    detail: (facts: { given: number; max: number }) =>
      `${facts.given} texts were given to the model at once; at most ${facts.max} are possible.`,
  },
});
