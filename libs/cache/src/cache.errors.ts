import { defineErrors } from '#libs/common';

/** Errors of the cache. */
export const cacheErrors = defineErrors('cache', {
  unavailable: {
    status: 503,
    title: 'Cache not available',
    detail: (_facts: object) => 'The cache does not answer at present. Try again later.',
  },
});
