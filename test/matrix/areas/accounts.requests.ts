import type { Recipes } from '../request-recipe.js';
import type { Someone, Target, World } from '../world.js';

async function freshKey({ owner }: World): Promise<Partial<Target>> {
  const { id } = await owner.client.post<{ id: string }>('/auth/api-keys', { name: 'Short-lived', scopes: [] });
  return { apiKey: id };
}

const newPerson = (world: World): Record<string, unknown> => ({
  email: `${world.unique('person')}@example.com`,
  password: world.password,
});

interface Invitation {
  readonly invitation_id: string;
  readonly secret: string;
}

/** Another session of the owner, known by its access token. */
async function freshSession(world: World): Promise<Partial<Target>> {
  const [, claims = ''] = (await world.login()).access_token.split('.');
  return { session: (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string }).sid };
}

async function addMember(world: World): Promise<string> {
  const { email, password } = newPerson(world);
  const { secret } = await invite(world.owner, String(email));
  return (await world.anonymous.post<{ account_id: string }>('/auth/invitations/accept', { secret, password }))
    .account_id;
}

const invite = ({ client, tenantId }: Someone, email: string): Promise<Invitation> =>
  client.post<Invitation>(`/tenants/${tenantId}/members`, { email, role: 'viewer' });

/** An invitation of the owner into a tenant that it does not belong to. */
async function inviteOwner({ inviter, owner }: World): Promise<Invitation> {
  await inviter.client.send('DELETE', `/tenants/${inviter.tenantId}/members/${owner.accountId}`);
  return invite(inviter, owner.email);
}

/** Accounts, keys, tenants, members, invitations, and what the service says of itself. */
export const ACCOUNTS: Recipes = {
  'GET /auth/methods': { subject: 'service' },
  'POST /auth/login': {
    subject: 'service',
    parts: (_target, world) => ({ body: { email: world.owner.email, password: world.password } }),
  },
  'POST /auth/refresh': {
    subject: 'service',
    parts: async (_target, world) => ({ body: { refresh_token: (await world.login()).refresh_token } }),
  },
  'POST /auth/logout': {
    subject: 'service',
    parts: async (_target, world) => ({ body: { refresh_token: (await world.login()).refresh_token } }),
  },
  'GET /auth/me': { subject: 'self' },
  'POST /auth/password': {
    subject: 'self',
    parts: (_target, { password }) => ({ body: { current_password: password, new_password: password } }),
  },
  'POST /auth/api-keys': { subject: 'create', parts: () => ({ body: { name: 'Made by the matrix', scopes: [] } }) },
  'GET /auth/api-keys': { subject: 'self' },
  'DELETE /auth/api-keys/{id}': { subject: 'own', fresh: freshKey },
  'GET /auth/sessions': { subject: 'self' },
  'DELETE /auth/sessions': { subject: 'self' },
  'DELETE /auth/sessions/{id}': { subject: 'own', fresh: freshSession },
  'GET /auth/invitations': { subject: 'self' },
  'POST /auth/invitations/preview': {
    subject: 'service',
    parts: (_target, { target }) => ({ body: { secret: target.invitationSecret } }),
  },
  'POST /auth/invitations/accept': {
    subject: 'own',
    fresh: async (world) => ({ invitationSecret: (await inviteOwner(world)).secret }),
    parts: ({ invitationSecret: secret }) => ({ body: { secret } }),
  },
  'POST /auth/invitations/{id}/decline': {
    subject: 'own',
    fresh: async (world) => ({ invitation: (await inviteOwner(world)).invitation_id }),
  },
  'GET /tenants': { subject: 'self' },
  'POST /tenants': {
    subject: 'service',
    parts: (_target, world) => {
      const { email, password } = newPerson(world);
      return { body: { name: world.unique('Tenant'), admin_email: email, admin_password: password } };
    },
  },
  'PATCH /tenants/{id}': { subject: 'tenant', parts: () => ({ body: { name: 'Home' } }) },
  'GET /tenants/{id}/datasets': { subject: 'tenant' },
  'GET /tenants/{id}/members': { subject: 'tenant' },
  'POST /tenants/{id}/members': {
    subject: 'tenant',
    parts: (_target, world) => ({ body: { ...newPerson(world), role: 'viewer' } }),
  },
  'PATCH /tenants/{id}/members/{account_id}': { subject: 'tenant', parts: () => ({ body: { role: 'viewer' } }) },
  'DELETE /tenants/{id}/members/{account_id}': {
    subject: 'tenant',
    fresh: async (world) => ({ account: await addMember(world) }),
  },
  'GET /tenants/{id}/invitations': { subject: 'tenant' },
  'DELETE /tenants/{id}/invitations/{invitation_id}': {
    subject: 'tenant',
    fresh: async (world) => {
      const { email } = newPerson(world);
      return { invitation: (await invite(world.owner, String(email))).invitation_id };
    },
  },
  'GET /health': { subject: 'service' },
  'GET /health/ready': { subject: 'service' },
  'GET /health/details': { subject: 'service' },
  'GET /errors': { subject: 'service' },
  'GET /usage': { subject: 'self' },
  'GET /limits': { subject: 'service' },
  'GET /metrics': { subject: 'service' },
};
