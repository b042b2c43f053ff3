import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decorateEmbedder } from '#libs/ai';
import type { DocumentId } from '#libs/common';
import { createTestDatabase } from '#libs/testing';
import { until } from '#testing/until';
import { loadServiceSettings } from '../../../app/adapters.js';
import { modelDecorators } from '../../../app/model-decorators.js';
import { DoubleEmbedder, EmbeddingDouble } from '../testing/embedding-double.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

const KEY = 'sk-live-0123456789abcdefghijklmnop';
const DOCUMENTS = 200;
const SETTINGS = { MODEL_RETRIES: '1', MODEL_RETRY_PAUSE_MS: '100', MODEL_CIRCUIT_SECONDS: '1' };

let double: EmbeddingDouble;
let lab: IngestionLab;

beforeAll(async () => {
  double = await EmbeddingDouble.start();
  const database = await createTestDatabase();
  const surroundings = modelDecorators(loadServiceSettings(SETTINGS), database.database);
  lab = await IngestionLab.open({
    settings: SETTINGS,
    database: async () => database,
    embedder: () => decorateEmbedder(new DoubleEmbedder(double.url, KEY), true, surroundings),
  });
  await lab.start();
});
afterAll(async () => {
  await lab.close();
  await double.stop();
});

interface Row {
  readonly status: string;
  readonly waiting_reason: string | null;
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean } | null;
}

async function rowOf(id: DocumentId): Promise<Row> {
  return (await lab.query<Row>(`SELECT status, waiting_reason, error FROM documents WHERE id = $1`, [id]))[0]!;
}

async function upload(content: string): Promise<DocumentId> {
  return (await lab.upload(await lab.addDataset(), [{ name: 'one.txt', content }]))[0]!;
}

async function untilRow(id: DocumentId, expected: Partial<Row>): Promise<void> {
  await until(
    async () => {
      await lab.system(
        `UPDATE tasks SET not_before = now() WHERE id = $1 AND not_before > now() AND lease_owner IS NULL`,
        [id],
      );
      const row = await rowOf(id);
      return Object.entries(expected).every(([name, value]) => row[name as keyof Row] === value);
    },
    { withinMs: 60_000 },
  );
}

describe('a provider that is busy, then broken, then available', () => {
  it(`lets ${DOCUMENTS} documents wait until it is there, and is never sent a text again that it gave a vector for`, async () => {
    let began: number | undefined;
    double.refuse = () => {
      began ??= Date.now();
      const ms = Date.now() - began;
      if (ms < 3_000) return { status: 429, headers: { 'retry-after': '1' } };
      return ms < 5_000 ? { status: 500 } : undefined;
    };
    const dataset = await lab.addDataset();
    const files = Array.from({ length: DOCUMENTS }, (_, n) => ({
      name: `${n}.txt`,
      content: `Pump ${n} of hall ${n * 7} is serviced twice a year.`,
    }));
    const ids = await lab.upload(dataset, files);
    await until(
      async () => {
        const rows = await lab.query<{ status: string; n: number }>(
          `SELECT status, count(*)::int AS n FROM documents WHERE dataset_id = $1 GROUP BY 1`,
          [dataset],
        );
        return rows.every(({ status }) => status === 'completed');
      },
      { withinMs: 120_000 },
    );
    const [waits] = await lab.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM document_events WHERE event = 'provider_backoff' AND document_id = ANY ($1::uuid[])`,
      [ids],
    );
    const tries = await lab.query<{ attempt: number; since: Date | null }>(
      `SELECT attempt, provider_waiting_since AS since FROM documents WHERE id = ANY ($1::uuid[])`,
      [ids],
    );
    expect(waits!.n).toBeGreaterThan(0);
    expect(tries.filter(({ attempt, since }) => attempt !== 1 || since !== null)).toEqual([]);
    expect(double.embedded.length).toBe(new Set(double.embedded).size);
    expect(double.embedded.length).toBe(DOCUMENTS);
  }, 180_000);

  it('has its reported usage counted for the tenant, the dataset and the purpose', async () => {
    const [row] = await lab.query<{ tokens: number; purposes: string[] }>(
      `SELECT sum(input_tokens)::int AS tokens, array_agg(DISTINCT purpose) AS purposes FROM model_usage`,
    );
    expect(row).toEqual({ tokens: DOCUMENTS * 10, purposes: ['ingestion'] });
  });

  it('fails a document at once that the provider rejects, with the message of the provider but without the key', async () => {
    double.refuse = () => ({ status: 400, body: `input too strange for key ${KEY}` });
    const id = await upload('A text that the provider does not take.');
    await untilRow(id, { status: 'failed' });
    const { error } = await rowOf(id);
    expect(error).toMatchObject({ code: 'ai.provider_rejected', retryable: true });
    expect(error!.message).toContain('input too strange');
    expect(JSON.stringify([error, await lab.timeline(id)])).not.toContain(KEY.slice(8, 24));
    double.refuse = () => undefined;
  });

  it('fails a document that has waited too long, and the document can be retried', async () => {
    double.refuse = () => ({ status: 429, headers: { 'retry-after': '1' }, body: `Come back later with ${KEY}.` });
    const id = await upload('A text for which the provider has no time.');
    await untilRow(id, { waiting_reason: 'provider_backoff' });
    const told = JSON.stringify(await lab.timeline(id));
    expect(told).toContain('vectors of double: rate_limited (429): Come back later with [removed].');
    expect(told).not.toContain(KEY.slice(8, 24));
    await lab.query(`UPDATE documents SET provider_waiting_since = now() - interval '25 hours' WHERE id = $1`, [id]);
    await untilRow(id, { status: 'failed' });
    expect((await rowOf(id)).error).toMatchObject({ code: 'ai.provider_unavailable', retryable: true });
    double.refuse = () => undefined;
  });
});

describe('a tenant whose budget is used up', () => {
  it('has its documents wait until the budget is raised, while documents of other tenants are ingested', async () => {
    const setBudget = (budgets: object | null): Promise<unknown> =>
      lab.system(`UPDATE tenants SET budgets = $2 WHERE id = $1`, [lab.owner.tenantId, budgets]);
    await setBudget({ monthly_tokens: 1 });
    const id = await upload('A text that nobody pays for yet.');
    await untilRow(id, { waiting_reason: 'budget_exhausted' });
    const before = double.requests;
    await setBudget(null);
    await untilRow(id, { status: 'completed' });
    expect(double.requests).toBe(before + 1);
  }, 120_000);
});

describe('the cache of embeddings', () => {
  it('embeds the same text of a tenant once, unless its document is in quarantine', async () => {
    const text = 'The same sentence stands in two documents.';
    const first = await upload(text);
    await untilRow(first, { status: 'completed' });
    const asked = double.embedded.length;
    await untilRow(await upload(text), { status: 'completed' });
    expect(double.embedded.length).toBe(asked);
    await lab.query(`UPDATE documents SET quarantined_at = now() WHERE dataset_id IN (SELECT id FROM datasets)`);
    expect(await lab.query(`SELECT 1 FROM embedding_cache`)).toEqual([]);
    await untilRow(await upload(text), { status: 'completed' });
    expect(double.embedded.length).toBe(asked + 1);
    await lab.query(`DELETE FROM documents WHERE id = $1`, [first]);
    expect(await lab.query(`SELECT 1 FROM embedding_cache WHERE document_id = $1`, [first])).toEqual([]);
  }, 120_000);
});
