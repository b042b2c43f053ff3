import type { LoggerOptions } from 'pino';
import type { SettingsValues } from '#libs/config';

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
}

/** Only these parts of an error: drivers hang connections, statements and their values on theirs. */
function serializeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  };
}

/** How every logger of the process writes. */
export function logOptions(settings: SettingsValues): LoggerOptions {
  return { level: settings.logLevel, serializers: { err: serializeError } };
}
