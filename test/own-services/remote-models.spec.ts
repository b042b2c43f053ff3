import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient, ChatChunk, Citation, DocumentRecord, SearchAnswer } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { personOf } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useRemoteService, type ProviderKind, type RemoteService } from '../support/remote-models.js';

const KEY = 'sk-proj-4f9aQz_Lm81-TTxyv0Kq7WbN2c';
const QUESTION = 'How often is the hydraulic pump serviced?';
const TEXTS = [
  'The hydraulic pump is serviced every 500 hours. A technician signs the record.',
  'The valve of the boiler opens at 12 bar. It is tested in spring.',
  'Visitors leave their badge at the gate. A lost badge is reported at once.',
];
const PRICES = {
  'double-embed': { input: 100 },
  'double-rerank': { request: 0.5 },
  'double-chat': { input: 10, output: 20, request: 0.25 },
};
const PATHS = {
  openai: { embed: '/v1/embeddings', rerank: '/v1/rerank', chat: '/v1/chat/completions' },
  cohere: { embed: '/v2/embed', rerank: '/v2/rerank', chat: '/v2/chat' },
};

interface UsageRow {
  readonly provider: string;
  readonly model: string;
  readonly purpose: string;
  readonly requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly estimated_tokens: number;
  readonly cost: number;
}

interface Usage {
  readonly items: readonly UsageRow[];
  readonly sums: UsageRow;
  readonly budget: {
    readonly month: string;
    readonly tokens: number;
    readonly cost: number;
    readonly reserved_tokens: number;
  };
}

const usageOf = (client: ApiClient): Promise<Usage> => client.get<Usage>('/usage?group_by=model,purpose');
const rerank = (kind: ProviderKind) => ({ rerank: { enabled: true, provider: kind } });

async function addDocuments(client: ApiClient, name: string): Promise<string> {
  const dataset = await client.createDataset(name);
  for (const [n, content] of TEXTS.entries()) {
    const { status, error_message: why } = await ingest(client, dataset, { name: `${n}.txt`, content });
    expect(status, String(why)).toBe('completed');
  }
  return dataset;
}

async function expectProved(client: ApiClient, answer: string, citations: readonly Citation[]): Promise<void> {
  expect(answer).toContain('every 500 hours');
  expect(citations.length).toBeGreaterThan(0);
  for (const citation of citations) {
    expect(citation.verified).toBe(true);
    expect(answer).toContain(citation.marker);
    const text = await client.text(citation.document_id);
    expect(text.slice(citation.source_char_start, citation.source_char_end)).toBe(citation.cited_text);
  }
}

