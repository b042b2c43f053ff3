import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { buildGraph, drawnIn, type GraphPart } from '../support/knowledge-graphs.js';
import { addMember, addTenant, personOf, withApiKey, type Person } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const NEVER = '01900000-0000-7000-8000-000000000000';
const EVIL = '</script><img src=x onerror=alert(1)>';
/** A term that a document defines, as long as extraction takes one for a name. */
const EVIL_NAME = `X${EVIL}`;
const TEXTS = {
  harbour:
    'Harbour Works Ltd was founded by Maren Oxley. Maren Oxley lives in Leeds. Harbour Works Ltd (HWL) is known.',
  evil: `Quentin Marlow leads Harbour Works Ltd. ${EVIL} Quentin Marlow lives in Hull. The "${EVIL_NAME}" means a bridge.`,
};
const SECRET = 'Isolde Vandermeer founded Nightjar Holdings in Antwerp. Harbour Works Ltd owns Nightjar Holdings.';
const HIDDEN = /Isolde|Vandermeer|Nightjar|Antwerp/;

const service = useTenant();
/** Anna owns the tenant; Ben is its administrator and Vera a viewer; Dora owns another tenant. */
let anna: Person;
let ben: Person;
let vera: Person;
let dora: Person;
let dataset: string;
let graph: string;

beforeAll(async () => {
  anna = await personOf(service.admin, service.owner.email);
  ben = await addMember(anna, 'ben@example.com', 'admin');
  vera = await addMember(anna, 'vera@example.com', 'viewer');
  dora = await addTenant(service.platform, 'Elsewhere', 'dora@example.com');
  dataset = await anna.client.createDataset(`Coast ${EVIL}`, { acl: 'all_team_members' });
  for (const [name, content] of Object.entries(TEXTS))
    await ingest(anna.client, dataset, { name: `${name}.txt`, content });
  graph = await buildGraph(ben.client, dataset);
});

const view = (query = '', client: ApiClient = vera.client, id = graph) =>
  client.send<string>('GET', `/kg/${id}/view${query}`);
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the page of a knowledge graph', () => {
  it('is one page that runs its own scripts alone and loads nothing', async () => {
    const { status, headers, body } = await view();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('inline; filename="graph.html"');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const policy = headers.get('content-security-policy')!;
    const inline = [...body.matchAll(/<(script|style)(?: id="_\w+")?>([^]*?)<\/\1>/g)];
    expect(inline.map(([, tag]) => tag)).toEqual(['style', 'script', 'script']);
    const [style, library, own] = inline.map(([, , text]) => hashOf(text!));
    expect(policy).toBe(
      `default-src 'none'; script-src ${library} ${own}; style-src ${style}; img-src data:; base-uri 'none'; ` +
        `form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts`,
    );
    expect(body.split('<script id="data"')[0]).not.toMatch(/\ssrc=|href="(?!data:,")|<iframe|<object| on[a-z]+=/);
  });

  it('draws what GET /kg/{id}/graph reads, the same each time, by the id of the dataset as well', async () => {
    const { body } = await view('?limit=100');
    const told = await vera.client.get<GraphPart>(`/kg/${graph}/graph?limit=100`);
    const drawn = drawnIn(body);
    expect(drawn.nodes.map(({ id, label, type, degree }) => ({ id, label, type, degree }))).toEqual(
      told.nodes.map(({ id, label, type, degree }) => ({ id, label, type, degree })),
    );
    expect(
      drawn.edges.map(([source, target, relation]) => [drawn.nodes[source]!.id, drawn.nodes[target]!.id, relation]),
    ).toEqual(told.edges.map(({ source, target, relation }) => [source, target, relation]));
    expect(drawn.total).toEqual(told.total);
    expect((await view('?limit=100', vera.client, dataset)).body).toBe(body);
    const near = drawnIn((await view('?center=Maren+Oxley&depth=1&limit=3')).body);
    expect(near.nodes[0]!.label).toBe('Maren Oxley');
    expect(near.nodes.length).toBeLessThanOrEqual(3);
    const places = drawnIn((await view('?entity_type=place&q=l')).body);
    expect(places.nodes.map(({ label }) => label).toSorted()).toEqual(['Hull', 'Leeds']);
  });

  it('quotes what each entity rests on, with the way to it', async () => {
    const drawn = drawnIn((await view()).body);
    for (const { label, aliases, places } of drawn.nodes) {
      expect(places.length).toBeGreaterThan(0);
      for (const { document, start, end, before, named, after } of places) {
        const [id, name] = drawn.documents[document]!;
        expect(name).toMatch(/^(harbour|evil)\.txt$/);
        expect([label, ...aliases]).toContain(named);
        const text = await vera.client.get<string>(
          `/documents/${id}/text?start=${start - before!.length}&end=${end + after!.length}`,
        );
        expect(text).toBe(`${before}${named}${after}`);
      }
    }
  });

  it('holds what users wrote as data alone', async () => {
    const { body } = await view();
    expect(body).not.toContain('<img');
    expect(body.match(/<\/script/g)).toHaveLength(3);
    const drawn = drawnIn(body);
    expect(drawn.dataset).toBe(`Coast ${EVIL}`);
    expect(drawn.nodes.map(({ label }) => label)).toContain(EVIL_NAME);
  });

  it('is there for a dataset without anything extracted', async () => {
    const id = await anna.client.createDataset('Nothing yet');
    expect(drawnIn((await view('', anna.client, id)).body)).toMatchObject({ nodes: [], edges: [], documents: [] });
  });
});

