import { defineErrors } from '#libs/common';

/** Seconds after which a search that took too long may be tried again. */
const RETRY_AFTER_SECONDS = 5;

const catalogue = defineErrors('retrieval', {
  timeout: {
    status: 503,
    title: 'Search took too long',
    detail: (f: { seconds: number }) =>
      `The search was given up after ${f.seconds} seconds. Try again later, or ask with a smaller candidate_k or fewer datasets.`,
  },
  option_not_available: {
    status: 422,
    title: 'Search option not available',
    detail: (f: { option: string; reason: string }) => `${f.option} cannot be used: ${f.reason}`,
  },
});

/** The errors of retrieval. */
export const retrievalErrors = {
  ...catalogue,
  /** 503 with `Retry-After`. */
  timeout: (seconds: number, cause?: unknown) =>
    catalogue.timeout({ seconds }, { retryAfter: RETRY_AFTER_SECONDS, cause }),
};
