import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient, Page } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import {
  buildGraph,
  type GraphNode,
  type GraphPart,
  type GraphState,
  type Place,
} from '../support/knowledge-graphs.js';
import { addMember, addTenant, personOf, withApiKey, type Person } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const NEVER = '01900000-0000-7000-8000-000000000000';
const TEXTS = {
  harbour:
    'Harbour Works Ltd was founded by Maren Oxley. Maren Oxley lives in Leeds. Harbour Works Ltd (HWL) owns Tidal Bridge Company.',
  ferry:
    'Quentin Marlow leads Harbour Works Ltd. Quentin Marlow lives in Hull. HWL bought the <Ferry> & "Quay" Company.',
  tide: 'Tidal Bridge Company is based in Grimsby. Ottilie Brandt works for Tidal Bridge Company since 12 March 2021.',
};

interface Entity extends GraphNode {
  readonly aliases: readonly string[];
  readonly evidence: Page<Place>;
  readonly edges: readonly { readonly relation: string }[];
}

const service = useTenant();
/** Anna owns the tenant; Ben is an editor and Vera a viewer of it; Dora owns another tenant. */
let anna: Person;
let ben: Person;
let vera: Person;
let dora: Person;
let dataset: string;
let graph: string;
const documents: Record<string, string> = {};

beforeAll(async () => {
  anna = await personOf(service.admin, service.owner.email);
  ben = await addMember(anna, 'ben@example.com', 'editor');
  vera = await addMember(anna, 'vera@example.com', 'viewer');
  dora = await addTenant(service.platform, 'Elsewhere', 'dora@example.com');
  dataset = await anna.client.createDataset('Coast', { acl: 'all_team_members' });
  for (const [name, content] of Object.entries(TEXTS))
    documents[name] = (await ingest(anna.client, dataset, { name: `${name}.txt`, content })).id;
  graph = await buildGraph(ben.client, dataset);
});

const read = (query = '', client: ApiClient = vera.client): Promise<GraphPart> =>
  client.get<GraphPart>(`/kg/${graph}/graph${query}`);
const labelsOf = ({ nodes }: Pick<GraphPart, 'nodes'>): string[] => nodes.map(({ label }) => label);