/** Search, answers and vectors, each as a client gets them. */
function describeAnswers(kind: ProviderKind, service: RemoteService): void {
  let dataset: string;
  beforeAll(async () => {
    dataset = await addDocuments(service.admin, `Answers of ${kind}`);
  });

  it('searches by vectors and has the results reranked', async () => {
    const found: SearchAnswer = await service.admin.search(QUESTION, [dataset], rerank(kind));
    expect(found.results[0]!.text).toContain('500 hours');
    const { scores } = found.results[0] as unknown as { scores: Record<string, number | null> };
    expect(scores['vector']).toBeGreaterThan(0);
    expect(scores['rerank']).toBeGreaterThan(0);
    expect(found.retrieval['warnings']).toEqual([]);
  });

  it('searches for what the chat model makes of the question, the same each time', async () => {
    const query = `When does the ${kind} pump get its checks?`;
    await service.double.next({ kind: 'text', text: '```json\n{"queries": ["Boiler valve pressure", "badge"]}\n```' });
    const asked = { query_expansion: 'multi_query', top_k: 3 };
    const found: SearchAnswer = await service.admin.search(query, [dataset], asked);
    expect(found.retrieval).toMatchObject({ generated_queries: ['Boiler valve pressure', 'badge'], warnings: [] });
    expect(found.results).toHaveLength(3);
    const again: SearchAnswer = await service.admin.search(query, [dataset], asked);
    expect(again.results).toEqual(found.results);
    expect(again.retrieval['config_fingerprint']).toBe(found.retrieval['config_fingerprint']);
    const record = await service.admin.get<{ generated_queries: string[] }>(`/requests/${found.request_id}`);
    expect(record.generated_queries).toEqual(['Boiler valve pressure', 'badge']);
    const replay = await service.admin.post<{ identical: boolean }>(`/requests/${found.request_id}/replay`, undefined);
    expect(replay.identical).toBe(true);
    await service.double.next({ kind: 'text', text: 'The pump is checked every 500 hours.' });
    const { retrieval } = await service.admin.chat(QUESTION, [dataset], { retrieval: { query_expansion: 'hyde' } });
    expect(retrieval).toMatchObject({ generated_queries: ['The pump is checked every 500 hours.'], warnings: [] });
  });

  it('searches as it is, with a warning, where the chat model fails', async () => {
    await service.double.next({ kind: 'text', text: '…' });
    const found: SearchAnswer = await service.admin.search(QUESTION, [dataset], { query_expansion: 'multi_query' });
    expect(found.results[0]!.text).toContain('500 hours');
    expect(found.retrieval).toMatchObject({ generated_queries: [], warnings: [{ code: 'QUERY_EXPANSION_FAILED' }] });
  });

  it('answers whole with proved citations', async () => {
    const { choices, citations, grounding } = await service.admin.chat(QUESTION, [dataset]);
    await expectProved(service.admin, choices[0]!.message.content, citations);
    expect(grounding.status).toBe('supported');
  });

  it('answers in a stream with proved citations', async () => {
    let text = '';
    const chunks: ChatChunk[] = [];
    for await (const { data } of service.admin.chatEvents(QUESTION, [dataset])) {
      if (data === '[DONE]') break;
      chunks.push(JSON.parse(data) as ChatChunk);
      text += chunks.at(-1)!.choices[0]?.delta.content ?? '';
    }
    const { citations = [] } = chunks.find((chunk) => chunk.citations !== undefined) ?? {};
    await expectProved(service.admin, text, citations);
  });

  it('gives vectors to programs that keep their own', async () => {
    const body = { input: ['one text', 'another text'], model: 'default' };
    const { data } = await service.admin.post<{ data: { embedding: number[] }[] }>('/embeddings', body);
    expect(data.map(({ embedding }) => embedding.length)).toEqual([64, 64]);
  });
}

/** Every request that the double was sent is counted once, under its model, and costs what the prices say. */
async function expectCounted(kind: ProviderKind, { admin, double }: RemoteService): Promise<Usage> {
  const usage = await usageOf(admin);
  const sent = (await double.requests()).map(({ path }) => path);
  const requestsOf = (model: string): number =>
    usage.items.filter((row) => row.model === model).reduce((sum, { requests }) => sum + requests, 0);
  const countOf = (path: string): number => sent.filter((one) => one === path).length;
  const { embed, rerank: reranking, chat } = PATHS[kind];
  expect([requestsOf('double-embed'), requestsOf('double-rerank'), requestsOf('double-chat')]).toEqual([
    countOf(embed),
    countOf(reranking),
    countOf(chat),
  ]);
  for (const row of usage.items) {
    const { input = 0, output = 0, request = 0 } = (PRICES as Record<string, Record<string, number>>)[row.model]!;
    const cost = (row.input_tokens * input + row.output_tokens * output) / 1_000_000 + row.requests * request;
    expect(row.cost, JSON.stringify(row)).toBeCloseTo(cost, 6);
    expect(row.input_tokens, JSON.stringify(row)).toBeGreaterThan(0);
  }
  return usage;
}

