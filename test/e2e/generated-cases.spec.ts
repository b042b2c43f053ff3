import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient, Page } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, personOf, withApiKey, type Person } from '../support/people.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const NEVER = '01900000-0000-7000-8000-000000000000';
const MACHINES = [
  'The hydraulic pump is serviced every 500 hours by the workshop. It stands in the hall.',
  'Die Turbine wird alle drei Monate von der Werkstatt gewartet. Sie steht in der Halle.',
  'La chaudière est contrôlée toutes les 200 heures. Elle se trouve dans la cave.',
  'El compresor se revisa cada 90 días en el taller. Está en el patio.',
  '变速箱每600小时保养一次。它在三号车间。',
];
const RIVERS = [
  'The Danube is crossed by the old bridge every 12 minutes in summer. The ferry was built in 1932.',
  'The old bridge was opened in March 1932. Every member can borrow five boats at a time.',
];

interface Case {
  readonly query: string;
  readonly relevant: readonly { readonly text: string }[];
  readonly expected_answer: string | null;
  readonly answerable: boolean;
  readonly approved: boolean;
  readonly generated: boolean;
  readonly source_document_id: string | null;
  readonly place: number;
  readonly outdated: boolean;
}
interface CaseSet {
  readonly id: string;
  readonly case_count: number;
  readonly unapproved_count: number;
  readonly outdated_count: number;
  readonly cases: readonly Case[];
  readonly generation: {
    readonly status: string;
    readonly error: { readonly code: string } | null;
  } | null;
}

const service = useTenant();
let anna: Person;
let ben: Person;
let machines: string;
let rivers: string;
const documents: string[] = [];

beforeAll(async () => {
  anna = await personOf(service.admin, service.owner.email);
  ben = await addMember(anna, 'ben@example.com', 'editor');
  machines = await anna.client.createDataset('Machines', { acl: 'all_team_members' });
  rivers = await anna.client.createDataset('Rivers', { acl: 'all_team_members' });
  for (const [n, content] of MACHINES.entries())
    documents.push((await ingest(anna.client, machines, { name: `${n}.txt`, content })).id);
  // A sentence of the machines: what it asks is answered there.
  for (const [n, content] of [...RIVERS, MACHINES[0]!].entries())
    await ingest(anna.client, rivers, { name: `${n}.txt`, content });
});

const generate = (body: object, client: ApiClient = ben.client): Promise<CaseSet> =>
  client.post<CaseSet>('/evaluations/case-sets/generate', {
    dataset_id: machines,
    count: 20,
    method: 'rules',
    ...body,
  });
const read = (id: string): Promise<CaseSet> => ben.client.get<CaseSet>(`/evaluations/case-sets/${id}`);

async function made(body: object): Promise<CaseSet> {
  const { id, generation } = await generate(body);
  expect(generation).toMatchObject({ status: expect.stringMatching(/pending|running|completed/) });
  let set: CaseSet | undefined;
  await until(
    async () => {
      set = await read(id);
      return !['pending', 'running'].includes(set.generation!.status);
    },
    { what: 'the end of the generation', withinMs: 30_000, everyMs: 50 },
  );
  return set!;
}

