import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountsBootstrap } from './accounts-bootstrap.js';
import { AccountsRecovery } from './accounts-recovery.js';
import { FAILED_LOGIN_LIMIT } from './login-throttle.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer } from './testing/accounts-app.js';

let service: AccountsApp;

const login = (body: { email: string; password: string } = ADMIN): Promise<Answer> =>
  service.call('POST', '/auth/login', { body });
const refresh = (token: string): Promise<Answer> =>
  service.call('POST', '/auth/refresh', { body: { refresh_token: token } });
const me = (token: string): Promise<Answer> => service.call('GET', '/auth/me', { token });

beforeAll(async () => {
  service = await startAccountsApp();
  await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
});
afterAll(() => service.close());

describe('login', () => {
  it('gives a pair of tokens for the right password, however the address is written', async () => {
    const answer = await login({ email: '  aDMIN@example.com ', password: ADMIN.password });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type']);
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await me(answer.body.access_token)).body.account.email).toBe(ADMIN.email);
  });

  it('answers an unknown address exactly as a wrong password', async () => {
    const unknown = await login({ email: 'nobody@example.com', password: ADMIN.password });
    const wrong = await login({ email: ADMIN.email, password: 'wrong password' });
    expect(unknown.status).toBe(401);
    expect(unknown.body.code).toBe('accounts.login_failed');
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
  });

  it('keeps no refresh token and no password readable', async () => {
    const { body } = await login();
    const kept = await service.test.unitOfWork.runAsSystem(async (manager) =>
      JSON.stringify([
        await manager.query('SELECT * FROM refresh_tokens'),
        await manager.query('SELECT * FROM refresh_families'),
        await manager.query('SELECT * FROM accounts'),
      ]),
    );
    expect(body.refresh_token).toMatch(/^kbr_[A-Za-z0-9_-]{43}$/);
    expect(kept).not.toContain(body.refresh_token);
    expect(kept).not.toContain(body.refresh_token.slice(4));
    expect(kept).not.toContain(ADMIN.password);
  });

  it.each([[{}], [{ email: 'a@example.com' }], [{ email: 1, password: 'x' }], [{ ...ADMIN, extra: true }]])(
    'answers 422 for %j',
    async (body) => {
      expect((await service.call('POST', '/auth/login', { body })).status).toBe(422);
    },
  );
});

describe('refresh', () => {
  it('gives new tokens, and the old refresh token ends the whole session when it comes again', async () => {
    const first = (await login()).body;
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect((await me(second.body.access_token)).status).toBe(200);
    const reused = await refresh(first.refresh_token);
    expect(reused).toMatchObject({ status: 401, body: { code: 'accounts.refresh_token_invalid' } });
    expect((await refresh(second.body.refresh_token)).status).toBe(401);
  });

  it('leaves other sessions of the account alone when one is ended', async () => {
    const [one, other] = [(await login()).body, (await login()).body];
    await refresh(one.refresh_token);
    await refresh(one.refresh_token);
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it('lets one of many requests at once win and then ends the session', async () => {
    const { refresh_token: token } = (await login()).body;
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)));
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(7);
    expect((await refresh(won[0]!.body.refresh_token)).status).toBe(401);
  });

  it('refuses a token that has run out', async () => {
    const { refresh_token: token } = (await login()).body;
    await service.test.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE refresh_tokens SET expires_at = now() - interval '1 second' WHERE used_at IS NULL`),
    );
    expect((await refresh(token)).status).toBe(401);
  });

  it('refuses an unknown token and a disabled account', async () => {
    expect((await refresh('kbr_nothing')).status).toBe(401);
    const { refresh_token: token, access_token: access } = (await login()).body;
    const setState = (state: string): Promise<unknown> =>
      service.test.unitOfWork.runAsSystem((manager) => manager.query('UPDATE accounts SET state = $1', [state]));
    await setState('disabled');
    expect((await refresh(token)).status).toBe(401);
    expect((await me(access)).status).toBe(401);
    expect((await login()).status).toBe(401);
    await setState('active');
    expect((await refresh(token)).status).toBe(200);
  });
});

describe('logout', () => {
  it('ends the session, any number of times, and says nothing about unknown tokens', async () => {
    const { refresh_token: token } = (await login()).body;
    const logout = (refresh_token: string): Promise<Answer> =>
      service.call('POST', '/auth/logout', { body: { refresh_token } });
    expect((await logout(token)).status).toBe(204);
    expect((await logout(token)).status).toBe(204);
    expect((await logout('kbr_unknown')).status).toBe(204);
    expect((await refresh(token)).status).toBe(401);
  });
});

describe('change of password', () => {
  it('needs the current one, ends every session, and the new one counts from then on', async () => {
    const session = (await login()).body;
    const change = (current_password: string, new_password: string): Promise<Answer> =>
      service.call('POST', '/auth/password', {
        token: session.access_token,
        body: { current_password, new_password },
      });
    expect(await change('not it', 'second password')).toMatchObject({
      status: 403,
      body: { code: 'accounts.current_password_wrong' },
    });
    expect((await change(ADMIN.password, 'short')).status).toBe(422);
    expect((await change(ADMIN.password, 'x'.repeat(257))).status).toBe(422);
    expect((await change(ADMIN.password, 'second password')).status).toBe(204);
    expect((await refresh(session.refresh_token)).status).toBe(401);
    expect((await login()).status).toBe(401);
    expect((await login({ email: ADMIN.email, password: 'second password' })).status).toBe(200);
    expect((await change('second password', ADMIN.password)).status).toBe(204);
  });
});

describe('recovery', () => {
  it('gives a new password and ends every session', async () => {
    const session = (await login()).body;
    const recovery = AccountsRecovery.over(service.test.unitOfWork);
    const { password } = await recovery.resetPassword(' admin@EXAMPLE.com');
    expect(password).toMatch(/^[A-Za-z0-9_-]{20}$/);
    expect((await refresh(session.refresh_token)).status).toBe(401);
    expect((await login()).status).toBe(401);
    expect((await login({ email: ADMIN.email, password })).status).toBe(200);
    await expect(recovery.resetPassword('nobody@example.com')).rejects.toMatchObject({
      code: 'accounts.account_unknown',
    });
  });
});

describe('guessing', () => {
  it('is stopped per address, known or not, with 429 and Retry-After, the right password included', async () => {
    const limited = await startAccountsApp({ RATE_LIMITS: 'on' });
    try {
      await limited.app.get(AccountsBootstrap).ensureFirstAdministrator();
      const attempt = (email: string, password: string): Promise<Answer> =>
        limited.call('POST', '/auth/login', { body: { email, password } });
      for (let n = 0; n < FAILED_LOGIN_LIMIT; n += 1) {
        expect((await attempt(ADMIN.email, 'wrong password')).status).toBe(401);
      }
      const blocked = await attempt(ADMIN.email, ADMIN.password);
      expect(blocked).toMatchObject({ status: 429, body: { code: 'accounts.login_blocked' } });
      expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });
});
