import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { personOf, withApiKey } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

/** Two specs that run in the same service at the same time, as far as what they share goes. */
const tenants = { ochre: useTenant(), teal: useTenant() };
type Colour = keyof typeof tenants;

/** In all that a tenant has, and in nothing of the other one. */
const WORDS: Readonly<Record<Colour, string>> = { ochre: 'ochrewort', teal: 'tealbracken' };
const PAIRS = [
  ['ochre', 'teal'],
  ['teal', 'ochre'],
] as const;
/** Lists in which each tenant finds what it has made. */
const FILLED = [
  '/auth/api-keys',
  '/datasets/',
  '/datasets/categories/tree',
  '/documents/',
  '/documents/facets',
  '/conversations',
  '/evaluations/case-sets',
  '/webhooks',
  '/governance/audit-log',
];

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, { content?: object }>> }>>>
  >;
}

/** What is read without the name of anything. */
function readsOfAll(): string[] {
  const text = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  return Object.entries((JSON.parse(text) as Description).paths)
    .filter(([path, { get }]) => get !== undefined && !path.includes('{'))
    .filter(([, { get }]) => !('text/event-stream' in (get!.responses['200']?.content ?? {})))
    .map(([path]) => path.replace('/api/v1', ''));
}

/** What a tenant has, by the path that leads to it. */
const made = new Map<Colour, { readonly dataset: string; readonly paths: readonly string[] }>();

async function fill(client: ApiClient, email: string, word: string): Promise<void> {
  const me = await personOf(client, email);
  await withApiKey(me, ['datasets:read'], { name: word });
  const { id: category } = await client.post<{ id: string }>('/datasets/categories', { name: word });
  const dataset = await client.createDataset(word, { category_ids: [category] });
  const content = `The lamp is kept by ${word}, which the keeper waters.`;
  const { id: document } = await ingest(client, dataset, { name: `${word}.txt`, content }, { tags: word });
  const { id: conversation } = await client.post<{ id: string }>('/conversations', { title: word });
  const messages = [{ role: 'user', content: 'By what is the lamp kept?' }];
  await client.post('/chat/completions', { messages, dataset_ids: [dataset], conversation_id: conversation });
  const cases = [{ query: word, relevant: [{ document_id: document }] }];
  const { id: caseSet } = await client.post<{ id: string }>('/evaluations/case-sets', {
    name: word,
    dataset_ids: [dataset],
    cases,
  });
  const hook = { url: `https://${word}.invalid/`, events: ['kg.completed'] };
  const { id: webhook } = await client.post<{ id: string }>('/webhooks', hook);
  made.set(word === WORDS.ochre ? 'ochre' : 'teal', {
    dataset,
    paths: [
      `/datasets/${dataset}`,
      `/datasets/${dataset}/health`,
      `/documents/${document}`,
      `/documents/${document}/chunks`,
      `/conversations/${conversation}`,
      `/evaluations/case-sets/${caseSet}`,
      `/webhooks/${webhook}`,
    ],
  });
}

describe('two tenants of a shared service', () => {
  beforeAll(async () => {
    for (const [colour, { admin, owner }] of Object.entries(tenants) as [Colour, (typeof tenants)[Colour]][])
      await fill(admin, owner.email, WORDS[colour]);
  });

  it('are in one process', () => {
    expect(tenants.ochre.url).toBe(tenants.teal.url);
    expect(tenants.ochre.owner.email).not.toBe(tenants.teal.owner.email);
  });

  it.each(readsOfAll())('see what is their own and nothing of each other by %s', async (path) => {
    for (const [own, other] of PAIRS) {
      const { body } = await tenants[own].admin.send('GET', path);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      expect(text).not.toContain(WORDS[other]);
      if (FILLED.includes(path)) expect(text).toContain(WORDS[own]);
    }
  });

  it.each(PAIRS)('find what %s has made, and nothing of %s', async (own, other) => {
    const { admin } = tenants[own];
    for (const path of made.get(own)!.paths) expect((await admin.send('GET', path)).status, path).toBe(200);
    for (const path of made.get(other)!.paths) expectProblem(await admin.send('GET', path), 404, /not_found$/);
  });

  it.each(PAIRS)('search and ask in what %s has, and are refused in what %s has', async (own, other) => {
    const { admin } = tenants[own];
    const query = `${WORDS.ochre} ${WORDS.teal} lamp`;
    for (const search_method of ['keyword', 'vector', 'hybrid']) {
      const { results } = await admin.search(query, [made.get(own)!.dataset], { search_method });
      expect(results.map(({ text }) => text).join()).toContain(WORDS[own]);
      expect(results.map(({ text }) => text).join()).not.toContain(WORDS[other]);
    }
    const dataset_ids = [made.get(other)!.dataset];
    const messages = [{ role: 'user', content: 'By what is the lamp kept?' }];
    expectProblem(await admin.send('POST', '/retrieval/search', { query, dataset_ids }), 404, /not_found$/);
    expectProblem(await admin.send('POST', '/chat/completions', { messages, dataset_ids }), 404, /not_found$/);
  });
});