describe('cases made of documents', () => {
  it('ask in the language of the sentence, name what answers, and wait to be approved', async () => {
    const set = await made({ name: 'Of machines' });
    expect(set).toMatchObject({ generation: { status: 'completed', error: null }, case_count: 5, unapproved_count: 5 });
    expect(set.cases.map(({ query }) => query).sort()).toEqual(
      [
        'How often is the hydraulic pump serviced by the workshop?',
        'Wie oft wird die Turbine von der Werkstatt gewartet?',
        'À quelle fréquence est-ce que la chaudière est contrôlée ?',
        '¿Con qué frecuencia se revisa el compresor en el taller?',
        '变速箱每隔多长时间保养一次？',
      ].sort(),
    );
    const pump = set.cases.find(({ query }) => query.includes('pump'))!;
    expect(pump).toMatchObject({
      relevant: [{ text: 'The hydraulic pump is serviced every 500 hours by the workshop.' }],
      expected_answer: 'every 500 hours',
      answerable: true,
      generated: true,
      approved: false,
      source_document_id: documents[0],
    });
    const body = { name: 'n', dataset_ids: [machines], case_set_id: set.id };
    expectInvalid(await ben.client.send('POST', '/evaluations/jobs', body), ['/case_set_id']);
    const approved = await ben.client.send('PATCH', `/evaluations/case-sets/${set.id}`, { approve: [pump.place] });
    expect(approved.body).toMatchObject({ version: 2, case_count: 5, unapproved_count: 4 });
    expect(await ben.client.post('/evaluations/jobs', body)).toMatchObject({ case_count: 1 });
  });

  it('are the same for the same seed', async () => {
    const one = await made({ count: 3, seed: 7 });
    const two = await made({ count: 3, seed: 7 });
    const plain = ({ cases }: CaseSet): unknown => cases.map(({ query, relevant }) => [query, relevant]);
    expect(one.cases).toHaveLength(3);
    expect(plain(two)).toEqual(plain(one));
    expect(plain(await made({ count: 3, seed: 8 }))).not.toEqual(plain(one));
  });

  it('have no answer where they come from other subjects', async () => {
    const set = await made({ count: 10, unanswerable_from: [rivers] });
    const without = set.cases.filter(({ answerable }) => !answerable);
    expect(without).toHaveLength(2);
    expect(without.every(({ relevant, expected_answer: e }) => relevant.length === 0 && e === null)).toBe(true);
    expect(without.map(({ query }) => query).join()).not.toContain('pump');
  });

  it('are shown to no one who does not see all datasets that they were made of', async () => {
    const set = await made({ unanswerable_from: [rivers] });
    await anna.client.send('PATCH', `/datasets/${rivers}`, { acl: 'only_me' });
    const answer = await ben.client.send('GET', `/evaluations/case-sets/${set.id}`);
    expectProblem(answer, 404, 'evaluations.case_set_not_found');
    expectProblem(
      await ben.client.send('POST', '/evaluations/case-sets/generate', {
        dataset_id: machines,
        count: 5,
        method: 'rules',
        unanswerable_from: [rivers],
      }),
      404,
      'datasets.not_found',
    );
    await anna.client.send('PATCH', `/datasets/${rivers}`, { acl: 'all_team_members' });
  });

  it('say so where no sentence can be turned into a question', async () => {
    const empty = await anna.client.createDataset('Empty', { acl: 'all_team_members' });
    const set = await made({ dataset_id: empty });
    expect(set).toMatchObject({ generation: { status: 'failed', error: { code: 'evaluations.nothing_to_ask' } } });
  });
});

