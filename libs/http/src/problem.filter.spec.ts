import type { ArgumentsHost } from '@nestjs/common';
import type { PinoLogger } from 'nestjs-pino';
import { describe, expect, it } from 'vitest';
import { cacheErrors } from '#libs/cache';
import { ProblemFilter } from './problem.filter.js';

/** What is logged, and the status, when a route throws while its caller has left or still waits. */
function outcomeOf(thrown: unknown, hasLeft: boolean): { readonly logged: readonly string[]; readonly status: number } {
  const { logged, status } = answerTo(thrown, hasLeft);
  return { logged, status };
}

/** The lines of one filter that sees all of these errors. */
function linesOf(thrown: readonly unknown[]): readonly unknown[] {
  const lines: unknown[] = [];
  const note = (facts: object, event: string): void => void lines.push({ ...facts, event });
  const filter = new ProblemFilter({ error: note } as unknown as PinoLogger);
  for (const one of thrown) answerTo(one, false, filter);
  return lines;
}

function answerTo(
  thrown: unknown,
  hasLeft: boolean,
  filter?: ProblemFilter,
): { readonly logged: string[]; readonly status: number; readonly retryAfter: string | undefined } {
  const logged: string[] = [];
  const note =
    (level: string) =>
    (_facts: object, event: string): void =>
      void logged.push(`${level} ${event}`);
  const logger = { error: note('error'), debug: note('debug') } as unknown as PinoLogger;
  let status = 0;
  let retryAfter: string | undefined;
  const reply = {
    raw: { destroyed: hasLeft, writableFinished: false, headersSent: false, destroy: () => undefined },
    sent: false,
    status: (code: number) => {
      status = code;
      return reply;
    },
    header: (name: string, value: string) => {
      if (name === 'Retry-After') retryAfter = value;
      return reply;
    },
    send: () => reply,
  };
  const request = { id: 'request-1', url: '/api/v1/retrieval/search', headers: {} };
  const http = { getRequest: () => request, getResponse: () => reply };
  const asked = filter ?? new ProblemFilter(logger);
  const answer = asked.catch.bind(asked);
  answer(thrown, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return { logged, status, retryAfter };
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

it('tells of an outage once for all requests that meet it, and of each fault of its own', () => {
  const away = cacheErrors.unavailable({});
  expect(linesOf([away, away, away])).toEqual([expect.objectContaining({ code: 'cache.unavailable', omitted: 0 })]);
  const broken = new Error('Connection terminated unexpectedly');
  expect(linesOf([away, broken, away, broken])).toHaveLength(2);
  const fault = new TypeError('x is undefined');
  expect(linesOf([fault, fault, fault])).toHaveLength(3);
});

it('says with every 503 when to come back', () => {
  expect(answerTo(cacheErrors.unavailable({}), false)).toMatchObject({ status: 503, retryAfter: '60' });
  expect(answerTo(cacheErrors.unavailable({}, { retryAfter: 4.2 }), false).retryAfter).toBe('5');
  expect(answerTo(new TypeError('x is undefined'), false).retryAfter).toBeUndefined();
});

describe('an error of the database', () => {
  const withCode = (code: string): Error => Object.assign(new Error('refused'), { code });

  it.each([
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    ['a connection that is being closed', new Error('Client was closed and is not queryable')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a statement that takes too long', new Error('Query read timeout')],
    ['a server that stops', withCode('57P01')],
    ['a server with all its connections taken', withCode('53300')],
    ['a statement that was cancelled', withCode('57014')],
    ['a deadlock', withCode('40P01')],
    ['a lock that was not free', withCode('55P03')],
  ])('is 503 for %s', (_what, thrown) => {
    expect(outcomeOf(thrown, false)).toEqual({ logged: ['error request.failed'], status: 503 });
  });

  it('is 500 for a statement that is wrong', () => {
    expect(outcomeOf(withCode('42P01'), false).status).toBe(500);
  });
});
