import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Page } from '../support/api-client.js';
import { addMember, addTenant, personOf, type Person } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const PASSWORD = 'a long enough password';

interface Entry {
  readonly action: string;
  readonly subject: { readonly id: string };
}

describe('who names a tenant that it does not belong to', () => {
  const service = useTenant();
  let anna: Person;
  let dora: Person;
  let ben: Person;

  beforeAll(async () => {
    anna = await personOf(service.admin, service.owner.email);
    dora = await addTenant(service.platform, 'Elsewhere', 'dora@example.com');
    ben = await addMember(anna, 'ben@example.com', 'editor');
  });

  const outside = (person: Person): ApiClient => person.client.with({ 'X-Tenant-ID': UNKNOWN });
  const recordedOf = async ({ accountId }: Person): Promise<string[]> => {
    const { items } = await anna.client.get<Page<Entry>>(`/governance/audit-log?limit=100&subject_id=${accountId}`);
    return items.map(({ action }) => action);
  };

  it('is recorded in its own tenant when it changes its password and ends its sessions', async () => {
    const replacement = { current_password: PASSWORD, new_password: 'another long password' };
    expect((await outside(ben).send('POST', '/auth/password', replacement)).status).toBe(204);
    const again = { ...ben, client: await ben.client.login(ben.email, 'another long password') };
    const { items } = await outside(again).get<Page<{ id: string }>>('/auth/sessions');
    expect((await outside(again).send('DELETE', `/auth/sessions/${items[0]!.id}`)).status).toBe(204);
    expect((await outside(again).send('DELETE', '/auth/sessions')).status).toBe(204);
    expect(await recordedOf(ben)).toEqual(
      expect.arrayContaining(['account.password_changed', 'account.sessions_ended']),
    );
    const { items: ended } = await anna.client.get<Page<Entry>>('/governance/audit-log?action=session.ended');
    expect(ended.map(({ subject }) => subject.id)).toContain(items[0]!.id);
  });

  it('reads an empty audit log, also when someone without any tenant did something', async () => {
    const gone = await addMember(anna, 'gone@example.com', 'viewer');
    await anna.client.delete(`/tenants/${anna.tenantId}/members/${gone.accountId}`);
    expect((await gone.client.send('DELETE', '/auth/sessions')).status).toBe(204);
    expect(await outside(dora).get('/governance/audit-log')).toMatchObject({ items: [], total: 0 });
    expect((await outside(dora).send('GET', '/governance/audit-log?format=jsonl')).body).toBe('');
  });
});