describe('a case made of a document', () => {
  const GONE = 'sentinel';
  async function prepared(
    name: string,
  ): Promise<{ readonly set: CaseSet; readonly job: string; readonly document: string }> {
    const dataset = await anna.client.createDataset(name, { acl: 'all_team_members' });
    const content = `The ${GONE} machine is serviced every 700 hours by the workshop.`;
    const { id: document } = await ingest(anna.client, dataset, { name: 'a.txt', content });
    await ingest(anna.client, dataset, { name: 'b.txt', content: 'The other machine is serviced every 300 hours.' });
    const set = await made({ dataset_id: dataset });
    const path = `/evaluations/case-sets/${set.id}`;
    await ben.client.send('PATCH', path, { approve_all: true });
    // Sent back without its document by someone who edits it.
    const edited = set.cases.map(({ query, relevant }) => ({ query: `${query} `, relevant }));
    await ben.client.send('PATCH', path, { cases: edited });
    const job = await ben.client.post<{ id: string }>('/evaluations/jobs', {
      name: 'n',
      dataset_ids: [dataset],
      case_set_id: set.id,
    });
    await until(
      async () => (await ben.client.get<{ status: string }>(`/evaluations/jobs/${job.id}`)).status === 'completed',
      { what: 'the end of the evaluation', withinMs: 30_000, everyMs: 50 },
    );
    return { set, job: job.id, document };
  }
  async function everywhere({ set, job }: { set: CaseSet; job: string }): Promise<string> {
    const paths = [1, 2, 3].map((version) => `/evaluations/case-sets/${set.id}?version=${version}`);
    const reports = ['html', 'json', 'csv', 'junit'].map(
      (format) => `/evaluations/jobs/${job}/report?format=${format}`,
    );
    const { url, headers } = ben.client;
    const texts = [...paths, ...reports, `/evaluations/jobs/${job}`, `/evaluations/jobs/${job}/results`].map(
      async (path) => {
        const answer = await fetch(`${url}${path}`, { headers });
        expect(answer.status).toBe(200);
        return answer.text();
      },
    );
    return (await Promise.all(texts)).join('\n');
  }

  it.each([
    ['deleted', 'Deleted', (id: string) => anna.client.send('DELETE', `/documents/${id}`)],
    [
      'put into quarantine',
      'Quarantined',
      (document: string) =>
        anna.client.send('POST', '/governance/quarantine', { document_ids: [document], reason: 'personal' }),
    ],
  ])('goes from sets, evaluations and reports when that is %s', async (_, name, close) => {
    const { document, ...kept } = await prepared(name);
    expect(await everywhere(kept)).toContain(GONE);
    expect((await close(document)).status).toBeLessThan(300);
    const left = await everywhere(kept);
    expect(left).not.toContain(GONE);
    expect(left).toContain('removed with its document');
    expect(await read(kept.set.id)).toMatchObject({
      case_count: 1,
      cases: [{ query: expect.stringContaining('other') }],
    });
    expect(await ben.client.get<Page<CaseSet>>('/evaluations/case-sets?limit=1&order_by=-created_at')).toMatchObject({
      items: [{ case_count: 1 }],
    });
    const body = { cases: [{ query: 'a', relevant: [{ text: 'b' }], source_document_id: document }] };
    const answer = await ben.client.send('PATCH', `/evaluations/case-sets/${kept.set.id}`, body);
    expectInvalid(answer, ['/cases/0/source_document_id']);
  });
});

describe('a case whose document has changed', () => {
  const KEPT = 'The kept machine is serviced every 700 hours by the workshop.';
  const DROPPED = 'The dropped machine is serviced every 300 hours by the workshop.';
  let dataset: string;
  let document: string;
  let path: string;

  beforeAll(async () => {
    dataset = await anna.client.createDataset('Changing', { acl: 'all_team_members' });
    document = (await ingest(anna.client, dataset, { name: 'a.txt', content: `${KEPT}\n\n${DROPPED}` })).id;
    const set = await made({ dataset_id: dataset });
    expect(set).toMatchObject({ case_count: 2, outdated_count: 0 });
    path = `/evaluations/case-sets/${set.id}`;
    await ben.client.send('PATCH', path, { approve_all: true });
  });
  const revise = async (content: string): Promise<void> => {
    const revised = await ingest(anna.client, dataset, { name: 'a.txt', content }, { on_duplicate: 'new_revision' });
    expect(revised).toMatchObject({ id: document, status: 'completed' });
  };
  const marks = async (): Promise<unknown> => {
    const { cases } = await ben.client.get<CaseSet>(path);
    return Object.fromEntries(cases.map(({ relevant, outdated }) => [relevant[0]!.text, outdated]));
  };
  const start = () =>
    ben.client.send<{ case_count: number; outdated_cases: number }>('POST', '/evaluations/jobs', {
      name: 'n',
      dataset_ids: [dataset],
      case_set_id: path.split('/').at(-1),
    });

  it('is marked and left out of evaluations when its sentence is gone, and counts again when that is back', async () => {
    expect(await marks()).toEqual({ [KEPT]: false, [DROPPED]: false });
    await revise(`New first words.\n\n${KEPT.toUpperCase()}`);
    expect(await ben.client.get('/evaluations/case-sets?limit=1')).toMatchObject({ items: [{ outdated_count: 1 }] });
    expect(await marks()).toEqual({ [KEPT]: false, [DROPPED]: true });
    expect((await start()).body).toMatchObject({ case_count: 1, outdated_cases: 1 });
    await ben.client.send('PATCH', path, { approve_all: true });
    expect(await marks()).toEqual({ [KEPT]: false, [DROPPED]: true });
    const { cases } = await ben.client.get<CaseSet>(path);
    expect((await ben.client.send('PATCH', path, { cases })).status).toBe(200);
    expect(await marks()).toEqual({ [KEPT]: false, [DROPPED]: true });
    await revise('Nothing of it stands here.');
    expectInvalid(await start(), ['/case_set_id']);
    await revise(`${DROPPED} ${KEPT}`);
    expect(await marks()).toEqual({ [KEPT]: false, [DROPPED]: false });
    expect((await start()).body).toMatchObject({ case_count: 2, outdated_cases: 0 });
  });
});

