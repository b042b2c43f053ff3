import { describe, expect, it } from 'vitest';
import { ApiClient, type Answer } from '../support/api-client.js';
import { expectProblem } from '../support/problem.js';
import { useService } from '../support/service-process.js';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
}

/** A page of the service, as far as HTTP goes: the browser names its origin and keeps its cookie. */
describe('a session in a cookie', () => {
  const service = useService();
  const own = (): Record<string, string> => ({ Origin: new URL(service.process.url).origin });
  const post = (path: string, body: unknown, headers: Record<string, string>): Promise<Answer<Tokens>> =>
    service.anonymous.send<Tokens>('POST', path, body, headers);
  const login = (headers = own()): Promise<Answer<Tokens>> =>
    post('/auth/login', { ...service.process.admin, session: 'cookie' }, headers);
  const cookieOf = ({ headers }: Answer<unknown>): string => headers.getSetCookie()[0]!.split(';', 1)[0]!;

  it('is begun, renewed and ended without a script seeing its token', async () => {
    const begun = await login();
    expect(begun.status).toBe(200);
    expect(begun.body.refresh_token).toBeUndefined();
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^kb_refresh=kbr_[\w-]+; Path=\/api\/v1\/auth; Max-Age=\d+; HttpOnly; SameSite=Strict$/),
    ]);
    const renewed = await post('/auth/refresh', {}, { ...own(), Cookie: cookieOf(begun) });
    expect(renewed.status).toBe(200);
    const page = new ApiClient(service.process.url, { Authorization: `Bearer ${renewed.body.access_token}` });
    const { items } = await page.get<{ items: { current: boolean; session: string }[] }>('/auth/sessions');
    expect(items.filter(({ current }) => current)).toMatchObject([{ session: 'cookie' }]);
    expect((await post('/auth/logout', {}, { ...own(), Cookie: cookieOf(renewed) })).status).toBe(204);
    const after = await post('/auth/refresh', {}, { ...own(), Cookie: cookieOf(renewed) });
    expectProblem(after, 401, 'accounts.refresh_token_invalid');
  });

  it('is nothing to pages of other origins, nor to other routes', async () => {
    expectProblem(await login({ Origin: 'https://elsewhere.example' }), 403, 'accounts.foreign_page');
    const cookie = cookieOf(await login());
    const foreign = { Origin: 'https://elsewhere.example', Cookie: cookie };
    expectProblem(await post('/auth/refresh', {}, foreign), 403, 'accounts.foreign_page');
    expectProblem(await post('/auth/refresh', { session_optional: true }, foreign), 403, 'accounts.foreign_page');
    expectProblem(await post('/auth/logout', {}, foreign), 403, 'accounts.foreign_page');
    const other = await service.anonymous.send('GET', '/auth/me', undefined, { ...own(), Cookie: cookie });
    expectProblem(other, 401, 'auth.credential_missing');
  });

  it('may be missing: a page that is opened asks for it without a fault', async () => {
    const without = await post('/auth/refresh', { session_optional: true }, own());
    expect(without.status).toBe(204);
    expect(without.headers.getSetCookie()).toEqual([]);
    expect((await post('/auth/refresh', {}, own())).status).toBe(422);
    const ended = { ...own(), Cookie: 'kb_refresh=kbr_ended' };
    expectProblem(
      await post('/auth/refresh', { session_optional: true }, ended),
      401,
      'accounts.refresh_token_invalid',
    );
    const there = { ...own(), Cookie: cookieOf(await login()) };
    expect((await post('/auth/refresh', { session_optional: true }, there)).body.access_token).toBeDefined();
  });

  it('survives an answer that a page never got', async () => {
    const first = { ...own(), Cookie: cookieOf(await login()) };
    await post('/auth/refresh', {}, first);
    const again = await post('/auth/refresh', {}, first);
    expect(again.status).toBe(200);
    expect((await post('/auth/refresh', {}, { ...own(), Cookie: cookieOf(again) })).status).toBe(200);
  });

  it('leaves no token in the log', () => {
    expect(service.process.log.join('\n')).not.toMatch(/kbr_/);
  });
});
