import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { AccountsRecovery } from './accounts-recovery.service.js';
import { SIEGE } from '../sessions/login-throttle.service.js';
import { loginOrigin } from '../sessions/login-origin.js';
import { PasswordHasher } from '../credentials/password-hasher.service.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer } from '../testing/accounts-app.js';

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
  it('returns a pair of tokens for the right password, in any spelling of the address', async () => {
    const answer = await login({ email: '  aDMIN@example.com ', password: ADMIN.password });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type']);
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect((await me(answer.body.access_token)).body.account.email).toBe(ADMIN.email);
  });

  it('answers an unknown address exactly as a wrong password', async () => {
    const unknown = await login({ email: 'nobody@example.com', password: ADMIN.password });
    const wrong = await login({ email: ADMIN.email, password: 'wrong password' });
    expect(unknown.status).toBe(401);
    expect(unknown.body.code).toBe('accounts.login_failed');
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
  });

  it('stores no refresh token or password in readable form', async () => {
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
  it('returns new tokens, and a second use of the old refresh token ends the whole session', async () => {
    const first = (await login()).body;
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect((await me(second.body.access_token)).status).toBe(200);
    const reused = await refresh(first.refresh_token);
    expect(reused).toMatchObject({ status: 401, body: { code: 'accounts.refresh_token_invalid' } });
    expect((await refresh(second.body.refresh_token)).status).toBe(401);
  });

  it('does not affect other sessions of the account', async () => {
    const [one, other] = [(await login()).body, (await login()).body];
    await refresh(one.refresh_token);
    await refresh(one.refresh_token);
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it('accepts one of many simultaneous requests and then ends the session', async () => {
    const { refresh_token: token } = (await login()).body;
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)));
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(7);
    expect((await refresh(won[0]!.body.refresh_token)).status).toBe(401);
  });

  it('refuses an expired token', async () => {
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
  it('ends the session, can be repeated, and reveals nothing about unknown tokens', async () => {
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
  it('needs the current password and ends every session; then only the new password is valid', async () => {
    const session = (await login()).body;
    const change = (current_password: string, new_password: string, token = session.access_token): Promise<Answer> =>
      service.call('POST', '/auth/password', {
        token,
        body: { current_password, new_password },
      });
    expect(await change('not it', 'second password')).toMatchObject({
      status: 403,
      body: { code: 'accounts.current_password_wrong' },
    });
    expect((await change(ADMIN.password, 'short')).status).toBe(422);
    expect((await change(ADMIN.password, 'kF9!'.repeat(33))).status).toBe(422);
    expect((await change(ADMIN.password, 'second password')).status).toBe(204);
    expect((await refresh(session.refresh_token)).status).toBe(401);
    expect((await login()).status).toBe(401);
    const again = await login({ email: ADMIN.email, password: 'second password' });
    expect(again.status).toBe(200);
    expect((await change('second password', ADMIN.password, again.body.access_token)).status).toBe(204);
  });
});

describe('an access token', () => {
  const change = (token: string, current_password: string, new_password: string): Promise<Answer> =>
    service.call('POST', '/auth/password', { token, body: { current_password, new_password } });

  it('ends with a change of the password, also the one of that request, and a login in the same second works', async () => {
    const [mine, other] = [(await login()).body, (await login()).body];
    expect((await me(other.access_token)).status).toBe(200);
    expect((await change(mine.access_token, ADMIN.password, 'second password')).status).toBe(204);
    const again = (await login({ email: ADMIN.email, password: 'second password' })).body;
    expect((await me(other.access_token)).status).toBe(401);
    expect((await me(mine.access_token)).status).toBe(401);
    expect((await me(again.access_token)).status).toBe(200);
    const renewed = (await refresh(again.refresh_token)).body;
    expect((await me(renewed.access_token)).status).toBe(200);
    expect((await change(renewed.access_token, 'second password', ADMIN.password)).status).toBe(204);
  });

  it('ends with a reset of the password', async () => {
    const { access_token: token } = (await login()).body;
    expect((await me(token)).status).toBe(200);
    const { password } = await service.app.get(AccountsRecovery).resetPassword(ADMIN.email);
    expect((await me(token)).status).toBe(401);
    const again = (await login({ email: ADMIN.email, password })).body;
    expect((await change(again.access_token, password, ADMIN.password)).status).toBe(204);
  });

  it('belongs to the password that was checked: a login during a change gives no token that outlives the change', async () => {
    const { access_token: token } = (await login()).body;
    const [changed, ...logins] = await Promise.all([
      change(token, ADMIN.password, 'second password'),
      ...Array.from({ length: 6 }, () => login()),
    ]);
    expect(changed.status).toBe(204);
    for (const answer of logins) {
      if (answer.status === 200) expect((await me(answer.body.access_token)).status).toBe(401);
    }
    const again = (await login({ email: ADMIN.email, password: 'second password' })).body;
    expect((await change(again.access_token, 'second password', ADMIN.password)).status).toBe(204);
  });
});

describe('a new password that is easy to guess', () => {
  const refuse = async (new_password: string): Promise<Answer> => {
    const { access_token: token } = (await login()).body;
    const body = { current_password: ADMIN.password, new_password };
    const answer = await service.call('POST', '/auth/password', { token, body });
    expect(answer.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/new_password', code: 'password_too_weak' }],
    });
    expect((await login()).status).toBe(200);
    return answer;
  };

  it('is refused with a remedy', async () => {
    const answer = await refuse('password1');
    expect(answer.body.detail).toContain(
      'new_password: is too easy to guess: This is a commonly used password. Add more words that are less common.',
    );
  });

  it.each(['Admin@Example.com', 'FirstExample'])('includes the own names: %s', async (password) => {
    expect((await refuse(password)).body.detail).toContain('names are easy to guess');
  });

  it('is not checked before the current one is right', async () => {
    const { access_token: token } = (await login()).body;
    const body = { current_password: 'not it', new_password: 'password1' };
    expect((await service.call('POST', '/auth/password', { token, body })).status).toBe(403);
  });

  it('still works for an account that already has it', async () => {
    const old = { email: 'old@example.com', password: 'password1' };
    const { app, test } = service;
    const passwordHash = await app.get(PasswordHasher).hash(old.password);
    await test.unitOfWork.runAsSystem((manager) =>
      manager.query(`INSERT INTO accounts (id, email, name, password_hash) VALUES ($1, $2, 'old', $3)`, [
        newId(),
        old.email,
        passwordHash,
      ]),
    );
    expect((await login(old)).status).toBe(200);
  });
});

describe('recovery', () => {
  it('sets a new password and ends every session', async () => {
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
  /** Number of failures of one network without a delay. */
  const AT_ONCE = 5;
  let limited: AccountsApp;
  const attempt = (address: string, email: string, password = 'wrong password'): Promise<Answer> =>
    limited.call('POST', '/auth/login', { body: { email, password }, headers: { 'x-forwarded-for': address } });
  const fail = async (address: string, email: string, times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) expect((await attempt(address, email)).status).toBe(401);
  };
  /** Lets all delays expire. */
  const wait = (): Promise<unknown> =>
    limited.test.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE login_origins SET blocked_until = now() - interval '1 millisecond'`),
    );
  const delayOf = async (address: string, email: string): Promise<number> => {
    const answer = await attempt(address, email);
    expect(answer).toMatchObject({ status: 429, body: { code: 'accounts.login_blocked' } });
    return Number(answer.headers['retry-after']);
  };

  beforeAll(async () => {
    limited = await startAccountsApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' });
    await limited.app.get(AccountsBootstrap).ensureFirstAdministrator();
  });
  afterAll(() => limited.close());

  it('gives its network a growing delay, with 429 and Retry-After, and does not affect other networks', async () => {
    await fail('192.0.2.1', ADMIN.email, AT_ONCE);
    const delays = [await delayOf('192.0.2.1', ADMIN.email)];
    for (let n = 0; n < 3; n += 1) {
      await wait();
      await fail('192.0.2.1', ' admin@EXAMPLE.com ', 1);
      delays.push(await delayOf('192.0.2.1', ADMIN.email));
    }
    expect(delays).toEqual([2, 4, 8, 16]);
    expect((await attempt('192.0.2.1', ADMIN.email, ADMIN.password)).status).toBe(429);
    expect((await attempt('192.0.2.2', ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('is not delayed further by refused attempts', async () => {
    await fail('192.0.2.3', ADMIN.email, AT_ONCE);
    for (let n = 0; n < 5; n += 1) expect(await delayOf('192.0.2.3', ADMIN.email)).toBeLessThanOrEqual(2);
  });

  it('counts addresses of one IPv6 /64 together', async () => {
    for (let n = 1; n <= AT_ONCE; n += 1) await fail(`2001:db8:0:1::${n}`, ADMIN.email, 1);
    expect((await attempt('2001:db8:0:1:ffff::1', ADMIN.email, ADMIN.password)).status).toBe(429);
    expect((await attempt('2001:db8:0:2::1', ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('is the same for an unknown e-mail address', async () => {
    await fail('192.0.2.4', 'nobody@example.com', AT_ONCE);
    expect(await delayOf('192.0.2.4', 'nobody@example.com')).toBe(2);
    expect((await attempt('192.0.2.5', 'nobody@example.com')).status).toBe(401);
  });

  it('counts all of many simultaneous attempts', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt('192.0.2.6', 'many@example.com')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(AT_ONCE);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - AT_ONCE);
  });

  it('starts over after a success', async () => {
    await fail('192.0.2.7', ADMIN.email, AT_ONCE - 1);
    expect((await attempt('192.0.2.7', ADMIN.email, ADMIN.password)).status).toBe(200);
    await fail('192.0.2.7', ADMIN.email, AT_ONCE);
  });

  it('from many networks leaves unknown networks one attempt at a time, and trusted networks all of theirs', async () => {
    const known = '198.51.100.1';
    expect((await attempt(known, ADMIN.email, ADMIN.password)).status).toBe(200);
    for (let n = 0; n < SIEGE + 5; n += 1) await fail(`203.0.113.${n}`, ADMIN.email, 1);
    expect(await delayOf(`203.0.113.${SIEGE + 4}`, ADMIN.email)).toBe(60);
    expect((await attempt('198.51.100.2', ADMIN.email, ADMIN.password)).status).toBe(200);
    await fail(known, ADMIN.email, AT_ONCE);
    expect(await delayOf(known, ADMIN.email)).toBe(2);
  });

  it('is cleared for an address whose password is reset, without a restart', async () => {
    const known = '198.51.100.3';
    await attempt(known, ADMIN.email, ADMIN.password);
    await fail(known, ADMIN.email, AT_ONCE);
    expect((await attempt(known, ADMIN.email, ADMIN.password)).status).toBe(429);
    const { password } = await limited.app.get(AccountsRecovery).resetPassword(ADMIN.email);
    expect((await attempt(known, ADMIN.email, password)).status).toBe(200);
    await fail('192.0.2.8', ADMIN.email, AT_ONCE);
  });

  it('stores no e-mail address or network in readable form', async () => {
    await fail('192.0.2.9', 'private@example.com', 1);
    const kept = await limited.test.unitOfWork.runAsSystem((manager) => manager.query('SELECT * FROM login_origins'));
    expect(JSON.stringify(kept)).not.toMatch(/private|192\.0\.2/);
    expect(JSON.stringify(kept)).toContain(loginOrigin('private@example.com', '192.0.2.9').networkKey);
  });
});
