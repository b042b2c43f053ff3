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

/** Whose login it is: that of the service, or of the owner of the tables, which migrates. */
export type DatabaseLogin = 'service' | 'owner';

/** What the server, the network or the driver said at start, as its cause, and to which of the two logins. */
export class DatabaseAccessError extends Error {
  constructor(
    readonly login: DatabaseLogin,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'DatabaseAccessError';
  }
}

/** Names the login of what fails; messages for people, and what is named already, stay. */
export async function accessAs<T>(login: DatabaseLogin, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseSetupError || error instanceof DatabaseAccessError) throw error;
    throw new DatabaseAccessError(login, error);
  }
}
