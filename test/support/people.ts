import { randomBytes } from 'node:crypto';
import type { ApiClient } from './api-client.js';

const PASSWORD = 'a long enough password';

export interface Person {
  readonly email: string;
  readonly accountId: string;
  readonly tenantId: string;
  /** Logged in, acting in the person's own tenant. */
  readonly client: ApiClient;
}

interface Me {
  readonly account: { readonly id: string };
  readonly tenant_id: string;
}

/** Who a logged-in client is. */
export async function personOf(client: ApiClient, email: string): Promise<Person> {
  const me = await client.get<Me>('/auth/me');
  return { email, accountId: me.account.id, tenantId: me.tenant_id, client };
}

/** `ben@example.com` as `ben+1f2e3d4c@example.com`: one address is one login in all tenants of a service, which specs may share. */
function addressLike(address: string): string {
  return address.replace('@', `+${randomBytes(4).toString('hex')}@`);
}

/** A new account in the tenant of `manager`, who must manage its members, with an address like the one given. */
export async function addMember(manager: Person, address: string, role: string): Promise<Person> {
  const email = addressLike(address);
  await manager.client.post(`/tenants/${manager.tenantId}/members`, { email, role, password: PASSWORD });
  return personOf(await manager.client.login(email, PASSWORD), email);
}

/** A new tenant with its owner, whose address is like the one given. `platform` must be the first administrator. */
export async function addTenant(platform: ApiClient, name: string, ownerAddress: string): Promise<Person> {
  const email = addressLike(ownerAddress);
  await platform.post('/tenants', { name, admin_email: email, admin_password: PASSWORD });
  return personOf(await platform.login(email, PASSWORD), email);
}

/** A client that carries a new API key of this person and nothing else. */
export async function withApiKey(
  person: Person,
  scopes: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<ApiClient> {
  const { secret } = await person.client.post<{ secret: string }>('/auth/api-keys', {
    name: 'test key',
    scopes,
    ...more,
  });
  return person.client.asApiKey(secret);
}
