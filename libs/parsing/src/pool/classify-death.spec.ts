import { describe, expect, it } from 'vitest';
import { classifyDeath } from './classify-death.js';

const death = { exitCode: null, signal: null, stderr: '' };

describe('classifyDeath', () => {
  it.each([
    [{ ...death, signal: 'SIGXCPU' as const }, 'PARSER_TIMEOUT'],
    [{ ...death, exitCode: 128 + 24 }, 'PARSER_TIMEOUT'],
    [{ ...death, exitCode: 128 + 6, stderr: 'FATAL ERROR: JavaScript heap out of memory' }, 'PARSER_MEMORY'],
    [{ ...death, exitCode: 128 + 11 }, 'PARSER_CRASHED'],
    [{ ...death, exitCode: 1 }, 'PARSER_CRASHED'],
  ])('tells the death %j, also by the status of the shell of a sandbox', (how, code) => {
    expect(classifyDeath(how).code).toBe(code);
  });

  it('names the signal', () => {
    expect(classifyDeath({ ...death, exitCode: 128 + 11 }).detail).toContain('signal SIGSEGV');
  });
});