describe('what someone may not see', () => {
  it('is in no page: a dataset that is someone else’s alone, another tenant’s', async () => {
    const own = await anna.client.createDataset('Secret');
    await ingest(anna.client, own, { name: 'Isolde.txt', content: SECRET });
    const id = await buildGraph(anna.client, own);
    expect((await view('', anna.client, id)).body).toMatch(HIDDEN);
    const key = await withApiKey(anna, ['datasets:read', 'documents:read'], { dataset_ids: [dataset] });
    for (const client of [ben.client, vera.client, dora.client, key])
      for (const of of [id, own]) expectProblem(await view('', client, of), 404, 'kg.not_found');
    for (const client of [ben.client, vera.client, key])
      expect((await view('?limit=2000', client)).body).not.toMatch(HIDDEN);
    expectProblem(await view('', dora.client), 404, 'kg.not_found');
  });

  it('is in no page: a document while it is in quarantine, or deleted', async () => {
    const id = await anna.client.createDataset('Changing', { acl: 'all_team_members' });
    await ingest(anna.client, id, { name: 'harbour.txt', content: TEXTS.harbour });
    const { id: document } = await ingest(anna.client, id, { name: 'Isolde.txt', content: SECRET });
    await buildGraph(anna.client, id);
    const read = async (): Promise<string> => (await view('?limit=2000', vera.client, id)).body;
    expect(await read()).toMatch(HIDDEN);
    await anna.client.post('/governance/quarantine', { document_ids: [document], reason: 'manual' });
    expect(await read()).not.toMatch(HIDDEN);
    await anna.client.post('/governance/quarantine/release', { document_ids: [document] });
    await anna.client.pollUntilTerminal(document);
    expect(await read()).toMatch(HIDDEN);
    await anna.client.delete(`/documents/${document}`);
    expect(await read()).not.toMatch(HIDDEN);
  });

  it('is left out for a key that may not read documents', async () => {
    const key = await withApiKey(anna, ['datasets:read']);
    const drawn = drawnIn((await view('', key)).body);
    expect(drawn.nodes.map(({ label }) => label)).toContain('Maren Oxley');
    expect(drawn.documents.map(([, name]) => name)).toEqual(drawn.documents.map(() => null));
    expect(JSON.stringify(drawn)).not.toMatch(/before|founded by|\.txt/);
    const searcher = await withApiKey(anna, ['retrieval:search']);
    expectProblem(await view('', searcher), 403, 'auth.permission_missing');
    expectProblem(await view('', service.anonymous), 401, 'auth.credential_missing');
  });
});

describe('bad requests', () => {
  it.each([
    ['?depth=-1', ['/depth']],
    ['?depth=6', ['/depth']],
    ['?limit=0', ['/limit']],
    ['?limit=2001', ['/limit']],
    ['?limit=x', ['/limit']],
    ['?entity_type=animal', ['/entity_type']],
    ['?q=', ['/q']],
    ['?q=%00', ['/q']],
    ['?center=', ['/center']],
    ['?format=html', ['/format']],
  ])('%s is 422', async (query, pointers) => {
    const { errors } = expectProblem(await view(query), 422, 'http.validation_failed');
    expect([...new Set(errors!.map(({ pointer }) => pointer))].toSorted()).toEqual(pointers);
    for (const { detail } of errors!) expect(detail).toMatch(/\S/);
  });

  it('a centre or a graph that is not there is 404', async () => {
    expectProblem(await view('?center=Nobody'), 404, 'kg.entity_not_found');
    for (const id of [NEVER, 'coast', '%00', '%3Cscript%3E'])
      expectProblem(await view('', vera.client, id), 404, 'kg.not_found');
  });
});
