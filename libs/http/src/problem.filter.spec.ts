import type { ArgumentsHost } from '@nestjs/common';
import type { PinoLogger } from 'nestjs-pino';
import { describe, expect, it } from 'vitest';
import { cacheErrors } from '#libs/cache';
import { ProblemFilter } from './problem.filter.js';

/** What is logged, and the status, when a route throws while its caller has left or still waits. */
function outcomeOf(thrown: unknown, hasLeft: boolean): { readonly logged: readonly string[]; readonly status: number } {
  const logged: string[] = [];
  const note =
    (level: string) =>
    (_facts: object, event: string): void =>
      void logged.push(`${level} ${event}`);
  const logger = { error: note('error'), debug: note('debug') } as unknown as PinoLogger;
  let status = 0;
  const reply = {
    raw: { destroyed: hasLeft, writableFinished: false, headersSent: false, destroy: () => undefined },
    sent: false,
    status: (code: number) => {
      status = code;
      return reply;
    },
    header: () => reply,
    send: () => reply,
  };
  const request = { id: 'request-1', url: '/api/v1/retrieval/search', headers: {} };
  const http = { getRequest: () => request, getResponse: () => reply };
  new ProblemFilter(logger).catch(thrown, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return { logged, status };
}

const left = new DOMException('This operation was aborted', 'AbortError');

describe('an error of a route whose caller has left', () => {
  it('is none when the work was told to stop', () => {
    const wrapped = new Error('the search ended', { cause: left });
    for (const thrown of [left, wrapped, cacheErrors.unavailable({})]) {
      expect(outcomeOf(thrown, true)).toEqual({ logged: ['debug request.abandoned'], status: 499 });
    }
  });

  it('stays one when the service is to blame, or when the caller waits', () => {
    expect(outcomeOf(new TypeError('x is undefined'), true).logged).toEqual(['error request.failed']);
    expect(outcomeOf(left, false)).toEqual({ logged: ['error request.failed'], status: 500 });
  });
});
