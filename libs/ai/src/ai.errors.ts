import { defineErrors } from '#libs/common';

/** Errors of the models. */
export const aiErrors = defineErrors('ai', {
  provider_not_available: {
    status: 503,
    title: 'Model provider not available',
    detail: (facts: { settings: readonly string[]; available: readonly string[] }) =>
      `Not yet available in this version: ${facts.settings.join(', ')}. Use ${facts.available.join(' or ')}.`,
  },
  provider_unavailable: {
    status: 503,
    title: 'Model does not answer',
    detail: (facts: { provider: string; model: string }) =>
      `The model ${facts.model} of ${facts.provider} does not answer at the moment. Try again later.`,
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
    title: 'Number of dimensions unknown',
    detail: (facts: { provider: string; model: string; words: string }) =>
      `The embedding model ${facts.model} of ${facts.provider} gave no usable answer from which to learn the number of its dimensions` +
      `${facts.words === '' ? '' : ` (${facts.words})`}. Set EMBEDDING_DIMENSIONS to that number, so that the service starts without calling the model, ` +
      'or make sure that the provider answers.',
  },
  same_embedding_space: {
    status: 503,
    title: 'Two embedding models with one embedding space',
    detail: (facts: { first: string; second: string }) =>
      `The embedding models ${facts.first} and ${facts.second} have the same provider, name and dimensions, so that their vectors ` +
      'could not be told apart. Remove one of them from MODELS_FILE, or give it other dimensions.',
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
      `${facts.setting === undefined ? '' : `${facts.setting}: `}The files at ${facts.path} are not a usable model: ${facts.problems.join('; ')}.`,
  },
  builtin_meaning_unusable: {
    status: 503,
    title: 'Built-in embedding model unusable',
    detail: (facts: { reason: string }) =>
      `The built-in embedding model meaning-v1 cannot be used: ${facts.reason}. "npm ci" installs what it needs; EMBEDDING_MODEL=hashing-v1 needs none of it.`,
  },
  batch_too_large: {
    status: 422,
    title: 'Batch too large',
    detail: (facts: { given: number; max: number }) =>
      `${facts.given} texts were sent to the model at once; at most ${facts.max} are possible.`,
  },
});
