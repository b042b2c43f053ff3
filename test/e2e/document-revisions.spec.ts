import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { addMember, addTenant, personOf, withApiKey, type Person } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

interface Revision {
  readonly revision: number;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly size_bytes: number;
  readonly media_type: string;
  readonly sha256: string;
  readonly shown: boolean;
  readonly latest: boolean;
}
interface RevisionPage {
  readonly items: readonly Revision[];
  readonly total: number;
  readonly skip: number;
  readonly limit: number;
}

const FIRST = 'The lamp is lit at eight.';
const SECOND = 'The lamp is lit at nine, in winter at six.';
const THIRD = 'The lamp is lit at dusk.';
const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex');
const ABSENT = '019f0000-0000-7000-8000-000000000000';

describe('revisions of a document', () => {
  const service = useTenant();
  let admin: Person;
  let editor: Person;
  let viewer: Person;
  let datasetId: string;
  let id: string;

  beforeAll(async () => {
    admin = await personOf(service.admin, service.owner.email);
    editor = await addMember(admin, 'editor@example.com', 'editor');
    viewer = await addMember(admin, 'viewer@example.com', 'viewer');
    datasetId = await service.admin.createDataset('Lighthouse', { acl: 'all_team_members' });
    id = await upload(service.admin, FIRST);
    expect(await upload(editor.client, SECOND)).toBe(id);
  });

  async function upload(client: ApiClient, content: string | Buffer, name = 'lamps.txt'): Promise<string> {
    const { id: made } = await client.upload(datasetId, { name, content }, { on_same_name: 'new_revision' });
    await client.pollUntilTerminal(made);
    return made;
  }

  const list = (client: ApiClient, document = id, query = '') =>
    client.send('GET', `/documents/${document}/revisions${query}`);

  it('are listed for anyone who sees the document, the newest first, with who uploaded them', async () => {
    for (const client of [service.admin, editor.client, viewer.client]) {
      const answer = await list(client);
      expect(answer.status).toBe(200);
      const { items, ...page } = answer.body as RevisionPage;
      expect(page).toEqual({ total: 2, skip: 0, limit: 20 });
      const [second, first] = items;
      expect(second).toMatchObject({ revision: 2, created_by: editor.accountId, shown: true, latest: true });
      expect(second).toMatchObject({ size_bytes: SECOND.length, media_type: 'text/plain', sha256: digestOf(SECOND) });
      expect(first).toMatchObject({ revision: 1, created_by: admin.accountId, shown: false, latest: false });
      expect(first).toMatchObject({ size_bytes: FIRST.length, sha256: digestOf(FIRST) });
      expect(Date.parse(second!.created_at)).toBeGreaterThan(Date.parse(first!.created_at));
    }
  });

  it('come in pages, which end', async () => {
    const last = (await list(viewer.client, id, '?skip=1&limit=1')).body as RevisionPage;
    expect(last).toMatchObject({ total: 2, skip: 1, limit: 1, items: [{ revision: 1 }] });
    expect((await list(viewer.client, id, '?skip=2')).body).toMatchObject({ total: 2, items: [] });
    for (const query of ['?limit=0', '?limit=101', '?skip=-1', '?skip=x'])
      expect(await list(viewer.client, id, query), query).toMatchObject({ status: 422 });
  });

  it('say which one is shown while a later one is not, and number on where one is gone', async () => {
    const broken = await upload(editor.client, Buffer.from('%PDF-1.7\nnothing of a PDF'), 'times.pdf');
    const [only] = ((await list(viewer.client, broken)).body as RevisionPage).items;
    expect(only).toMatchObject({ revision: 1, shown: true, latest: true });

    const lamps = await upload(editor.client, `${FIRST} Always.`, 'again.txt');
    await upload(editor.client, `${SECOND} Always.`, 'again.txt');
    await upload(editor.client, THIRD, 'again.txt');
    const kept = ((await list(viewer.client, lamps)).body as RevisionPage).items;
    expect(kept.map(({ revision }) => revision)).toEqual([3, 2]);
    await upload(editor.client, '', 'again.txt');
    const failed = ((await list(viewer.client, lamps)).body as RevisionPage).items;
    expect(failed.map(({ revision, shown, latest }) => [revision, shown, latest])).toEqual([
      [4, false, true],
      [3, true, false],
    ]);
    const file = await fetch(`${service.url}/documents/${lamps}/content`, { headers: viewer.client.headers });
    expect(digestOf(await file.text())).toBe(failed[1]!.sha256);
  });

  it('are told to no one who does not see the document', async () => {
    const own = await service.admin.createDataset('Private', { acl: 'only_me' });
    const { id: secret } = await service.admin.upload(own, { name: 'own.txt', content: FIRST });
    await service.admin.pollUntilTerminal(secret);
    const stranger = await addTenant(service.platform, 'Elsewhere', 'owner@elsewhere.example');
    const elsewhere = await withApiKey(admin, ['documents:read'], { dataset_ids: [own] });
    const wrong: readonly (readonly [string, ApiClient, string, number])[] = [
      ['of another tenant', stranger.client, id, 404],
      ['of a private dataset', viewer.client, secret, 404],
      ['with a key of another dataset', elsewhere, id, 404],
      ['with a key that may only search', await withApiKey(admin, ['retrieval:search']), id, 403],
      ['without a credential', service.anonymous, id, 401],
      ['of no document', service.admin, ABSENT, 404],
      ['of what is no id', service.admin, 'none', 404],
    ];
    for (const [who, client, document, status] of wrong) {
      const answer = await list(client, document);
      expect([who, answer.status]).toEqual([who, status]);
      expect(JSON.stringify(answer.body), who).not.toMatch(/sha256|size_bytes/);
    }
  });

  it('of a quarantined document stay readable as its status does, of a deleted one not', async () => {
    const held = await upload(service.admin, 'The lamp is held back.', 'held.txt');
    await service.admin.post('/governance/quarantine', { document_ids: [held], reason: 'A test' });
    expect(await list(viewer.client, held)).toMatchObject({ status: 200, body: { total: 1 } });
    await service.admin.send('DELETE', `/documents/${held}`);
    expect(await list(service.admin, held)).toMatchObject({ status: 404, body: { code: 'documents.not_found' } });
  });
});
