import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient, Page } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addTenant, personOf } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import type { ProviderRequest } from '../support/provider-process.js';
import { useRemoteService } from '../support/remote-models.js';
import { useTenant } from '../support/shared-service.js';

const JUDGED = ['faithfulness', 'response_relevancy', 'context_precision', 'context_recall', 'factual_correctness'];
const QUESTION = 'How often is the hydraulic pump serviced?';
const TEXT = 'The hydraulic pump is serviced every 500 hours by the workshop.';
const yes = [{ statement: 's', supported: true }];
const half = [...yes, { statement: 't', supported: false }];
/** One text that every prompt can read, so that the order of the calls does not matter. */
const VERDICT = JSON.stringify({
  statements: half,
  verdicts: [true],
  answer: yes,
  expected: yes,
  questions: [QUESTION],
  noncommittal: false,
});

interface Job {
  readonly id: string;
  readonly status: string;
  readonly summary: {
    readonly variants: readonly {
      readonly metrics: Readonly<Record<string, { readonly mean: number | null; readonly n: number }>>;
      readonly judge: object | null;
      readonly errors: number;
    }[];
  };
}
interface Result {
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly answer: { readonly judged?: Readonly<Record<string, readonly (number | null)[]>> };
}

const service = useRemoteService('openai', 'sk-of-the-judge');
let dataset: string;
let document: string;

beforeAll(async () => {
  dataset = await service.admin.createDataset('Judged');
  document = (await ingest(service.admin, dataset, { name: 'pump.txt', content: TEXT })).id;
});

const isJudge = ({ path, body }: ProviderRequest): boolean =>
  path === '/v1/chat/completions' && JSON.stringify(body).includes('You judge answers');
const judgeCalls = async (): Promise<number> => (await service.double.requests()).filter(isJudge).length;

async function ended<T extends { readonly status: string }>(
  path: string,
  client: ApiClient = service.admin,
): Promise<T> {
  let found: T | undefined;
  await until(
    async () => {
      found = await client.get<T>(path);
      return found.status !== 'pending' && found.status !== 'running';
    },
    { what: 'the end of the work', withinMs: 60_000, everyMs: 50 },
  );
  return found!;
}

const start = (body: object, client: ApiClient): Promise<Job> =>
  client.post<Job>('/evaluations/jobs', {
    name: 'Judged',
    dataset_ids: [dataset],
    cases: [{ query: QUESTION, relevant: [{ text: TEXT }], expected_answer: 'every 500 hours' }],
    variants: [{ name: 'a', chat: {} }],
    metrics: JUDGED,
    ...body,
  });

async function run(
  body: object = {},
  client: ApiClient = service.admin,
): Promise<{ readonly job: Job; readonly result: Result }> {
  const { id } = await start(body, client);
  const job = await ended<Job>(`/evaluations/jobs/${id}`, client);
  expect(job).toMatchObject({ status: 'completed' });
  const { items } = await client.get<Page<Result>>(`/evaluations/jobs/${id}/results`);
  return { job, result: items[0]! };
}

