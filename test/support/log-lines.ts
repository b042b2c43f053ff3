import { expect } from 'vitest';
import type { ServiceProcess } from './service-process.js';

/** A line of the log. */
export interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly [fact: string]: unknown;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
/** What a line says of itself. */
const ONCE = ['time', 'pid', 'hostname', 'msg'];
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What the service wrote after its first `from` lines: each must be an object of JSON with a level in words and a time. */
export function logLinesOf(service: ServiceProcess, from: number): LogLine[] {
  return service.log.slice(from).map((text) => {
    const line = parseLine(text);
    expect(LEVELS, text).toContain(line.level);
    expect(line.time, text).toMatch(RFC_3339);
    for (const name of ONCE) expect(text.split(`,"${name}":`).length, text).toBeLessThanOrEqual(2);
    return line;
  });
}

function parseLine(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch (cause) {
    throw new Error(`This line of the log is no JSON: ${text}`, { cause });
  }
}
