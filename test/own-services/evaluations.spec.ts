import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { readSse, type ApiClient, type Page } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, personOf, type Person } from '../support/people.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { useService } from '../support/service-process.js';

const NEVER = '01900000-0000-7000-8000-000000000000';
const TOPICS = ['pump', 'valve', 'turbine', 'boiler', 'gearbox', 'compressor', 'bearing', 'piston'];

interface Job {
  readonly id: string;
  readonly status: string;
  readonly verdict: string | null;
  readonly progress: { readonly steps: number; readonly steps_done: number };
  readonly error: { readonly code: string } | null;
  readonly summary: {
    readonly variants: readonly {
      readonly metrics: Readonly<Record<string, { readonly mean: number; readonly low: number; readonly n: number }>>;
      readonly groups: readonly { readonly tag: string }[];
      readonly misses: number;
      readonly causes: readonly {
        readonly code: string;
        readonly count: number;
        readonly fix: { readonly action: string; readonly mends: number; readonly tried: number } | null;
      }[];
    }[];
    readonly comparisons: readonly { readonly difference: number; readonly against_baseline: boolean }[];
    readonly gates: readonly { readonly verdict: string }[];
    readonly content_changed: boolean;
  } | null;
}

interface Result {
  readonly metrics: Readonly<Record<string, number>>;
  readonly miss: { readonly code: string; readonly replay: { readonly path: string; readonly body: object } } | null;
}

const service = useService();
/** Anna owns the tenant, Ben is an editor of it. */
let anna: Person;
let ben: Person;
let dataset: string;
let cases: object[];

beforeAll(async () => {
  anna = await personOf(service.admin, service.process.admin.email);
  ben = await addMember(anna, 'ben@example.com', 'editor');
  dataset = await anna.client.createDataset('Machines', { acl: 'all_team_members' });
  cases = [];
  for (const topic of TOPICS) {
    const content = `The ${topic} is serviced every ${topic.length * 100} hours by the workshop.`;
    const { id } = await ingest(anna.client, dataset, { name: `${topic}.txt`, content });
    cases.push({ query: `When is the ${topic} serviced?`, relevant: [{ document_id: id }], tags: [topic.slice(0, 1)] });
  }
});

const start = (client: ApiClient, body: object): Promise<Job> =>
  client.post<Job>('/evaluations/jobs', { name: 'Machines', dataset_ids: [dataset], cases, ...body });

async function ended(client: ApiClient, { id }: Job): Promise<Job> {
  let job: Job | undefined;
  await until(
    async () => {
      job = await client.get<Job>(`/evaluations/jobs/${id}`);
      return job.status !== 'pending' && job.status !== 'running';
    },
    { what: 'the end of the evaluation', withinMs: 60_000, everyMs: 50 },
  );
  return job!;
}

