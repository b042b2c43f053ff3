import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DatabaseAccessError } from '#libs/database';
import { reportFailure } from './report-failure.js';

const said: string[] = [];
let exitCode: typeof process.exitCode;

beforeEach(() => {
  exitCode = process.exitCode;
  said.length = 0;
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = exitCode;
});

it.each([
  [{ severity: 'ERROR', code: '42501' }, 'Restore failed: PostgreSQL said: no right (42501).\n'],
  [{ code: 'ECONNREFUSED' }, 'Restore failed: the database cannot be reached (ECONNREFUSED). Look at DATABASE_URL.\n'],
])('what the database refuses at its opening is one line: %j', (facts, line) => {
  reportFailure('Restore', new DatabaseAccessError('owner', Object.assign(new Error('no right'), facts)));
  expect(said).toEqual([line]);
  expect(process.exitCode).toBe(1);
});