describe('a service whose models are behind an OpenAI-compatible server', () => {
  const service = useRemoteService('openai', KEY, { MODEL_PRICES: JSON.stringify(PRICES) });
  beforeAll(() => service.double.forgetRequests());

  describe('that answers', () => {
    describeAnswers('openai', service);

    it('counts requests, tokens and cost by purpose and model', async () => {
      const { items, sums, budget } = await expectCounted('openai', service);
      const names = items.map(({ provider, model, purpose }) => `${provider} ${model} ${purpose}`);
      expect(names).toEqual(
        expect.arrayContaining([
          'openai double-embed ingestion',
          'openai double-embed search',
          'openai double-embed embeddings',
          'openai double-rerank search',
          'openai double-chat chat',
          'openai double-chat query_expansion',
        ]),
      );
      expect(budget.tokens).toBe(sums.input_tokens + sums.output_tokens);
      expect(budget.cost).toBeCloseTo(sums.cost, 6);
    });
  });

  describe('of a tenant with a budget', () => {
    let dataset: string;
    let tenant: string;
    const setBudgets = (budgets: object | null) => service.admin.patch(`/tenants/${tenant}`, { budgets });
    const waitingReason = async (id: string): Promise<string | null> =>
      (await service.admin.get<{ waiting_reason: string | null }>(`/documents/${id}/status`)).waiting_reason;
    const ask = (route: 'search' | 'chat' | 'stream' | 'embeddings') => {
      const messages = [{ role: 'user', content: QUESTION }];
      const [path, body] = {
        search: ['/retrieval/search', { query: QUESTION, dataset_ids: [dataset] }] as const,
        chat: ['/chat/completions', { messages, dataset_ids: [dataset] }] as const,
        stream: ['/chat/completions', { messages, dataset_ids: [dataset], stream: true }] as const,
        embeddings: ['/embeddings', { input: 'one', model: 'default' }] as const,
      }[route];
      return service.admin.send('POST', path, body);
    };
    beforeAll(async () => {
      tenant = (await personOf(service.admin, service.process.admin.email)).tenantId;
      dataset = await addDocuments(service.admin, 'Budget');
    });

    it.each(['monthly_tokens', 'monthly_cost'])('answers 429 with the period once %s is used up', async (name) => {
      const { budget } = await usageOf(service.admin);
      await setBudgets({ [name]: name === 'monthly_tokens' ? budget.tokens : budget.cost });
      const before = (await service.double.requests()).length;
      for (const route of ['search', 'chat', 'stream', 'embeddings'] as const) {
        const answer = await ask(route);
        const { detail } = expectProblem(answer, 429, 'usage.budget_exhausted');
        expect(detail).toContain(name);
        expect(detail).toContain(budget.month);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect((await service.double.requests()).length).toBe(before);
      await setBudgets(null);
      for (const route of ['search', 'chat', 'stream', 'embeddings'] as const)
        expect((await ask(route)).status).toBe(200);
    });

    it('lets documents wait until the budget is raised, and holds nothing back in the end', async () => {
      await setBudgets({ monthly_tokens: 1 });
      const files = ['Wind', 'Rain', 'Snow'].map((word) => ({
        name: `${word}.txt`,
        content: `${word} is measured hourly.`,
      }));
      const ids: string[] = [];
      for (const file of files) ids.push((await service.admin.upload(dataset, file)).id);
      for (const id of ids) await until(async () => (await waitingReason(id)) === 'budget_exhausted');
      await setBudgets({ monthly_tokens: 1_000_000_000 });
      for (const id of ids) expect((await service.admin.pollUntilTerminal(id)).status).toBe('completed');
      await service.admin.search(QUESTION, [dataset], rerank('openai'));
      expect((await usageOf(service.admin)).budget.reserved_tokens).toBe(0);
      await setBudgets(null);
    });
  });

  describe('that refuses its key', () => {
    beforeEach(() => service.double.forgetRequests());

    it('fails documents at the first call, with its words and without the key, and takes them once it is mended', async () => {
      const dataset = await service.admin.createDataset('Refused');
      await service.double.always({ kind: 'status', status: 401, message: 'The account is closed.', echoesKey: true });
      const contents = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((word) => `${word} lamps stand in the hall.`);
      const records: DocumentRecord[] = [];
      for (const content of contents) {
        records.push(await service.admin.upload(dataset, { name: `${content.slice(0, 5)}.txt`, content }));
      }
      for (const { id } of records) {
        const failed = await service.admin.pollUntilTerminal(id);
        expect(failed).toMatchObject({ status: 'failed', error: { code: 'ai.provider_rejected', retryable: true } });
        expect(failed.error_message).toContain('The account is closed.');
        expect(JSON.stringify(failed)).not.toContain(KEY.slice(8, 20));
      }
      expect((await service.double.textsToEmbed()).sort()).toEqual(contents.toSorted());
      await service.double.always(null);
      for (const { id } of records) await service.admin.post(`/documents/${id}/retry`, undefined);
      for (const { id } of records) expect((await service.admin.pollUntilTerminal(id)).status).toBe('completed');
    });
  });
});

describe('a service whose models are Cohere’s', () => {
  const service = useRemoteService('cohere', KEY, { MODEL_PRICES: JSON.stringify(PRICES) });
  beforeAll(() => service.double.forgetRequests());

  describeAnswers('cohere', service);

  it('counts requests, tokens and cost by purpose and model', async () => {
    await expectCounted('cohere', service);
  });
});
