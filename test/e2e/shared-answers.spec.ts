import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, DocumentRecord } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, addTenant, personOf, withApiKey, type Person } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const QUESTION = 'When is the hydraulic pump serviced?';
const PUMP = 'The hydraulic pump must be serviced every 500 hours.';
const NOT_FOUND = 'conversations.shared_answer_not_found';

interface Shared {
  readonly id: string;
  readonly question: string;
  readonly answer: { readonly content: string; readonly citations: readonly { readonly cited_text: string }[] };
  readonly own: { readonly conversation_id: string; readonly turn_id: string } | null;
}
interface Turn {
  readonly share: { readonly id: string } | null;
}

/** Ben asks over a dataset of Anna's, and shows the answer to colleagues. */
describe('a shared answer', () => {
  const service = useTenant();
  let anna: Person;
  let ben: Person;
  let vera: Person;
  let dora: Person;
  let dataset: string;
  let document: DocumentRecord;
  let place: string;
  let shared: Shared;

  beforeAll(async () => {
    anna = await personOf(service.admin, service.owner.email);
    ben = await addMember(anna, 'ben@example.com', 'editor');
    vera = await addMember(anna, 'vera@example.com', 'viewer');
    dora = await addTenant(service.platform, 'Elsewhere', 'dora@example.com');
    dataset = await anna.client.createDataset('Shared', { acl: 'all_team_members' });
    document = await ingest(anna.client, dataset, { name: 'pump.txt', content: PUMP });
    const { id } = await ben.client.post<{ id: string }>('/conversations', {});
    const { conversation } = await ben.client.post<{ conversation: { turn_id: string } }>('/chat/completions', {
      messages: [{ role: 'user', content: QUESTION }],
      dataset_ids: [dataset],
      conversation_id: id,
    });
    place = `/conversations/${id}/turns/${conversation.turn_id}/share`;
    shared = await ben.client.post<Shared>(place, {});
  });

  const read = (client: ApiClient, id = shared.id): Promise<Shared> => client.get(`/shared-answers/${id}`);
  const expectAbsent = async (client: ApiClient, id = shared.id): Promise<void> => {
    const answer = await client.send('GET', `/shared-answers/${id}`);
    expectProblem(answer, 404, NOT_FOUND);
    expect(JSON.stringify(answer.body)).not.toContain('500 hours');
  };

  it('is read by colleagues who see its sources, and kept by no one on the way', async () => {
    const answer = await vera.client.send<Shared>('GET', `/shared-answers/${shared.id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.body).toMatchObject({ question: QUESTION, answer: { citations: [{ cited_text: PUMP }] }, own: null });
    const key = await withApiKey(vera, ['chat:complete']);
    expect((await read(key)).answer).toEqual(answer.body.answer);
    expect((await read(ben.client)).own).not.toBeNull();
    const made = await ben.client.send('POST', place, {});
    expect(made.headers.get('cache-control')).toBe('private, no-store');
  });

  it('leaves the conversation private', async () => {
    const { own } = await read(ben.client);
    const problem = await vera.client.send('GET', `/conversations/${own!.conversation_id}`);
    expectProblem(problem, 404, 'conversations.not_found');
    const turns = async (): Promise<readonly Turn[]> =>
      (await ben.client.get<{ turns: Turn[] }>(`/conversations/${own!.conversation_id}`)).turns;
    expect((await turns()).map(({ share }) => share?.id)).toEqual([shared.id]);
  });

  it('is refused to every wrong caller, to those who may ask alike', async () => {
    expectProblem(await service.anonymous.send('GET', `/shared-answers/${shared.id}`), 401, /^auth\./);
    const weak = await withApiKey(vera, ['retrieval:search']);
    expectProblem(await weak.send('GET', `/shared-answers/${shared.id}`), 403, 'auth.permission_missing');
    const other = await anna.client.createDataset('Another', { acl: 'all_team_members' });
    const narrow = await withApiKey(anna, ['chat:complete'], { dataset_ids: [other] });
    const foreignKey = await withApiKey(dora, ['chat:complete']);
    for (const wrong of [dora.client, foreignKey, narrow]) await expectAbsent(wrong);
    for (const none of ['01900000-0000-4000-8000-000000000045', 'x']) await expectAbsent(vera.client, none);
    const outside = dora.client.with({ 'X-Tenant-ID': anna.tenantId });
    expect((await outside.send('GET', `/shared-answers/${shared.id}`)).status).toBe(404);
  });

  it('is made and revoked by no one but who asked', async () => {
    const key = await withApiKey(ben, ['chat:complete']);
    for (const wrong of [anna.client, vera.client, dora.client, key])
      for (const method of ['POST', 'DELETE'] as const)
        expectProblem(await wrong.send(method, place), 404, 'conversations.not_found');
    expect((await service.anonymous.send('DELETE', place)).status).toBe(401);
    expect((await read(vera.client)).question).toBe(QUESTION);
  });

  it('is listed for who made it alone', async () => {
    const listed = (client: ApiClient): Promise<{ total: number; items: Record<string, unknown>[] }> =>
      client.get('/shared-answers');
    const { own } = await read(ben.client);
    const row = { id: shared.id, question: QUESTION, ...own, withheld: null };
    expect(await listed(ben.client)).toMatchObject({ total: 1, items: [row] });
    const key = await withApiKey(ben, ['chat:complete']);
    for (const other of [anna.client, vera.client, dora.client, key])
      expect(await listed(other)).toMatchObject({ total: 0, items: [] });
    const outside = dora.client.with({ 'X-Tenant-ID': anna.tenantId });
    expect(await listed(outside)).toMatchObject({ total: 0, items: [] });
    const weak = await withApiKey(ben, ['retrieval:search']);
    expectProblem(await weak.send('GET', '/shared-answers'), 403, 'auth.permission_missing');
    expect((await service.anonymous.send('GET', '/shared-answers')).status).toBe(401);
  });

  it('goes out of sight with a source, for who asked as well, and comes back with it', async () => {
    await anna.client.send('PATCH', `/datasets/${dataset}`, { acl: 'only_me' });
    for (const client of [vera.client, ben.client]) await expectAbsent(client);
    expect((await read(anna.client)).question).toBe(QUESTION);
    await anna.client.send('PATCH', `/datasets/${dataset}`, { acl: 'all_team_members' });
    expect((await read(vera.client)).question).toBe(QUESTION);
  });

  it('is gone when it is revoked, and both are in the audit log', async () => {
    expect((await ben.client.send('DELETE', place)).status).toBe(204);
    for (const client of [vera.client, ben.client]) await expectAbsent(client);
    expectProblem(await ben.client.send('DELETE', place), 404, 'conversations.answer_not_shared');
    const { items } = await anna.client.get<{ items: { action: string }[] }>(
      `/governance/audit-log?subject_type=shared_answer&subject_id=${shared.id}`,
    );
    expect(items.map(({ action }) => action).toSorted()).toEqual([
      'conversation.answer_shared',
      'conversation.answer_unshared',
    ]);
  });

  it('that only quotes depends on what it quotes, not on all that was asked', async () => {
    const own = await ben.client.createDataset('Notes of Ben');
    await ingest(ben.client, own, { name: 'notes.txt', content: 'My pump diary: the hydraulic pump hums at night.' });
    const { id } = await ben.client.post<{ id: string }>('/conversations', {});
    const { conversation } = await ben.client.post<{ conversation: { turn_id: string } }>('/chat/completions', {
      messages: [{ role: 'user', content: QUESTION }],
      dataset_ids: [dataset, own],
      conversation_id: id,
    });
    const quoted = await ben.client.post<Shared>(`/conversations/${id}/turns/${conversation.turn_id}/share`, {});
    expect((await read(vera.client, quoted.id)).answer).toMatchObject({ citations: [{ cited_text: PUMP }] });
    expect(JSON.stringify(await read(vera.client, quoted.id))).not.toContain('hums');
    await ben.client.delete(`/datasets/${own}`);
    expect((await read(vera.client, quoted.id)).question).toBe(QUESTION);
    await anna.client.send('PATCH', `/datasets/${dataset}`, { acl: 'only_me' });
    for (const client of [vera.client, ben.client]) await expectAbsent(client, quoted.id);
    await anna.client.send('PATCH', `/datasets/${dataset}`, { acl: 'all_team_members' });
  });

  it('is gone for good with a document that it was made of', async () => {
    const again = await ben.client.post<Shared>(place, {});
    expect(again.id).not.toBe(shared.id);
    await anna.client.delete(`/documents/${document.id}`);
    for (const client of [vera.client, ben.client, anna.client]) await expectAbsent(client, again.id);
    expectProblem(await ben.client.send('POST', place, {}), 409, 'conversations.answer_withheld');
  });
});
