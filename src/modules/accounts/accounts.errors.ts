import { defineErrors } from '#libs/common';

const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer realm="knowledge-base"' } } as const;

const definitions = defineErrors('accounts', {
  login_failed: {
    status: 401,
    title: 'Login failed',
    detail: () => 'The e-mail address or the password is wrong.',
  },
  tenant_needed: {
    status: 409,
    title: 'Several accounts match',
    detail: (f: { accounts: number; tenants: string }) =>
      `The password is right for ${f.accounts} accounts of this e-mail address. Send tenant_id to say which one: ${f.tenants}.`,
  },
  login_blocked: {
    status: 429,
    title: 'Too many failed logins',
    detail: (f: { seconds: number }) =>
      `Too many failed attempts for this e-mail address from your network. Try again in ${f.seconds} seconds, as Retry-After says; earlier attempts are refused without a check.`,
  },
  refresh_token_invalid: {
    status: 401,
    title: 'Refresh token not valid',
    detail: () =>
      'The refresh token is unknown, expired, revoked or was used before. Each one works once; log in again with e-mail and password.',
  },
  foreign_page: {
    status: 403,
    title: 'Page of another origin',
    detail: (f: { origin: string }) =>
      `A session in a cookie can be used only by pages of the service's own origin, but this request comes from ${f.origin}. If people reach the service at another address than the service itself sees, the operator must set that address in PUBLIC_URL. Programs send refresh_token instead.`,
  },
  current_password_wrong: {
    status: 403,
    title: 'Current password wrong',
    detail: () => 'current_password is not the password of this account; nothing was changed.',
  },
  busy: {
    status: 503,
    title: 'Too many password checks',
    detail: () => 'Too many passwords are being checked at this moment. Try again after a moment.',
  },
  issuer_unavailable: {
    status: 503,
    title: 'Issuer does not answer',
    detail: (f: { reason: string }) =>
      `The keys of the OpenID Connect issuer cannot be fetched, so its tokens cannot be checked: ${f.reason}. Try again later.`,
  },
  issuer_not_configured: {
    status: 404,
    title: 'No sign-in at an issuer',
    detail: () =>
      'Sign-in at an OpenID Connect issuer is not configured; the operator configures it with AUTH_OIDC_CLIENT_ID.',
  },
  password_login_off: {
    status: 403,
    title: 'No sign-in by password',
    detail: () => 'This service does not accept passwords: sign in at the OpenID Connect issuer, or use an API key.',
  },
  tenant_not_found: {
    status: 404,
    title: 'Tenant not found',
    detail: () =>
      'There is no such tenant, or you are not acting in it. Select one of your tenants with X-Tenant-ID (GET /tenants lists them).',
  },
  api_key_not_found: {
    status: 404,
    title: 'API key not found',
    detail: () => 'There is no such API key, or it is not yours.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    detail: () => 'There is no such session, or it is not yours, or it has ended.',
  },
  member_not_found: {
    status: 404,
    title: 'Member not found',
    detail: (f: { accountId: string }) => `The tenant has no member ${f.accountId}.`,
  },
  invitation_not_found: {
    status: 404,
    title: 'Invitation not found',
    detail: () =>
      'There is no such invitation for you: it was accepted, declined or withdrawn, has run out, or is for another e-mail address. Ask for a new one.',
  },
  account_unknown: {
    status: 404,
    title: 'Account unknown',
    detail: (f: { email: string }) => `There is no account with the e-mail address ${f.email}.`,
  },
  several_accounts: {
    status: 409,
    title: 'Several accounts',
    detail: (f: { email: string; tenants: string }) =>
      `Several accounts have the e-mail address ${f.email}. Add the tenant of the account that you mean after the address: ${f.tenants}.`,
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    detail: (f: { email: string }) => `${f.email} is already a member of this tenant. Change the role with PATCH.`,
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    detail: () => 'This is the last owner of the tenant. Make another member an owner first.',
  },
  member_owns_datasets: {
    status: 409,
    title: 'Member owns datasets',
    detail: (f: { count: number }) =>
      `The member owns ${f.count} dataset(s). Send ?transfer_to=<account_id> with the member who takes over the datasets.`,
  },
  role_beyond_own: {
    status: 403,
    title: 'Role beyond your own',
    detail: (f: { role: string }) =>
      `The role ${f.role} has permissions that you do not have in this tenant, so you cannot grant it, and you cannot change or remove a member who has it.`,
  },
});

/** The errors of accounts, tenants, members and API keys. */
export const accountErrors = {
  ...definitions,
  login_failed: () => definitions.login_failed({}, CHALLENGE),
  refresh_token_invalid: () => definitions.refresh_token_invalid({}, CHALLENGE),
};
