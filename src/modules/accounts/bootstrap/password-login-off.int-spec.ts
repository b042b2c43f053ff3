import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadServiceSettings } from '../../../app/adapters.js';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp } from '../testing/accounts-app.js';

const ISSUER = {
  AUTH_OIDC_ISSUER: 'https://login.example.com',
  AUTH_OIDC_AUDIENCE: 'kb',
  AUTH_OIDC_CLIENT_ID: 'console',
  PUBLIC_URL: 'https://kb.example.com',
} as const;

describe('a service that accepts no passwords', () => {
  let service: AccountsApp;

  beforeAll(async () => {
    service = await startAccountsApp({ ...ISSUER, AUTH_PASSWORD_LOGIN: 'off' });
    await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
  });
  afterAll(() => service.close());

  it('says so at every login', async () => {
    expect((await service.call('GET', '/auth/methods')).body).toEqual({ password: false, oidc: true });
    const refusal = { status: 403, body: { code: 'accounts.password_login_off' } };
    expect(await service.call('POST', '/auth/login', { body: ADMIN })).toMatchObject(refusal);
    const wrong = { ...ADMIN, password: 'not it' };
    expect(await service.call('POST', '/auth/login', { body: wrong })).toMatchObject(refusal);
  });

  it('creates no account with a password', async () => {
    const body = { secret: 'kbi_whatever', password: 'hinge-lantern-47-otter' };
    expect(await service.call('POST', '/auth/invitations/accept', { body })).toMatchObject({
      status: 403,
      body: { code: 'accounts.password_login_off' },
    });
  });
});

describe('a service without an issuer', () => {
  let service: AccountsApp;

  beforeAll(async () => {
    service = await startAccountsApp();
  });
  afterAll(() => service.close());

  it('has only passwords', async () => {
    expect((await service.call('GET', '/auth/methods')).body).toEqual({ password: true, oidc: false });
    for (const path of ['/auth/oidc/start', '/auth/oidc/callback?state=x']) {
      expect(await service.call('GET', path)).toMatchObject({
        status: 404,
        body: { code: 'accounts.issuer_not_configured' },
      });
    }
  });
});

describe('settings of a sign-in at the issuer', () => {
  it.each([
    [{ ...ISSUER, PUBLIC_URL: '' }, /PUBLIC_URL: required with AUTH_OIDC_CLIENT_ID/],
    [{ AUTH_OIDC_CLIENT_ID: 'x', PUBLIC_URL: 'https://x.example' }, /AUTH_OIDC_CLIENT_ID: has no meaning without/],
    [{ AUTH_OIDC_CLIENT_SECRET: 'x' }, /AUTH_OIDC_CLIENT_SECRET: has no meaning without/],
    [{ AUTH_PASSWORD_LOGIN: 'off' }, /AUTH_PASSWORD_LOGIN: off needs AUTH_OIDC_CLIENT_ID/],
  ])('prevent the start if something is missing: %j', (environment, problem) => {
    expect(() => loadServiceSettings(environment)).toThrow(problem);
  });

  it('are enough with issuer, audience, client and address', () => {
    expect(() => loadServiceSettings(ISSUER)).not.toThrow();
  });
});