describe('an evaluation', () => {
  it('measures, compares, judges and explains', async () => {
    const body = {
      variants: [
        { name: 'good', retrieval: { search_method: 'keyword' } },
        { name: 'strict', retrieval: { search_method: 'keyword', score_threshold: 0.999 } },
      ],
      metrics: ['hit_rate', 'ndcg'],
      k: [3],
      gates: [{ metric: 'hit_rate', min: 0.6, max_regression: 0.1 }],
    };
    const job = await ended(ben.client, await start(ben.client, body));
    expect(job).toMatchObject({ status: 'completed', verdict: 'fail', progress: { steps: 16, steps_done: 16 } });
    const [good, strict] = job.summary!.variants;
    expect(good!.metrics['hit_rate@3']).toMatchObject({ mean: 1, n: 8, low: expect.closeTo(0.631, 3) });
    expect(good!.groups.map(({ tag }) => tag)).toContain('b');
    expect(strict!.misses).toBe(8);
    expect(strict!.causes[0]).toMatchObject({
      code: 'BELOW_SCORE_THRESHOLD',
      count: 8,
      fix: { action: 'LOWER_THRESHOLD', tried: 8, mends: 8 },
    });
    expect(job.summary!.gates.map(({ verdict }) => verdict)).toEqual(['pass', 'fail', 'fail']);
    expect(job.summary!.content_changed).toBe(false);
    const misses = await ben.client.get<Page<Result>>(`/evaluations/jobs/${job.id}/results?misses=true&limit=3`);
    expect(misses).toMatchObject({ total: 8, items: [{ metrics: { 'hit_rate@3': 0 } }, {}, {}] });
    const { replay } = misses.items[0]!.miss!;
    const path = replay.path.replace('/api/v1', '');
    expect(await ben.client.post(path, replay.body)).toMatchObject({ code: 'BELOW_SCORE_THRESHOLD' });
  });

  it('compares with a baseline, and equals never fail', async () => {
    const options = { variants: [{ name: 'a', retrieval: { search_method: 'keyword' } }] };
    const baseline = await ended(ben.client, await start(ben.client, options));
    const gates = [{ metric: 'ndcg@10', max_regression: 0 }];
    const again = await start(ben.client, { ...options, baseline_job_id: baseline.id, gates });
    const job = await ended(ben.client, again);
    expect(job).toMatchObject({ verdict: 'pass' });
    expect(job.summary!.comparisons[0]).toMatchObject({ against_baseline: true, difference: 0 });
  });

  it('tells its events to a stream and to a list, from any of them on', async () => {
    const { id } = await ended(ben.client, await start(ben.client, {}));
    const path = `/evaluations/jobs/${id}/events`;
    const list = await ben.client
      .with({ accept: 'application/json' })
      .get<{ items: { id: number; type: string }[] }>(path);
    expect(list.items[0]).toMatchObject({ id: 1, type: 'evaluation.started' });
    expect(list.items.at(-1)).toMatchObject({ type: 'evaluation.completed' });
    const answer = await fetch(`${ben.client.url}${path}`, {
      headers: { ...ben.client.headers, accept: 'text/event-stream', 'last-event-id': '2' },
    });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const told: string[] = [];
    for await (const event of readSse(answer.body!)) told.push(`${event.id} ${event.event}`);
    expect(told).toEqual(list.items.slice(2).map((one) => `${one.id} ${one.type}`));
  });

  it('is cancelled at once, and no result comes afterwards', async () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ query: `pump ${n}`, relevant: [{ text: 'turbine' }] }));
    const job = await start(ben.client, { cases: many });
    const isUnderWay = async (): Promise<boolean> =>
      (await ben.client.get<Job>(`/evaluations/jobs/${job.id}`)).progress.steps_done > 3;
    await until(isUnderWay, { what: 'some results', withinMs: 30_000, everyMs: 20 });
    const cancelled = await ben.client.post<Job>(`/evaluations/jobs/${job.id}/cancel`, {});
    expect(cancelled.status).toBe('cancelled');
    const { total } = await ben.client.get<Page<Result>>(`/evaluations/jobs/${job.id}/results`);
    await ended(ben.client, await start(ben.client, {}));
    const after = await ben.client.get<Page<Result>>(`/evaluations/jobs/${job.id}/results`);
    expect(after.total).toBe(total);
    const done = await ended(ben.client, await start(ben.client, {}));
    expectProblem(
      await ben.client.send('POST', `/evaluations/jobs/${done.id}/cancel`, {}),
      409,
      'evaluations.not_cancellable',
    );
  });

  it('goes on where a kill stopped it, with the same figures as one that was not killed', async () => {
    const many = Array.from({ length: 150 }, (_, n) => {
      const topic = TOPICS[n % TOPICS.length]!;
      return { query: `${topic} number ${n}`, relevant: [{ text: `${topic} is serviced` }] };
    });
    const options = { cases: many, variants: [{ name: 'words', retrieval: { search_method: 'keyword' } }] };
    const undisturbed = await ended(ben.client, await start(ben.client, options));
    const job = await start(ben.client, options);
    const isHalfDone = async (): Promise<boolean> =>
      (await ben.client.get<Job>(`/evaluations/jobs/${job.id}`)).progress.steps_done > 20;
    await until(isHalfDone, { what: 'some results', withinMs: 30_000, everyMs: 20 });
    await service.process.kill('SIGKILL');
    await service.process.start();
    const resumed = await ended(ben.client, job);
    expect(resumed.progress).toEqual({ steps: 150, steps_done: 150 });
    const means = ({ summary }: Job): unknown =>
      Object.entries(summary!.variants[0]!.metrics).map(([name, { mean, n }]) => [name, mean, n]);
    expect(means(resumed)).toEqual(means(undisturbed));
  });
});

