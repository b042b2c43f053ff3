import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, addTenant, personOf, type Person } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

/** Is in documents, cases, tags and names; no one who does not see the dataset may read it anywhere. */
const SECRET = 'periwinkle';
const FORMATS = ['html', 'json', 'csv', 'junit'];

const service = useTenant();
let anna: Person;
let ben: Person;
let stranger: ApiClient;
let dataset: string;
let paths: string[];

beforeAll(async () => {
  anna = await personOf(service.admin, service.owner.email);
  ben = await addMember(anna, 'ben@example.com', 'editor');
  stranger = (await addTenant(service.platform, 'Elsewhere', 'carla@example.com')).client;
  dataset = await anna.client.createDataset(`The ${SECRET} machines`, { acl: 'all_team_members' });
  const open = await anna.client.createDataset('Open', { acl: 'all_team_members' });
  const content = `The ${SECRET} pump is serviced every 500 hours by the workshop.`;
  await ingest(anna.client, dataset, { name: `${SECRET}.txt`, content });
  await ingest(anna.client, open, { name: 'open.txt', content: 'The gate is opened every 3 hours by the staff.' });
  const cases = [
    { query: `Where does the ${SECRET} pump stand?`, relevant: [{ text: `${SECRET} valve` }], tags: [SECRET] },
    { query: 'When is the gate opened?', relevant: [{ text: 'gate is opened' }] },
  ];
  const { client } = anna;
  const set = await client.post<{ id: string }>('/evaluations/case-sets', {
    name: SECRET,
    dataset_ids: [dataset, open],
    cases,
  });
  const made = await client.post<{ id: string }>('/evaluations/case-sets/generate', {
    dataset_id: open,
    count: 4,
    method: 'rules',
    unanswerable_from: [dataset],
    name: SECRET,
  });
  // It searches the open dataset alone: its cases come from a set of both.
  const job = await client.post<{ id: string }>('/evaluations/jobs', {
    name: SECRET,
    dataset_ids: [open],
    case_set_id: set.id,
    variants: [{ name: SECRET, retrieval: { search_method: 'keyword' }, chat: {} }],
    gates: [{ metric: 'hit_rate', min: 0.9 }],
  });
  await until(
    async () => (await client.get<{ status: string }>(`/evaluations/jobs/${job.id}`)).status === 'completed',
    { what: 'the end of the evaluation', withinMs: 60_000, everyMs: 50 },
  );
  await until(
    async () =>
      (await client.get<{ generation: { status: string } }>(`/evaluations/case-sets/${made.id}`)).generation.status ===
      'completed',
    { what: 'the cases', withinMs: 60_000, everyMs: 50 },
  );
  const of = `/evaluations/jobs/${job.id}`;
  paths = [
    `/evaluations/case-sets/${set.id}`,
    `/evaluations/case-sets/${set.id}?version=1`,
    `/evaluations/case-sets/${made.id}`,
    of,
    `${of}/results`,
    `${of}/results?misses=true`,
    `${of}/events`,
    ...FORMATS.map((format) => `${of}/report?format=${format}`),
  ];
});

interface Read {
  readonly status: number;
  readonly text: string;
}

async function read({ url, headers }: ApiClient, path: string): Promise<Read> {
  const answer = await fetch(`${url}${path}`, { headers: { ...headers, accept: 'application/json' } });
  return { status: answer.status, text: await answer.text() };
}

const lists = [`/evaluations/case-sets?limit=100`, `/evaluations/jobs?limit=100&order_by=name`];

describe('what an evaluation and its cases tell', () => {
  it('is told to who sees all datasets that they are about', async () => {
    const told = await Promise.all(paths.map((path) => read(ben.client, path)));
    expect(told.map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(told.filter(({ text }) => text.includes(SECRET)).length).toBeGreaterThanOrEqual(paths.length - 1);
  });

  it.each(['another tenant', 'a colleague once a dataset is only its owner’s'])('is not told to %s', async (who) => {
    const client = who === 'another tenant' ? stranger : ben.client;
    if (client === ben.client) await anna.client.send('PATCH', `/datasets/${dataset}`, { acl: 'only_me' });
    for (const path of paths) {
      const { status, text } = await read(client, path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain(SECRET);
    }
    for (const path of [
      ...lists,
      `/evaluations/case-sets?dataset_id=${dataset}`,
      `/evaluations/jobs?dataset_id=${dataset}`,
    ]) {
      const { status, text } = await read(client, path);
      expect([path, status]).toEqual([path, 200]);
      expect(JSON.parse(text)).toMatchObject({ items: expect.any(Array) });
      expect(text).not.toContain(SECRET);
    }
  });
});
