import { newId, type AccountId, type TenantId } from '#libs/common';
import { AccountsBootstrap } from '../bootstrap/accounts-bootstrap.service.js';
import { ADMIN, type AccountsApp, type Answer, type Call } from './accounts-app.js';

export const PASSWORD = 'a password of theirs';

/** A signed-in person. */
export interface Person {
  readonly token: string;
  readonly accountId: AccountId;
  readonly email: string;
}

/** A tenant with its owner. */
export interface Founded {
  readonly id: TenantId;
  readonly owner: Person;
}

export const newAddress = (): string => `${newId()}@example.com`;

/** Actions of people of tenants at the routes of accounts. */
export class TenantPeople {
  private platform: Person | undefined;

  constructor(private readonly service: AccountsApp) {}

  login(email: string, password = PASSWORD, tenantId?: string): Promise<Answer> {
    const body = { email, password, ...(tenantId === undefined ? {} : { tenant_id: tenantId }) };
    return this.service.call('POST', '/auth/login', { body });
  }

  async logIn(email: string, password = PASSWORD, tenantId?: string): Promise<Person> {
    const session = await this.login(email, password, tenantId);
    if (session.status !== 200) throw new Error(`${email}: ${JSON.stringify(session.body)}`);
    const token = session.body.access_token as string;
    const me = await this.service.call('GET', '/auth/me', { token });
    return { token, accountId: me.body.account.id, email };
  }

  async found(name: string, email = newAddress(), password = PASSWORD): Promise<Founded> {
    const body = { name, admin_email: email, admin_password: password };
    const made = await this.service.call('POST', '/tenants', { token: (await this.admin()).token, body });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return { id: made.body.id, owner: await this.logIn(email, password, made.body.id) };
  }

  invite({ id, owner }: Founded, email: string, more: object = {}): Promise<Answer> {
    const body = { email, role: 'editor', ...more };
    return this.service.call('POST', `/tenants/${id}/members`, { token: owner.token, body });
  }

  accept(body: object, by: Call = {}): Promise<Answer> {
    return this.service.call('POST', '/auth/invitations/accept', { ...by, body });
  }

  /** A person whom the tenant has invited and who has accepted without a credential. */
  async join(tenant: Founded, email = newAddress(), password = PASSWORD): Promise<Person> {
    const { secret } = (await this.invite(tenant, email)).body;
    await this.accept({ secret, password });
    return this.logIn(email, password, tenant.id);
  }

  /** Ids of the tenants of a person. */
  async tenantsOf({ token }: Pick<Person, 'token'>): Promise<string[]> {
    const { body } = await this.service.call('GET', '/auth/me', { token });
    return body.tenants.map(({ id }: { id: string }) => id);
  }

  async membersOf({ id, owner }: Founded): Promise<{ account_id: string; email: string; role: string }[]> {
    return (await this.service.call('GET', `/tenants/${id}/members?limit=100`, { token: owner.token })).body.items;
  }

  private async admin(): Promise<Person> {
    if (this.platform === undefined) await this.service.app.get(AccountsBootstrap).ensureFirstAdministrator();
    return (this.platform ??= await this.logIn(ADMIN.email, ADMIN.password));
  }
}