describe('what is wrong with a request for cases', () => {
  it.each([
    [{ count: undefined }, ['/count']],
    [{ count: 0 }, ['/count']],
    [{ count: 2_001 }, ['/count']],
    [{ count: 1.5 }, ['/count']],
    [{ count: '5' }, ['/count']],
    [{ method: undefined }, ['/method']],
    [{ method: 'guess' }, ['/method']],
    [{ method: ['rules'] }, ['/method']],
    [{ dataset_id: undefined }, ['/dataset_id']],
    [{ dataset_id: 'x' }, ['/dataset_id']],
    [{ dataset_id: [] }, ['/dataset_id']],
    [{ seed: -1 }, ['/seed']],
    [{ seed: 'x' }, ['/seed']],
    [{ name: ' ' }, ['/name']],
    [{ name: 'x'.repeat(201) }, ['/name']],
    [{ colour: 1 }, ['/colour']],
    [{ unanswerable_from: 'x' }, ['/unanswerable_from']],
    [{ unanswerable_from: ['x'] }, ['/unanswerable_from']],
    [{ unanswerable_from: [NEVER, NEVER] }, ['/unanswerable_from']],
    [
      { unanswerable_from: Array.from({ length: 11 }, (_, n) => NEVER.replace(/.$/, n.toString(16))) },
      ['/unanswerable_from'],
    ],
  ])('is told with a pointer: %j', async (change, pointers) => {
    const body = { dataset_id: machines, count: 5, method: 'rules', ...change };
    const answer = await ben.client.send('POST', '/evaluations/case-sets/generate', body);
    expect(answer.status).toBe(422);
    const { errors } = answer.body as { errors: readonly { pointer: string }[] };
    expect([...new Set(errors.map(({ pointer }) => pointer))]).toEqual(pointers);
  });

  it('is told where datasets, a model or rights are missing', async () => {
    const send = (change: object, client = ben.client) =>
      client.send('POST', '/evaluations/case-sets/generate', {
        dataset_id: machines,
        count: 5,
        method: 'rules',
        ...change,
      });
    expectProblem(await send({ dataset_id: NEVER }), 404, 'datasets.not_found');
    expectProblem(await send({ unanswerable_from: [NEVER] }), 404, 'datasets.not_found');
    expectInvalid(await send({ unanswerable_from: [machines] }), ['/unanswerable_from/0']);
    expectInvalid(await send({ unanswerable_from: [rivers], count: 1 }), ['/count']);
    const model = await send({ method: 'llm' });
    expectProblem(model, 422, 'evaluations.chat_model_needed');
    expect(model.body).toMatchObject({ errors: [{ pointer: '/method' }] });
    const key = await withApiKey(anna, ['datasets:read', 'evaluations:run']);
    expectProblem(await send({}, key), 403, 'auth.permission_missing');
  });
});
