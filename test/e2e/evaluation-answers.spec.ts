import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { Page } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { personOf, withApiKey, type Person } from '../support/people.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const TOPICS = ['pump', 'valve', 'turbine', 'boiler'];
const FOREIGN = ['Who painted the ceiling of the Sistine Chapel?', 'Which river flows through Vienna?'];

interface Figure {
  readonly mean: number | null;
  readonly n: number;
}

interface Job {
  readonly id: string;
  readonly status: string;
  readonly verdict: string | null;
  readonly variants: readonly object[];
  readonly summary: {
    readonly variants: readonly {
      readonly metrics: Readonly<Record<string, Figure>>;
      readonly answers: { readonly models: readonly string[]; readonly refused: number } | null;
      readonly errors: number;
    }[];
    readonly gates: readonly object[];
  };
}

const service = useTenant();
let owner: Person;
let dataset: string;
let cases: object[];

beforeAll(async () => {
  owner = await personOf(service.admin, service.owner.email);
  dataset = await owner.client.createDataset('Machines');
  cases = FOREIGN.map((query) => ({ query, answerable: false, tags: ['foreign'] }));
  for (const topic of TOPICS) {
    const hours = `${topic.length * 100} hours`;
    await ingest(owner.client, dataset, {
      name: `${topic}.txt`,
      content: `The ${topic} is serviced every ${hours} by the workshop.`,
    });
    cases.push({
      query: `How often is the ${topic} serviced?`,
      relevant: [{ text: `${topic} is serviced` }],
      expected_answer: `every ${hours}`,
    });
  }
});

async function run(body: object): Promise<Job> {
  const given = { name: 'Answers', dataset_ids: [dataset], cases, ...body };
  const { id } = await owner.client.post<Job>('/evaluations/jobs', given);
  let job: Job | undefined;
  await until(
    async () => {
      job = await owner.client.get<Job>(`/evaluations/jobs/${id}`);
      return job.status !== 'pending' && job.status !== 'running';
    },
    { what: 'the end of the evaluation', withinMs: 60_000, everyMs: 50 },
  );
  expect(job).toMatchObject({ status: 'completed' });
  return job!;
}

describe('an evaluation of answers', () => {
  it('asks as a chat does, measures, and judges only what answers', async () => {
    const variants = [
      { name: 'searches', retrieval: { search_method: 'keyword' } },
      { name: 'answers', retrieval: { search_method: 'keyword' }, chat: { grounding: 'strict' } },
    ];
    const gates = [
      { metric: 'refusal_accuracy', min: 0.5 },
      { metric: 'hit_rate', min: 0.1 },
    ];
    const job = await run({ variants, gates });
    const [searches, answers] = job.summary.variants;
    expect(searches).toMatchObject({
      answers: null,
      metrics: { token_f1: { mean: null, n: 0 }, 'hit_rate@10': { mean: 1 } },
    });
    expect(answers).toMatchObject({ answers: { models: [expect.stringContaining('builtin')], refused: 2 }, errors: 0 });
    expect(answers!.metrics).toMatchObject({
      citation_precision: { mean: 1, n: 4 },
      citation_recall: { mean: 1, n: 4 },
      citation_exactness: { mean: 1, n: 4 },
      answer_containment: { mean: 1, n: 4 },
      refusal_precision: { mean: 1, n: 2 },
      refusal_recall: { mean: 1, n: 2 },
      refusal_accuracy: { mean: 1, n: 6 },
    });
    expect(job.summary.gates).toMatchObject([
      { metric: 'refusal_accuracy', variant: 'answers', verdict: 'pass' },
      { metric: 'hit_rate@10', variant: 'searches' },
      { metric: 'hit_rate@10', variant: 'answers' },
    ]);
    expect(job.variants).toEqual(variants.map((one) => ({ ...one, retrieval: { ...one.retrieval, top_k: 10 } })));
  });

  it('keeps of each answer what it rests on, and no text', async () => {
    const { id } = await run({ variants: [{ name: 'answers', chat: {} }], metrics: ['citation_recall'], k: [3] });
    interface Result {
      readonly answer: { readonly citations: readonly Record<string, unknown>[] };
    }
    const { items } = await owner.client.get<Page<Result>>(`/evaluations/jobs/${id}/results`);
    expect(items[0]).toMatchObject({ metrics: { citation_recall: null }, answer: { refusal: expect.any(String) } });
    expect(items.at(-1)!.answer.citations[0]).toMatchObject({ verified: true, source_char_start: 0 });
    expect(JSON.stringify(items.map(({ answer }) => answer))).not.toContain('serviced');
    const { url, headers } = owner.client;
    const report = await fetch(`${url}/evaluations/jobs/${id}/report?format=csv`, { headers });
    expect(await report.text()).toMatch(/^case,query,tags,variant,citation_recall,.*answer_latency_ms/);
  });
});

describe('metrics', () => {
  it('are told with definition, formula and source', async () => {
    const { items } = await owner.client.get<{ items: Record<string, string>[] }>('/evaluations/metrics');
    const kinds = new Map(items.map(({ name, kind }) => [name, kind]));
    expect([kinds.get('ndcg'), kinds.get('refusal_recall')]).toEqual(['ranking', 'answer']);
    for (const { definition, formula, source } of items)
      expect([definition, formula, source].every((text) => text !== undefined && text.length > 5)).toBe(true);
  });
});

describe('what is wrong with an evaluation of answers', () => {
  const chat = { name: 'a', chat: {} };
  it.each([
    [{ metrics: ['ndcg', 'token_f1'] }, ['/metrics/1']],
    [{ variants: [{ name: 'a', chat: { model: 'nobody' } }] }, ['/variants/0/chat/model']],
    [{ variants: [{ name: 'a', chat: { model: 'dataset:x' } }] }, ['/variants/0/chat/model']],
    [{ variants: [{ name: 'a', chat: { grounding: 'some' } }] }, ['/variants/0/chat/grounding']],
    [{ variants: [{ name: 'a', chat: { colour: 1 } }] }, ['/variants/0/chat/colour']],
    [{ variants: [{ name: 'a', chat: 1 }] }, ['/variants/0/chat', '/variants/0/chat']],
    [{ variants: [chat], gates: [{ metric: 'token_f1@10', min: 0.5 }] }, ['/gates/0/metric']],
    [
      { variants: [chat, { name: 'b' }], gates: [{ metric: 'token_f1', max_regression: 0 }] },
      ['/gates/0/max_regression'],
    ],
  ])('is told with a pointer: %j', async (change, pointers) => {
    const body = { name: 'n', dataset_ids: [dataset], cases, ...change };
    expectInvalid(await owner.client.send('POST', '/evaluations/jobs', body), pointers);
  });

  it('is refused to who may not chat', async () => {
    const key = await withApiKey(owner, ['datasets:read', 'retrieval:search', 'evaluations:run']);
    const body = { name: 'n', dataset_ids: [dataset], cases, variants: [chat] };
    const answer = await key.send('POST', '/evaluations/jobs', body);
    expectProblem(answer, 403, 'auth.permission_missing');
  });
});
