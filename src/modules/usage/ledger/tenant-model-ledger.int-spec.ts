import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlannedCall } from '#libs/ai';
import { newId, type DatasetId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { TenantModelLedger } from './tenant-model-ledger.js';

let test: TestDatabase;
let member: TestMember;
let now: Date;

const PRICES = new Map([['p/m', { input: 2, output: 10, request: 0.5 }]]);

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

async function prepare(budgets: object | null): Promise<TenantModelLedger> {
  member = await createTestMember(test.unitOfWork);
  now = new Date('2026-11-30T23:59:00Z');
  await test.unitOfWork.runAsSystem((manager) =>
    manager.query(`UPDATE tenants SET budgets = $2 WHERE id = $1`, [member.tenantId, budgets]),
  );
  return new TenantModelLedger(test.unitOfWork, { prices: PRICES, callSeconds: 60, now: () => now });
}

function plan(inputTokens: number, datasetIds: readonly string[] = []): PlannedCall {
  return {
    port: 'embedding',
    provider: 'p',
    model: 'm',
    caller: { tenantId: member.tenantId, datasetIds: datasetIds as DatasetId[], purpose: 'ingestion' },
    estimate: { inputTokens, outputTokens: 0 },
  };
}

function used(inputTokens: number, requests = 1) {
  return { inputTokens, outputTokens: 0, requests, isEstimated: false };
}

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return test.unitOfWork.run(member.ctx, (manager) => manager.query(sql));
}

describe('the ledger of models', () => {
  it('counts tokens, requests and cost by day, dataset, model and purpose; the parts of a call add up to the call', async () => {
    const ledger = await prepare(null);
    const [one, two] = [newId(), newId()].toSorted();
    await (await ledger.reserve(plan(100, [one!, two!]))).settle(used(7));
    await (await ledger.reserve(plan(100, [one!]))).settle(used(10));
    const found = await rows(
      `SELECT dataset_id, day::text, requests::int, input_tokens::int, cost::float8 FROM model_usage ORDER BY dataset_id`,
    );
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({ dataset_id: one, day: '2026-11-30', requests: 2, input_tokens: 14 });
    expect(found[1]).toMatchObject({ dataset_id: two, requests: 0, input_tokens: 3 });
    const cost = found.reduce((sum, row) => sum + (row['cost'] as number), 0);
    expect(cost).toBeCloseTo((17 * 2) / 1_000_000 + 2 * 0.5, 9);
  });

  it('reserves before a call and refuses calls that the budget does not cover, until a reservation is removed', async () => {
    const ledger = await prepare({ monthly_tokens: 100 });
    const first = await ledger.reserve(plan(60));
    await expect(ledger.reserve(plan(60))).rejects.toMatchObject({
      code: 'usage.budget_exhausted',
      status: 429,
      retryAfter: 60,
      facts: { budget: 'monthly_tokens', period: '2026-11' },
    });
    await first.settle(used(20));
    const second = await ledger.reserve(plan(60));
    await second.release();
    await (await ledger.reserve(plan(80))).settle(used(80));
    await expect(ledger.reserve(plan(1))).rejects.toMatchObject({ code: 'usage.budget_exhausted' });
    now = new Date('2026-12-01T00:00:00Z');
    await (await ledger.reserve(plan(100))).release();
  });

  it('checks calls one by one: twenty at once never exceed the budget', async () => {
    const ledger = await prepare({ monthly_tokens: 50 });
    const tried = await Promise.allSettled(Array.from({ length: 20 }, () => ledger.reserve(plan(10))));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  it('enforces the cost budget, and ignores expired reservations of a dead process', async () => {
    const ledger = await prepare({ monthly_cost: 1 });
    await ledger.reserve(plan(1));
    await expect(ledger.reserve(plan(1))).rejects.toMatchObject({ facts: { budget: 'monthly_cost' } });
    await rows(`UPDATE model_reservations SET expires_at = now() - interval '1 second'`);
    await (await ledger.reserve(plan(1))).release();
  });
});