describe('answers that a chat model judges', () => {
  beforeEach(async () => {
    await service.double.forgetRequests();
    await service.double.always({ kind: 'text', text: VERDICT });
  });

  it('have each metric twice, with the agreement of both, in the ledger of usage, and are not judged again', async () => {
    const { job, result } = await run();
    expect(result.metrics).toEqual({
      faithfulness: 0.5,
      response_relevancy: expect.closeTo(1, 5),
      context_precision: 1,
      context_recall: 0.5,
      factual_correctness: 1,
    });
    const [variant] = job.summary.variants;
    expect(variant).toMatchObject({
      errors: 0,
      metrics: { faithfulness: { mean: 0.5, n: 1 } },
      judge: { model: expect.stringContaining('double-chat'), prompt_version: 1 },
    });
    expect(variant!.judge).toMatchObject({
      metrics: JUDGED.map((metric) => ({ metric, judged: 1, failed_runs: 0, agreement: 1 })),
    });
    expect(await judgeCalls()).toBe(10);
    const usage = await service.admin.get<{ items: { purpose: string; requests: number; output_tokens: number }[] }>(
      '/usage?group_by=purpose',
    );
    const counted = usage.items.find(({ purpose }) => purpose === 'evaluation');
    expect(counted!.requests).toBeGreaterThanOrEqual(11);
    await service.double.forgetRequests();
    expect((await run()).result.metrics).toEqual(result.metrics);
    expect(await judgeCalls()).toBe(0);
  });

  it('have no value, and never 0, where the judge gives nothing usable', async () => {
    await service.double.always({ kind: 'text', text: 'I would rather not say.' });
    const { job, result } = await run();
    expect(result.metrics).toEqual(Object.fromEntries(JUDGED.map((name) => [name, null])));
    expect(result.answer.judged!['faithfulness']).toEqual([null, null]);
    expect(job.summary.variants[0]).toMatchObject({ metrics: { faithfulness: { mean: null, n: 0 } }, errors: 0 });
    expect(job.summary.variants[0]!.judge).toMatchObject({
      metrics: expect.arrayContaining([{ metric: 'faithfulness', judged: 0, failed_runs: 2, agreement: null }]),
    });
  });

  it('are judged again once a document that the judgement rests on was closed', async () => {
    await run();
    await service.admin.send('DELETE', `/documents/${document}`);
    document = (await ingest(service.admin, dataset, { name: 'pump.txt', content: TEXT })).id;
    await service.double.forgetRequests();
    await run();
    expect(await judgeCalls()).toBe(10);
  });

  it('are judged again once a document that the judgement rests on was in quarantine', async () => {
    await run();
    await service.admin.post('/governance/quarantine', { document_ids: [document], reason: 'personal' });
    await service.admin.post('/governance/quarantine/release', { document_ids: [document] });
    await service.double.forgetRequests();
    await run();
    expect(await judgeCalls()).toBe(10);
  });

  it('are judged for each tenant by itself, whatever another one has had judged', async () => {
    await run();
    const { client } = await addTenant(service.admin, 'Other', 'other@example.com');
    const own = await client.createDataset('Judged');
    await ingest(client, own, { name: 'pump.txt', content: TEXT });
    await service.double.forgetRequests();
    await run({ dataset_ids: [own] }, client);
    expect(await judgeCalls()).toBe(10);
  });

  it('wait while the budget is used up, without a value, and can be cancelled', async () => {
    await run();
    const { tenantId } = await personOf(service.admin, service.process.admin.email);
    await service.double.forgetRequests();
    await service.admin.patch(`/tenants/${tenantId}`, { budgets: { monthly_tokens: 1 } });
    try {
      const { id } = await start({ cases: [{ query: `${QUESTION} Now?`, expected_answer: 'x' }] }, service.admin);
      const path = `/evaluations/jobs/${id}`;
      const hasBegun = async (): Promise<boolean> => (await service.admin.get<Job>(path)).status === 'running';
      await until(hasBegun, { what: 'the begin of the evaluation', withinMs: 30_000, everyMs: 50 });
      const { items } = await service.admin.get<Page<Result>>(`${path}/results`);
      expect(items.flatMap(({ metrics }) => Object.values(metrics))).toEqual([]);
      expect(await judgeCalls()).toBe(0);
      expect(await service.admin.post(`${path}/cancel`, {})).toMatchObject({ status: 'cancelled', summary: null });
    } finally {
      await service.admin.patch(`/tenants/${tenantId}`, { budgets: null });
    }
  });

  it('judge no case without an expected answer by what needs one', async () => {
    const { result } = await run({ cases: [{ query: `${QUESTION} Please.`, relevant: [{ text: TEXT }] }] });
    expect(result.metrics).toMatchObject({ faithfulness: 0.5, context_recall: null, factual_correctness: null });
  });

  it('are told with definition, formula and source', async () => {
    const { items } = await service.admin.get<{ items: Record<string, string>[] }>('/evaluations/metrics');
    const judged = items.filter(({ kind }) => kind === 'judge');
    expect(judged.map(({ name }) => name)).toEqual(JUDGED);
    expect(judged.every(({ source }) => source!.includes('RAGAS'))).toBe(true);
  });
});

describe('cases that a chat model writes', () => {
  it('rest on words of the passage, wait to be approved, and leave out what is nowhere', async () => {
    const questions = [
      { question: 'When does the workshop look after the pump?', answer: 'every 500 hours' },
      { question: 'Who painted it?', answer: 'Michelangelo' },
      { question: 7, answer: null },
    ];
    await service.double.always({ kind: 'text', text: `Sure:\n${JSON.stringify({ questions })}` });
    const { id } = await service.admin.post<{ id: string }>('/evaluations/case-sets/generate', {
      dataset_id: dataset,
      count: 3,
      method: 'llm',
    });
    const path = `/evaluations/case-sets/${id}`;
    await until(
      async () => (await service.admin.get<{ generation: { status: string } }>(path)).generation.status === 'completed',
      { what: 'the cases', withinMs: 60_000, everyMs: 50 },
    );
    expect(await service.admin.get(path)).toMatchObject({
      generation: { method: 'llm', model: expect.stringContaining('double-chat') },
      unapproved_count: 1,
      cases: [
        {
          query: 'When does the workshop look after the pump?',
          relevant: [{ text: TEXT }],
          expected_answer: 'every 500 hours',
          approved: false,
          source_document_id: document,
        },
      ],
    });
  });
});

describe('a judge where no chat model writes', () => {
  const builtin = useTenant();

  it('is refused with a code and a pointer', async () => {
    const of = await builtin.admin.createDataset('Without');
    const answer = await builtin.admin.send('POST', '/evaluations/jobs', {
      name: 'n',
      dataset_ids: [of],
      cases: [{ query: 'a', relevant: [{ text: 'b' }] }],
      variants: [{ name: 'a', chat: {} }],
      metrics: ['ndcg', 'faithfulness'],
    });
    expectProblem(answer, 422, 'evaluations.chat_model_needed');
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/metrics/1', code: 'chat_model_needed' }] });
  });
});
