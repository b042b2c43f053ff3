import { defineErrors } from '#libs/common';
import { SCOPES } from './permissions.js';
import type { Permission, Principal } from './request-context.js';

const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer realm="knowledge-base"' } } as const;

const definitions = defineErrors('auth', {
  credential_missing: {
    status: 401,
    title: 'No credential',
    detail: () =>
      'This request needs a credential: send Authorization: Bearer <access token> or X-API-Key: <key>. X-Tenant-ID alone is not a credential.',
  },
  credential_invalid: {
    status: 401,
    title: 'Credential not valid',
    detail: (f: { kind: string }) =>
      `The ${f.kind} is malformed, expired, revoked or unknown. Get a new one and try again; a weaker credential beside it is not considered.`,
  },
  too_many_refused: {
    status: 429,
    title: 'Too many refused credentials',
    detail: (f: { limit: number; seconds: number }) =>
      `Your network sent ${f.limit} credentials within ${f.seconds} seconds that were refused. Wait as long as Retry-After says; credentials that were accepted lately go on working.`,
  },
  permission_missing: {
    status: 403,
    title: 'Permission missing',
    detail: (f: { permission: Permission; kind: Principal['kind'] }) => lackOf(f.permission, f.kind),
  },
  account_required: {
    status: 403,
    title: 'Account required',
    detail: () => 'This needs a logged-in account (an access token); an API key cannot do it.',
  },
  not_a_member: {
    status: 403,
    title: 'Not a member of the tenant',
    detail: () =>
      'You do not belong to the tenant that X-Tenant-ID names, or not any more. Leave the header out or name one of your tenants (GET /auth/me).',
  },
  unconfirmed: {
    status: 503,
    title: 'Rights not confirmed',
    detail: () =>
      'Whether you may still read this could not be confirmed in time, so the answer was ended. Try again after the time in Retry-After.',
  },
});

export const authErrors = {
  ...definitions,
  credential_missing: () => definitions.credential_missing({}, CHALLENGE),
  unconfirmed: () => definitions.unconfirmed({}, { retryAfter: 5 }),
  credential_invalid: (facts: { kind: string }) => definitions.credential_invalid(facts, CHALLENGE),
};

/** Anyone who sent a key makes another one; an account has to be given the right, and no role of a tenant has one over all tenants. */
function lackOf(permission: Permission, kind: Principal['kind']): string {
  if (kind !== 'api_key') {
    return permission === 'platform:tenants'
      ? `This needs the permission ${permission}, which the first administrator of the service alone has. Ask the operator.`
      : `This needs the permission ${permission}. Ask an administrator of the tenant for it.`;
  }
  return SCOPES.includes(permission)
    ? `This needs the scope ${permission}, which this API key does not have, or whose permission its account has lost. Make a key with this scope (POST /auth/api-keys).`
    : `This needs the permission ${permission}, which no API key can have. Send an access token.`;
}
