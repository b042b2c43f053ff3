import { expect } from 'vitest';
import type { Answer, Problem } from './api-client.js';

/** Checks that an answer is a complete problem body with this status and code, and gives the body. */
export function expectProblem(answer: Answer<unknown>, status: number, code: string | RegExp): Problem {
  const shown = JSON.stringify(answer.body);
  expect(answer.status, shown).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  const problem = answer.body as Problem;
  expect(problem, shown).toMatchObject({
    type: expect.stringMatching(/\S/),
    title: expect.stringMatching(/\S/),
    status,
    detail: expect.stringMatching(/\S/),
    instance: expect.stringMatching(/^\//),
    code: typeof code === 'string' ? code : expect.stringMatching(code),
  });
  expect(problem.error, shown).toEqual({
    message: problem.detail,
    type: expect.stringMatching(/_error$/),
    param: problem.errors?.[0]?.pointer ? expect.stringMatching(/\S/) : null,
    code: problem.code,
  });
  expect(problem.request_id).toBe(answer.headers.get('x-request-id'));
  expect(problem.request_id).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  return problem;
}

/** Checks for 422 and that exactly these JSON pointers are named. */
export function expectInvalid(answer: Answer<unknown>, pointers: readonly string[]): Problem {
  const problem = expectProblem(answer, 422, 'http.validation_failed');
  expect(problem.errors?.map(({ pointer }) => pointer).toSorted(), JSON.stringify(problem)).toEqual(
    pointers.toSorted(),
  );
  for (const error of problem.errors ?? [])
    expect(error).toMatchObject({ code: expect.any(String), detail: expect.stringMatching(/\S/) });
  return problem;
}
