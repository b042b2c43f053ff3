import { stdTimeFunctions, type LoggerOptions } from 'pino';
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
/** Levels of nested facts, at most. */
const DEPTH = 4;
/** Written by the logger itself. */
const RESERVED: readonly string[] = ['level', 'time', 'pid', 'hostname'];
/** The password of a URL. */
const URL_PASSWORD = /(\/\/[^\s/:@]*:)[^\s/@]+@/g;

/** Only these parts of an error: drivers hang clients, connections, statements and their values on theirs. */
export function serializeError(error: unknown, causes = CAUSES): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: hidePasswords(String(error)) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: hidePasswords(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: hidePasswords(error.stack) }),
    ...(cause === undefined || causes === 0 ? {} : { cause: serializeError(cause, causes - 1) }),
  };
}

function hidePasswords(text: string): string {
  return text.replace(URL_PASSWORD, '$1***@');
}

/** Facts as they may be written: values, lists and plain objects of them; of any other object only what it is. */
export function plainFacts(value: unknown, depth = DEPTH): unknown {
  if (typeof value === 'string') return hidePasswords(value);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (value instanceof Error) return serializeError(value);
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as object);
  if (!isPlain || depth === 0) return `[${value.constructor?.name ?? 'Object'}]`;
  if (Array.isArray(value)) return value.map((item) => plainFacts(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainFacts(item, depth - 1)]));
}

/** How every logger of the process writes: JSON lines, times as RFC 3339, levels as words. */
export function logOptions(settings: Pick<SettingsValues, 'logLevel'>): LoggerOptions {
  return {
    level: settings.logLevel,
    timestamp: stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (facts) => withoutReserved(plainFacts(facts) as Record<string, unknown>),
    },
    // `log` has made plain what is an Error; what is thrown beside errors comes here.
    serializers: { err: (error: unknown) => (isSerialized(error) ? error : serializeError(error)) },
  };
}

/** What every line says of itself is in it once: a fact of the same name gets another one. */
function withoutReserved(facts: Record<string, unknown>): Record<string, unknown> {
  if (!RESERVED.some((name) => name in facts)) return facts;
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [RESERVED.includes(name) ? `${name}_told` : name, value]),
  );
}

function isSerialized(error: unknown): boolean {
  return typeof error === 'object' && error !== null && !(error instanceof Error) && 'type' in error;
}
