import type { Logger } from 'pino';
import { plainFacts } from './log-options.js';

const CONSOLE_LEVELS = {
  error: 'warn',
  warn: 'warn',
  log: 'info',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
} as const;

/**
 * Makes log lines of what would be written past the log from now on: what libraries tell the console, warnings of the runtime, and
 * an error that no one has caught, which ends the process. No object of a library is written, only what it is.
 */
export function writeLogLinesOnly(logger: Logger): void {
  redirectConsole(logger, console);
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, 'process.warning'));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'process.crashed');
    process.exit(1);
  });
}

/** Makes a line of what is told to `target`. */
export function redirectConsole(logger: Logger, target: Pick<Console, keyof typeof CONSOLE_LEVELS>): void {
  for (const [method, level] of Object.entries(CONSOLE_LEVELS)) {
    target[method as keyof typeof CONSOLE_LEVELS] = (...told: unknown[]) =>
      logger[level]({ told: told.map((part) => plainFacts(part)) }, 'library.told');
  }
}