describe('who sees an evaluation', () => {
  it('is who sees all its datasets and those of its case set, at every read', async () => {
    const open = await anna.client.createDataset('Open for now', { acl: 'all_team_members' });
    const set = await ben.client.post<{ id: string }>('/evaluations/case-sets', {
      name: 'Of both',
      dataset_ids: [dataset, open],
      csv: 'query,text\nWhen is the pump serviced?,pump is serviced',
    });
    const job = await ended(ben.client, await start(ben.client, { cases: undefined, case_set_id: set.id }));
    expect(await ben.client.get(`/evaluations/case-sets/${set.id}`)).toMatchObject({ version: 1, case_count: 1 });
    await anna.client.send('PATCH', `/datasets/${open}`, { acl: 'only_me' });
    for (const path of [`/jobs/${job.id}`, `/jobs/${job.id}/results`, `/jobs/${job.id}/events`])
      expectProblem(await ben.client.send('GET', `/evaluations${path}`), 404, 'evaluations.job_not_found');
    const hidden = await ben.client.send('GET', `/evaluations/case-sets/${set.id}`);
    expectProblem(hidden, 404, 'evaluations.case_set_not_found');
    const { items } = await ben.client.get<Page<Job>>('/evaluations/jobs?limit=100');
    expect(items.map(({ id }) => id)).not.toContain(job.id);
    expect(await ben.client.get('/evaluations/case-sets')).toMatchObject({ total: 0, items: [] });
    expect(await anna.client.get(`/evaluations/jobs/${job.id}`)).toMatchObject({ status: 'completed' });
  });
});

describe('a case set', () => {
  it('has a new version after a change, and keeps the former one', async () => {
    const query = 'A?';
    const { id } = await ben.client.post<{ id: string }>('/evaluations/case-sets', {
      name: 'Set',
      dataset_ids: [dataset],
      cases: [{ query, relevant: [{ text: 'pump' }], generated: true }],
    });
    const path = `/evaluations/case-sets/${id}`;
    const refused = await ben.client.send('POST', '/evaluations/jobs', {
      name: 'n',
      dataset_ids: [dataset],
      case_set_id: id,
    });
    expectInvalid(refused, ['/case_set_id']);
    const approved = await ben.client.send('PATCH', path, { approve: [0] });
    expect(approved.body).toMatchObject({ version: 2, unapproved_count: 0 });
    expect(await ben.client.get(`${path}?version=1`)).toMatchObject({
      version: 1,
      cases: [{ query, approved: false }],
    });
    expectProblem(await ben.client.send('GET', `${path}?version=7`), 404, 'evaluations.case_set_not_found');
    expectInvalid(await ben.client.send('PATCH', path, { approve: [3] }), ['/approve/0']);
    expect((await ben.client.send('DELETE', path)).status).toBe(204);
    expectProblem(await ben.client.send('GET', path), 404, 'evaluations.case_set_not_found');
  });
});

