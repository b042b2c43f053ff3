import { defineErrors } from '#libs/common';

/** Seconds after which a search that took too long may be tried again. */
const RETRY_AFTER_SECONDS = 5;

const catalogue = defineErrors('retrieval', {
  timeout: {
    status: 503,
    title: 'Search took too long',
    detail: (f: { seconds: number }) =>
      `The search was stopped after ${f.seconds} seconds. Try again later, or search with a smaller candidate_k or fewer datasets.`,
  },
  option_not_available: {
    status: 422,
    title: 'Search option not available',
    detail: (f: { option: string; reason: string }) => `${f.option} cannot be used: ${f.reason}`,
  },
  request_not_found: {
    status: 404,
    title: 'Request not found',
    detail: (f: { id: string }) =>
      `You made no search, chat or explain request with the id ${f.id} in the last 30 days. An account finds only requests that it made itself, an API key only its own.`,
  },
  not_replayable: {
    status: 409,
    title: 'Request cannot be replayed',
    detail: (f: { reason: string }) =>
      `The request cannot be repeated as it was: ${f.reason} Send a new request with options that are available.`,
  },
});

/** The errors of retrieval. */
export const retrievalErrors = {
  ...catalogue,
  /** 503 with `Retry-After`. */
  timeout: (seconds: number, cause?: unknown) =>
    catalogue.timeout({ seconds }, { retryAfter: RETRY_AFTER_SECONDS, cause }),
};
