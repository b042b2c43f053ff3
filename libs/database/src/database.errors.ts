import { defineErrors } from '#libs/common';

export const databaseErrors = defineErrors('database', {
  unavailable: {
    status: 503,
    title: 'Database unavailable',
    detail: () => 'The database cannot be reached at the moment. Try again after the time in Retry-After.',
  },
});

/** Thrown at start when the database cannot be used as it is; the message says what to change. */
export class DatabaseSetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseSetupError';
  }
}
