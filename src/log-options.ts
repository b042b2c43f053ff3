import type { LoggerOptions } from 'pino';
import type { SettingsValues } from '#libs/config';

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** Errors that caused each other, at most; a chain may lead back to itself. */
const CAUSES = 3;

/** Only these parts of an error: drivers hang connections, statements and their values on theirs. */
function serializeError(error: unknown, causes = CAUSES): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(cause === undefined || causes === 0 ? {} : { cause: serializeError(cause, causes - 1) }),
  };
}

/** How every logger of the process writes. */
export function logOptions(settings: SettingsValues): LoggerOptions {
  return { level: settings.logLevel, serializers: { err: (error: unknown) => serializeError(error) } };
}
