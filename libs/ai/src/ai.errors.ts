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
  batch_too_large: {
    status: 422,
    title: 'Batch too large',
    detail: (facts: { given: number; max: number }) =>
      `${facts.given} texts were given to the model at once; at most ${facts.max} are possible.`,
  },
});