describe('a case set as CSV', () => {
  const path = (datasets: string): string => `/evaluations/case-sets?name=From+a+file&dataset_ids=${datasets}`;
  const csv = { 'Content-Type': 'text/csv; charset=utf-8' };

  it('is the whole body, with its name and datasets in the query', async () => {
    const rows = 'query,text\nWhen?,pump\n"Where, then?",valve';
    const { id } = await ben.client.post<{ id: string }>(path(dataset), rows, csv);
    expect(await ben.client.get(`/evaluations/case-sets/${id}`)).toMatchObject({
      name: 'From a file',
      cases: [{ query: 'When?' }, { query: 'Where, then?', relevant: [{ text: 'valve' }] }],
    });
    const changed = await ben.client.send('PATCH', `/evaluations/case-sets/${id}`, 'query,text\nHow?,pump', csv);
    expect(changed.body).toMatchObject({ version: 2, case_count: 1 });
  });

  it('is refused with a pointer, and taken nowhere else', async () => {
    const send = (url: string, body: string) => ben.client.send('POST', url, body, csv);
    expectInvalid(await send(path(dataset), 'query,colour\na,b'), ['/csv']);
    expectInvalid(await send(path('x'), 'query,text\na,b'), ['/dataset_ids']);
    expectInvalid(await send(`${path(dataset)}&colour=1`, 'query,text\na,b'), ['/colour']);
    expectProblem(await send(path(NEVER), 'query,text\na,b'), 404, 'datasets.not_found');
    expectProblem(await send('/evaluations/jobs', 'query,text\na,b'), 415, 'http.media_type_not_supported');
  });
});

describe('what is wrong with a request', () => {
  const one = [{ query: 'a', relevant: [{ text: 'b' }] }];
  it.each([
    [{ name: ' ' }, ['/name']],
    [{ cases: undefined }, ['/cases']],
    [{ cases: [] }, ['/cases']],
    [{ cases: [{ query: '' }] }, ['/cases/0/query']],
    [{ cases: one, case_set_id: NEVER }, ['/case_set_id']],
    [{ variants: [] }, ['/variants']],
    [{ variants: [{ name: 'a', retrieval: { top_k: 0 } }] }, ['/variants/0/retrieval/top_k']],
    [{ variants: [{ name: 'a', retrieval: { colour: 1 } }] }, ['/variants/0/retrieval/colour']],
    [{ variants: [{ name: 'a', retrieval: { filters: { type: 'x' } } }] }, ['/variants/0/retrieval/filters/type']],
    [{ variants: [{ name: 'a' }, { name: 'a' }] }, ['/variants/1/name']],
    [{ metrics: ['colour'] }, ['/metrics']],
    [{ k: [0] }, ['/k']],
    [{ gates: [{ metric: 'ndcg@7', min: 1 }] }, ['/gates/0/metric']],
    [{ gates: [{ metric: 'ndcg' }] }, ['/gates/0/min']],
    [{ gates: [{ metric: 'ndcg', min: 2 }] }, ['/gates/0/min']],
    [{ gates: [{ metric: 'ndcg', max_regression: 0.1 }] }, ['/gates/0/max_regression']],
    [{ dataset_ids: ['x'] }, ['/dataset_ids']],
  ])('is told with a pointer: %j', async (change, pointers) => {
    const body = { name: 'n', dataset_ids: [dataset], cases: one, ...change };
    expectInvalid(await ben.client.send('POST', '/evaluations/jobs', body), pointers);
  });

  it('is told as not found where something does not exist or is invisible', async () => {
    const body = { name: 'n', dataset_ids: [dataset], cases: one };
    const send = (change: object) => ben.client.send('POST', '/evaluations/jobs', { ...body, ...change });
    expectProblem(await send({ dataset_ids: [NEVER] }), 404, 'datasets.not_found');
    expectProblem(await send({ baseline_job_id: NEVER }), 404, 'evaluations.job_not_found');
    const set = await send({ cases: undefined, case_set_id: NEVER });
    expectProblem(set, 404, 'evaluations.case_set_not_found');
    for (const id of [NEVER, 'x'])
      expectProblem(await ben.client.send('GET', `/evaluations/jobs/${id}`), 404, 'evaluations.job_not_found');
  });
});