describe('a knowledge graph', () => {
  it('says how far it is, by its own id and by that of its dataset', async () => {
    const state = await vera.client.get<GraphState>(`/kg/${graph}`);
    expect(state).toMatchObject({
      id: graph,
      dataset_id: dataset,
      status: 'completed',
      progress: { done: 3, total: 3 },
      documents: { extracted: 3, not_extracted: 0 },
      error: null,
    });
    expect(await vera.client.get(`/kg/${dataset}`)).toEqual(state);
  });

  it('holds entities with their kinds and metrics, and how they belong together', async () => {
    const { nodes, edges, total } = await read();
    const typeOf = Object.fromEntries(nodes.map(({ label, type }) => [label, type]));
    expect(typeOf).toMatchObject({
      'Harbour Works Ltd': 'organisation',
      'Maren Oxley': 'person',
      Leeds: 'place',
      Hull: 'place',
      '12 March 2021': 'date',
    });
    expect(total).toEqual({ nodes: nodes.length, edges: edges.length });
    expect(nodes.reduce((sum, { pagerank }) => sum + pagerank, 0)).toBeCloseTo(1, 4);
    const labelOf = new Map(nodes.map(({ id, label }) => [id, label]));
    const told = edges.map(({ source, target, relation }) => [labelOf.get(source), relation, labelOf.get(target)]);
    expect(told).toContainEqual(['Maren Oxley', 'founded', 'Harbour Works Ltd']);
    expect(told).toContainEqual(['Harbour Works Ltd', 'owns', 'Tidal Bridge Company']);
    expect(told.map(([, relation]) => relation)).toContain('related_to');
  });

  it('leads from each place to the very text', async () => {
    const { nodes } = await read();
    for (const { id, label } of nodes) {
      const entity = await vera.client.get<Entity>(`/kg/${graph}/entities/${id}?limit=100`);
      expect(entity.evidence.items.length).toBe(entity.evidence_count);
      for (const { document_id: document, char_start: start, char_end: end } of entity.evidence.items) {
        const text = await vera.client.get<string>(`/documents/${document}/text?start=${start}&end=${end}`);
        expect([label, ...entity.aliases]).toContain(text);
      }
    }
  });

  it('knows an organisation by its short form', async () => {
    const found = await vera.client.get<Page<GraphNode>>(`/kg/${graph}/entities?q=hwl`);
    expect(labelsOf({ nodes: found.items })).toEqual(['Harbour Works Ltd']);
    const entity = await vera.client.get<Entity>(`/kg/${graph}/entities/${found.items[0]!.id}`);
    expect(entity.aliases).toEqual(['HWL']);
    expect(entity.edges.map(({ relation }) => relation)).toContain('owns');
  });

  it('is read in parts', async () => {
    expect(labelsOf(await read('?q=MAREN'))).toEqual(['Maren Oxley']);
    expect(new Set(labelsOf(await read('?entity_type=place')))).toEqual(new Set(['Leeds', 'Hull', 'Grimsby']));
    const near = await read(`?center=${encodeURIComponent('Maren Oxley')}`);
    expect(near.nodes[0]!.label).toBe('Maren Oxley');
    expect(labelsOf(near)).toEqual(expect.arrayContaining(['Leeds', 'Harbour Works Ltd']));
    expect(labelsOf(near)).not.toContain('Grimsby');
    expect(labelsOf(await read(`?center=${near.nodes[0]!.id}&depth=0`))).toEqual(['Maren Oxley']);
    expect(labelsOf(await read('?center=HWL&depth=2'))).toContain('Grimsby');
    const some = await read('?limit=2');
    expect(some.nodes).toHaveLength(2);
    expect(some.total.nodes).toBeGreaterThan(5);
    expect(await read('?q=nothing+of+this')).toMatchObject({ nodes: [], edges: [], total: { nodes: 0, edges: 0 } });
  });

  it('lists entities by pages, and those of a document', async () => {
    const all = await vera.client.get<Page<GraphNode>>(`/kg/${graph}/entities?limit=100`);
    const second = await vera.client.get<Page<GraphNode>>(`/kg/${graph}/entities?skip=2&limit=2`);
    expect(second).toMatchObject({ items: all.items.slice(2, 4), total: all.total, skip: 2, limit: 2 });
    const own = await vera.client.get<Page<GraphNode>>(`/kg/${graph}/entities?document_id=${documents['tide']}`);
    expect(labelsOf({ nodes: own.items })).toEqual(expect.arrayContaining(['Tidal Bridge Company', 'Grimsby']));
    expect(labelsOf({ nodes: own.items })).not.toContain('Hull');
    expect(await vera.client.get(`/kg/${graph}/entities?document_id=${NEVER}`)).toMatchObject({ items: [], total: 0 });
  });

  it('finds the shortest way between two entities', async () => {
    const path = (query: string) =>
      vera.client.get<GraphPart & { length: number | null }>(`/kg/${graph}/paths?${query}`);
    const way = await path('from=Quentin+Marlow&to=Grimsby');
    expect(labelsOf(way)).toEqual(['Quentin Marlow', 'Harbour Works Ltd', 'Tidal Bridge Company', 'Grimsby']);
    expect(way.length).toBe(3);
    expect(way.edges).toHaveLength(3);
    expect(way.edges[0]!.evidence[0]!.document_id).toBe(documents['ferry']);
    expect(await path('from=Quentin+Marlow&to=Grimsby&max_length=2')).toEqual({ nodes: [], edges: [], length: null });
    expect(await path('from=Hull&to=Hull')).toMatchObject({ nodes: [{ label: 'Hull' }], edges: [], length: 0 });
  });

  it('is written as GraphML and as CSV, with what documents say as data', async () => {
    const xml = await vera.client.send<string>('GET', `/kg/${graph}/graph?format=graphml&limit=2000`);
    expect(xml.headers.get('content-type')).toBe('application/graphml+xml; charset=utf-8');
    expect(xml.headers.get('content-disposition')).toBe('attachment; filename="graph.graphml"');
    expect(xml.body).toContain('<data key="label">Maren Oxley</data>');
    expect(xml.body.match(/<node /g)).toHaveLength((await read()).nodes.length);
    const csv = await vera.client.send<string>('GET', `/kg/${graph}/graph?format=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = csv.body.trimEnd().split('\r\n');
    expect(rows[0]).toMatch(/^kind,id,label,type,/);
    expect(rows.filter((row) => row.startsWith('edge,')).some((row) => row.includes(',founded,'))).toBe(true);
  });

  it('is answered before anybody asked for one', async () => {
    const id = await anna.client.createDataset('Nothing yet');
    expect(await anna.client.get(`/kg/${id}`)).toMatchObject({ id, status: 'empty', progress: null });
    expect(await anna.client.get(`/kg/${id}/graph`)).toMatchObject({ id, nodes: [], edges: [], truncated: false });
    const tried = await anna.client.post('/kg/trigger', { dataset_id: id, dry_run: true });
    expect(tried).toMatchObject({ id, status: 'dry_run', estimate: { documents: 0, model_tokens: 0 } });
  });

  it('says what there would be to do, and does nothing', async () => {
    const body = { dataset_id: dataset, dry_run: true, entity_types: ['place'], document_ids: [documents['tide']] };
    expect(await ben.client.post('/kg/trigger', body)).toMatchObject({
      id: graph,
      status: 'dry_run',
      estimate: { documents: 1, documents_to_extract: 1, chunks: 1, model_tokens: 0 },
    });
    expect(await vera.client.get(`/kg/${graph}`)).toMatchObject({ status: 'completed', progress: { done: 3 } });
  });

  it('is started once for one key', async () => {
    const key = { 'Idempotency-Key': 'graph-once' };
    const send = () => ben.client.send<GraphState>('POST', '/kg/trigger', { dataset_id: dataset }, key);
    const [first, second] = [await send(), await send()];
    expect(first.status).toBe(202);
    expect(second.body).toEqual(first.body);
    await expect
      .poll(async () => (await vera.client.get<GraphState>(`/kg/${graph}`)).status, { timeout: 30_000 })
      .toBe('completed');
  });
});

describe('names of what someone may not see', () => {
  const SECRET = 'Isolde Vandermeer founded Nightjar Holdings in Antwerp. Harbour Works Ltd owns Nightjar Holdings.';
  const HIDDEN = /Isolde|Vandermeer|Nightjar|Antwerp/;

  it('are in no answer about a dataset that is someone else’s alone', async () => {
    const own = await anna.client.createDataset('Secret');
    const { id: document } = await ingest(anna.client, own, { name: 'Isolde.txt', content: SECRET });
    const id = await buildGraph(anna.client, own);
    expect(labelsOf(await anna.client.get<GraphPart>(`/kg/${id}/graph`))).toContain('Nightjar Holdings');
    const key = await withApiKey(anna, ['datasets:read', 'kg:run'], { dataset_ids: [dataset] });
    for (const client of [ben.client, vera.client, dora.client, key]) {
      for (const of of [id, own]) {
        for (const part of [
          '',
          '/graph',
          '/graph?format=csv',
          '/graph?format=graphml',
          '/entities',
          '/paths?from=a&to=b',
        ])
          expectProblem(await client.send('GET', `/kg/${of}${part}`), 404, 'kg.not_found');
      }
      const trigger = await client.send('POST', '/kg/trigger', { dataset_id: own });
      expect(trigger.status).toBe(client === vera.client ? 403 : 404);
    }
    for (const client of [ben.client, vera.client]) {
      const seen = JSON.stringify([
        await client.get(`/kg/${graph}/graph?limit=2000`),
        await client.get(`/kg/${graph}/graph?format=graphml`),
        await client.get(`/kg/${graph}/graph?format=csv`),
        await client.get(`/kg/${graph}/entities?limit=100`),
      ]);
      expect(seen).not.toMatch(HIDDEN);
    }
    expectProblem(
      await ben.client.send('POST', '/kg/trigger', { dataset_id: dataset, document_ids: [document] }),
      404,
      'kg.document_not_found',
    );
  });

  it('are read by those who may read and started by those who may run', async () => {
    expectProblem(
      await vera.client.send('POST', '/kg/trigger', { dataset_id: dataset }),
      403,
      'auth.permission_missing',
    );
    const searcher = await withApiKey(anna, ['retrieval:search']);
    expectProblem(await searcher.send('GET', `/kg/${graph}`), 403, 'auth.permission_missing');
    expectProblem(await service.anonymous.send('GET', `/kg/${graph}`), 401, 'auth.credential_missing');
  });
});

describe('bad requests', () => {
  /** What a refusal names, each once. */
  function wrongOf(answer: Answer<unknown>): string[] {
    const { errors } = expectProblem(answer, 422, 'http.validation_failed');
    for (const { detail } of errors!) expect(detail).toMatch(/\S/);
    return [...new Set(errors!.map(({ pointer }) => pointer))].toSorted();
  }

  it.each([
    [{}, ['/dataset_id']],
    [{ dataset_id: 'coast' }, ['/dataset_id']],
    [{ dataset_id: 7 }, ['/dataset_id']],
    [{ dataset_id: null }, ['/dataset_id']],
    [{ dataset_id: NEVER, mode: 'magic' }, ['/mode']],
    [{ dataset_id: NEVER, mode: 1 }, ['/mode']],
    [{ dataset_id: NEVER, entity_types: [] }, ['/entity_types']],
    [{ dataset_id: NEVER, entity_types: ['animal'] }, ['/entity_types']],
    [{ dataset_id: NEVER, entity_types: 'person' }, ['/entity_types']],
    [{ dataset_id: NEVER, document_ids: [] }, ['/document_ids']],
    [{ dataset_id: NEVER, document_ids: ['x'] }, ['/document_ids']],
    [{ dataset_id: NEVER, document_ids: { 0: NEVER } }, ['/document_ids']],
    [{ dataset_id: NEVER, document_ids: Array.from({ length: 501 }, () => NEVER) }, ['/document_ids']],
    [{ dataset_id: NEVER, budget: { max_tokens: 0 } }, ['/budget/max_tokens']],
    [{ dataset_id: NEVER, budget: { max_tokens: 1.5 } }, ['/budget/max_tokens']],
    [{ dataset_id: NEVER, budget: 5 }, ['/budget']],
    [{ dataset_id: NEVER, budget: [] }, ['/budget']],
    [{ dataset_id: NEVER, budget: { tokens: 5 } }, ['/budget/tokens']],
    [{ dataset_id: NEVER, dry_run: 'yes' }, ['/dry_run']],
    [{ dataset_id: NEVER, colour: 'red' }, ['/colour']],
  ])('the body %j is 422', async (body, pointers) => {
    expect(wrongOf(await ben.client.send('POST', '/kg/trigger', body))).toEqual(pointers);
  });

  it('a body that is no object, no JSON or of another type is refused', async () => {
    const send = (body: unknown, type = 'application/json') =>
      ben.client.send('POST', '/kg/trigger', body, { 'Content-Type': type });
    for (const body of ['[]', '"coast"', 'null', '7']) expect((await send(body)).status, String(body)).toBe(422);
    for (const body of [undefined, '']) expect((await send(body)).status, String(body)).toBe(400);
    expect((await send('{"dataset_id":')).status).toBe(400);
    expect((await send('dataset_id=1', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await send('<a/>', 'text/xml')).status).toBe(415);
  });

  it('a dataset or document that is not there is 404, and a mode without a model is refused with what to send', async () => {
    expectProblem(await ben.client.send('POST', '/kg/trigger', { dataset_id: NEVER }), 404, 'datasets.not_found');
    const unknown = { dataset_id: dataset, document_ids: [documents['tide'], NEVER] };
    expectProblem(await ben.client.send('POST', '/kg/trigger', unknown), 404, 'kg.document_not_found');
    const model = await ben.client.send('POST', '/kg/trigger', { dataset_id: dataset, mode: 'llm' });
    expect(expectProblem(model, 422, 'kg.mode_not_available').detail).toContain('heuristic');
  });

  it.each([
    ['/graph?depth=-1', ['depth']],
    ['/graph?depth=9999', ['depth']],
    ['/graph?depth=1.5', ['depth']],
    ['/graph?depth=two', ['depth']],
    ['/graph?limit=0', ['limit']],
    ['/graph?limit=2001', ['limit']],
    ['/graph?limit=99999999999999999999', ['limit']],
    ['/graph?limit=', ['limit']],
    ['/graph?format=xml', ['format']],
    ['/graph?entity_type=animal', ['entity_type']],
    ['/graph?q=', ['q']],
    [`/graph?q=${'x'.repeat(201)}`, ['q']],
    ['/graph?q=a&q=b', ['q']],
    ['/graph?q=%00', ['q']],
    ['/graph?center=a%00', ['center']],
    ['/graph?center=', ['center']],
    ['/graph?colour=red', ['colour']],
    ['/graph?depth=6&limit=0', ['depth', 'limit']],
    ['/entities?limit=101', ['limit']],
    ['/entities?skip=-1', ['skip']],
    ['/entities?entity_type=', ['entity_type']],
    ['/entities?document_id=x', ['document_id']],
    [`/entities/${NEVER}?limit=0`, ['limit']],
    ['/paths', ['from', 'to']],
    ['/paths?from=a', ['to']],
    ['/paths?from=a&to=b&max_length=0', ['max_length']],
    ['/paths?from=a&to=b&max_length=9', ['max_length']],
  ])('GET %s is 422', async (path, names) => {
    const answer = await vera.client.send('GET', `/kg/${graph}${path}`);
    expect(wrongOf(answer)).toEqual(names.map((name) => `/${name}`));
  });

  it.each(['/graph?center=Nobody+at+all', `/graph?center=${NEVER}`, '/paths?from=Hull&to=Atlantis', '/entities/Hull'])(
    'GET %s is 404',
    async (path) => {
      expectProblem(await vera.client.send('GET', `/kg/${graph}${path}`), 404, 'kg.entity_not_found');
    },
  );

  it.each(['', '/graph', '/entities', `/entities/${NEVER}`, '/paths?from=a&to=b'])(
    'GET /kg/{id}%s is 404 for an id that is none',
    async (path) => {
      for (const id of [NEVER, 'coast', '1', '%00', "'%20OR%201=1", '%F0%9F%A6%86'])
        expectProblem(await vera.client.send('GET', `/kg/${id}${path}`), 404, 'kg.not_found');
    },
  );

  it.each(['%F0%9F%A6%86', '()[]{}*+?.%5C', '%25_%27', '%3Cscript%3E'])(
    'strange characters are looked for like others: %s',
    async (q) => {
      expect(labelsOf(await read(`?q=${q}`))).toEqual([]);
      expectProblem(await vera.client.send('GET', `/kg/${graph}/graph?center=${q}`), 404, 'kg.entity_not_found');
    },
  );
});
