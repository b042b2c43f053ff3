import type { FailureCode } from './protocol.js';
import { StatementFailed } from './statement-failed.js';
import type { StatementInterrupt } from './statement-interrupt.js';

/** What the engine tells of an error (`errors_as_json`). */
interface EngineError {
  exception_type?: string;
  exception_message?: string;
  position?: string;
}

const MEMORY = /out of memory|bad_alloc|failed to allocate|could not allocate|allocation failure/i;
/** The statement itself is wrong; everything else is a matter of the values that it met. */
const INVALID_TYPES: ReadonlySet<string> = new Set([
  'Binder',
  'Catalog',
  'Parser',
  'Not implemented',
  'Syntax',
  'Permission',
]);
const MAX_DETAIL = 1000;

/** The failure of a statement, with the message of the engine but without its excerpts of the statement. */
export function failureOf(
  error: unknown,
  stop: StatementInterrupt,
): { code: FailureCode; detail: string; at?: number } {
  if (error instanceof StatementFailed) return { code: error.code, detail: error.message };
  const message = error instanceof Error ? error.message : String(error);
  const told = engineErrorOf(message);
  const type = told.exception_type ?? '';
  const text = (told.exception_message ?? message).trim();
  if (stop.reason !== undefined && /interrupt/i.test(`${type} ${text}`)) return { code: stop.reason, detail: '' };
  if (type === 'Out of Memory' || MEMORY.test(text)) return { code: 'memory', detail: '' };
  const position = Number(told.position ?? Number.NaN);
  return {
    code: INVALID_TYPES.has(type) ? 'invalid' : 'failed',
    detail: oneLine(text).slice(0, MAX_DETAIL),
    ...(Number.isSafeInteger(position) && position >= 0 ? { at: position } : {}),
  };
}

function engineErrorOf(message: string): EngineError {
  const start = message.indexOf('{"exception_type"');
  if (start < 0) return { exception_message: message };
  try {
    return JSON.parse(message.slice(start)) as EngineError;
  } catch {
    return { exception_message: message };
  }
}

function oneLine(text: string): string {
  return text
    .replace(/\n\s*LINE \d+:[\s\S]*$/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
