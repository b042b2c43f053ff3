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

/** The login of the service, or that of the owner of the tables, which runs the migrations. */
export type DatabaseLogin = 'service' | 'owner';

/** An error of the server, the network or the driver at start, as cause, with the login that it concerns. */
export class DatabaseAccessError extends Error {
  constructor(
    readonly login: DatabaseLogin,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'DatabaseAccessError';
  }
}

/** Adds the login to an error of `work`; messages for people, and errors that have a login, stay as they are. */
export async function accessAs<T>(login: DatabaseLogin, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseSetupError || error instanceof DatabaseAccessError) throw error;
    throw new DatabaseAccessError(login, error);
  }
}
